"""The fixtures, as a project uses them that knows nothing of this one's tests."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
REGISTRY = """
version: 1
owners: {billing: {contact: "#billing"}}
use_cases:
  export_claim:
    {primitive: claim, owner: billing, ttl: 15m, failure: closed, description: One export per batch}
"""
CONFTEST = 'pytest_plugins = ["redis_guard.testing.plugin"]\n'


@pytest.fixture
def tests(tmp_path: Path) -> Callable[..., str]:
    """Run pytest on files (path -> text) in a project of their own; what it says."""

    def run(files: dict[str, str], status: int = 0) -> str:
        for name, content in {"conftest.py": CONFTEST, **files}.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", "--rootdir", tmp_path],
            cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    return run


def test_each_test_has_an_empty_server_and_a_coordination_that_can_fail(tests: Callable[..., str]) -> None:
    said = tests(
        {
            "pyproject.toml": "[tool.redis-guard]\n",
            "redis_guard.yaml": REGISTRY,
            "test_it.py": """
import asyncio
import pytest
from redis_guard.runtime import CoordinationUnavailable

@pytest.mark.parametrize("number", [1, 2])
def test_first_claim(coordination, number):
    assert coordination.claim("export_claim", 7)

def test_failure(coordination):
    with coordination.fail("timeout"), pytest.raises(CoordinationUnavailable):
        coordination.claim("export_claim", 7)

def test_in_memory(in_memory_coordination):
    assert in_memory_coordination.claim("export_claim", 7)
    in_memory_coordination.advance(15 * 60 + 1)
    assert in_memory_coordination.claim("export_claim", 7)

def test_asyncio(aio_coordination):
    async def scene():
        async with aio_coordination() as coordination:
            assert await coordination.claim("export_claim", 7)
            with coordination.fail("timeout"), pytest.raises(CoordinationUnavailable):
                await coordination.claim("export_claim", 7)

    asyncio.run(scene())

def test_address(redis_guard_server):
    assert redis_guard_server.url.startswith("redis://127.0.0.1:")
""",
        }
    )

    assert "6 passed" in said


def test_the_registry_is_found_where_pytest_is_told(tests: Callable[..., str]) -> None:
    said = tests(
        {
            "pyproject.toml": '[tool.pytest.ini_options]\nredis_guard_registry = ["services/*/coordination.yaml"]\n',
            "services/billing/coordination.yaml": REGISTRY,
            "test_it.py": "def test_it(in_memory_coordination):\n    in_memory_coordination.claim('export_claim', 7)\n",
        }
    )

    assert "1 passed" in said


def test_the_registry_may_be_another(tests: Callable[..., str]) -> None:
    said = tests(
        {
            "other.yaml": REGISTRY.replace("export_claim", "other_claim"),
            "conftest.py": CONFTEST
            + """
import pathlib
import pytest
from redis_guard.registry import registry_from_files

@pytest.fixture(scope="session")
def redis_guard_registry():
    return registry_from_files(pathlib.Path(__file__).with_name("other.yaml"))
""",
            "test_it.py": """
def test_it(in_memory_coordination):
    assert in_memory_coordination.claim("other_claim", 1)
""",
        }
    )

    assert "1 passed" in said


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        ({}, "no redis_guard.yaml in "),
        ({"redis_guard.yaml": "version: 2\n"}, "redis_guard.yaml:1:"),
        ({"pytest.ini": "[pytest]\nredis_guard_registry = gone.yaml\n"}, "gone.yaml"),
        ({"pyproject.toml": "[tool.redis-guard]\nregistry = 7\n"}, "pyproject.toml:2"),
    ],
)
def test_a_registry_that_cannot_be_had_is_told_in_a_line(
    tests: Callable[..., str], files: dict[str, str], complaint: str
) -> None:
    said = tests({"test_it.py": "def test_it(redis_guard_registry): ...\n", **files}, status=1)

    assert complaint in said
    assert "Traceback" not in said
