"""What a run has to do, asked of its counters, and what it need not do again."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from redis_guard.analysis import analyse
from redis_guard.config import load_config
from redis_guard.judging import load_project
from redis_guard.project.candidates import survey
from redis_guard.source.cache import Cache
from redis_guard.source.discover import discover
from redis_guard.source.recall import recall

SHOP = Path(__file__).parents[2] / "fixtures" / "projects" / "shop"
CLIENT = "import redis\n\nclient = redis.Redis()\n"
USER = "from app.clients import client\n\n\ndef f():\n    client.keys('a:*')\n"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SHOP, tmp_path / "shop"))


def test_a_second_run_on_an_unchanged_tree_reads_and_parses_nothing(project: Callable[..., Path]) -> None:
    config = load_config(project({"app/clients.py": CLIENT, "app/user.py": USER, "app/other.py": "x = 1\n"}))
    first, second = analyse(config), analyse(config)
    assert first.counters.parsed == 2
    assert (second.counters.surveyed, second.counters.parsed, second.counters.rounds) == (0, 0, 0)
    assert second.judgement == first.judgement
    assert first.judgement.findings


def test_a_changed_file_is_the_only_one_parsed_again(project: Callable[..., Path]) -> None:
    root = project({"app/clients.py": CLIENT, "app/user.py": USER})
    config = load_config(root)
    analyse(config)
    (root / "app/user.py").write_text(USER + "\n\nx = 1\n")
    again = analyse(config)
    assert (again.counters.surveyed, again.counters.parsed) == (1, 1)


def test_a_change_of_the_registry_is_judged_anew_from_remembered_facts(project: Callable[..., Path]) -> None:
    root = project({"app/clients.py": CLIENT, "app/user.py": USER})
    analyse(load_config(root))
    (root / "redis_guard.yaml").write_text("version: 1\n")
    again = analyse(load_config(root))
    assert (again.counters.rounds > 0, again.counters.parsed) == (True, 0)


def test_a_file_that_uses_an_exported_client_without_saying_redis_is_read(
    project: Callable[..., Path],
) -> None:
    root = project({"app/clients.py": CLIENT, "app/user.py": USER,
                    "app/reexport.py": "from app.clients import client\n",
                    "app/far.py": "from app.reexport import client as kv\n\nkv.keys('b:*')\n"})  # fmt: skip
    found = analyse(load_config(root)).judgement.findings
    assert {finding.path for finding in found if finding.code == "RG701"} == {"app/user.py", "app/far.py"}


def test_a_file_that_is_handed_a_client_is_read(project: Callable[..., Path]) -> None:
    root = project({"app/main.py": CLIENT + "from app.tools import sweep\n\nsweep(client)\n",
                    "app/tools.py": "def sweep(conn):\n    return conn.keys('a:*')\n"})  # fmt: skip
    found = analyse(load_config(root)).judgement.findings
    assert [finding.path for finding in found if finding.code == "RG701"] == ["app/tools.py"]


def test_a_test_that_takes_a_fixture_is_read(project: Callable[..., Path]) -> None:
    conftest = "import pytest\nimport redis\n\n\n@pytest.fixture\ndef store():\n    return redis.Redis()\n"
    root = project(
        {"tests/conftest.py": conftest, "tests/test_a.py": "def test_a(store):\n    store.keys('a')\n"}
    )
    found = analyse(load_config(root)).judgement.findings
    assert [finding.path for finding in found if finding.code == "RG701"] == ["tests/test_a.py"]


def test_with_and_without_the_sieve_the_shop_has_the_same_calls(shop: Path) -> None:
    config = load_config(shop)
    tree = discover(shop)

    def calls(sieve: bool) -> set[tuple[str, object, str]]:
        loaded = load_project(config, survey(tree, recall(Cache(), tree, b""), {}), 1, sieve=sieve)
        assert loaded.linked.tracebacks == ()
        return {(c.path, c.span, c.method) for module in loaded.linked.project.modules for c in module.calls}

    assert calls(True) == calls(False)
    assert len(calls(True)) > 40


def test_no_libcst_where_there_is_no_redis(project: Callable[..., Path], run: Callable[..., object]) -> None:
    root = project({"a.py": "x = {}\nx.get('a')\n", "b.py": "import json\n"})
    script = (
        "import sys\nfrom redis_guard.cli import main\ntry:\n    main(['check'])\nexcept SystemExit as e:\n"
        "    assert not e.code, e.code\n"
        "print([name for name in ('libcst', 'redis', 'rich', 'flake8') if name in sys.modules])"
    )
    done = run(script, cwd=root, program=("-c",))
    assert done.stdout.splitlines()[-1] == "[]", done.stderr  # type: ignore[attr-defined]


def test_version_loads_nothing(project: Callable[..., Path], run: Callable[..., object]) -> None:
    script = (
        "import sys\nfrom redis_guard.cli import main\ntry:\n    main(['--version'])\nexcept SystemExit as e:\n"
        "    assert not e.code, e.code\n"
        "print([name for name in ('libcst', 'redis', 'rich', 'click', 'yaml') if name in sys.modules])"
    )
    done = run(script, cwd=project({}), program=("-c",))
    assert done.stdout.splitlines() == ["redis-guard 0.1.0", "[]"]  # type: ignore[attr-defined]
