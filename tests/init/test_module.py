"""The coordination module: in the main package, of the kind that the code is, and usable from anywhere."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.init.conftest import APP, CLIENTS, done, started

Run = Callable[..., subprocess.CompletedProcess[str]]

MANY = CLIENTS + 9 * "r.incr('a:b')\n"
LARGE = ("big/__init__.py", "big/a.py", "big/b.py", "big/c.py", "big/d.py")
TWO = {"one/__init__.py": "", "two/__init__.py": "", "pyproject.toml": "[project]\nname = 'Two'\n"}


def test_the_coordination_object_can_be_used_from_anywhere(bare: Callable[..., Path], tmp_path: Path) -> None:
    root = bare(APP)
    started(root)

    code = "from app.coordination import coordination; print(type(coordination).__module__); coordination.close()"
    shown = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(root), *sys.path))},
        capture_output=True,
        text=True,
        check=False,
    )

    assert shown.stdout == "redis_guard.runtime.coordination\n", shown.stderr


def test_where_the_code_is_asyncio_the_object_is_too(bare: Callable[..., Path], run: Run) -> None:
    work = "from redis.asyncio import Redis\n\nr = Redis()\n\n\nasync def hit(n):\n    await r.incr(f'login:{n}')\n"
    root = bare({"app/__init__.py": "", "app/work.py": work})
    started(root)

    assert "from redis_guard.runtime.aio import Coordination" in (root / "app/coordination.py").read_text()
    (root / "app" / "more.py").write_text(
        "from app.coordination import coordination\n\n\n"
        "async def f(n):\n    coordination.counter('login', n).increment()\n"
    )
    assert "app/more.py:5:5: RG801" in run("check", "--output-format", "concise", cwd=root).stdout


def test_a_module_of_another_purpose_keeps_its_name(bare: Callable[..., Path]) -> None:
    root = bare({**APP, "app/coordination.py": "MEETINGS = 3\n"})

    assert done(started(root))["app/redis_coordination.py"] == "created"
    assert (root / "app/coordination.py").read_text() == "MEETINGS = 3\n"
    assert 'coordination = "app.redis_coordination:coordination"' in (root / "pyproject.toml").read_text()


@pytest.mark.parametrize(
    ("there", "module", "dotted"),
    [
        (APP, "app/coordination.py", "app.coordination"),
        ({f"src/{name}": text for name, text in APP.items()}, "src/app/coordination.py", "app.coordination"),
        ({"work.py": CLIENTS + "r.incr('a:b')\n"}, "coordination.py", "coordination"),
        ({**APP, "tests/__init__.py": "", "tests/test_a.py": MANY}, "app/coordination.py", "app.coordination"),
        ({**APP, "scripts/__init__.py": "", "scripts/a.py": MANY}, "app/coordination.py", "app.coordination"),
        ({**APP, **dict.fromkeys(LARGE, "")}, "app/coordination.py", "app.coordination"),
        (TWO, "two/coordination.py", "two.coordination"),
        ({"app/billing/work.py": CLIENTS + "r.incr('a:b')\n"}, "app/coordination.py", "app.coordination"),
    ],
)  # fmt: skip
def test_the_module_is_put_into_the_main_package(
    bare: Callable[..., Path], there: dict[str, str], module: str, dotted: str
) -> None:
    root = bare(there)

    assert done(started(root))[module] == "created"
    assert f'coordination = "{dotted}:coordination"' in (root / "pyproject.toml").read_text()
