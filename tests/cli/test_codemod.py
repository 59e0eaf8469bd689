"""The codemod commands, run by libcst's own tool."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.migrate.conftest import CONFIG, REGISTRY

Project = Callable[..., Path]

REPOSITORY = Path(__file__).parents[2]
# without `--no-format` libcst calls black, which a project need not have
TOOL = (sys.executable, "-m", "libcst.tool", "codemod", "--no-format", "-x")
CODE = "import redis\n\nr = redis.Redis()\n\n\ndef f(k, t):\n    r.set(k, 1)  # é\n    r.expire(k, 60)\n"
FIXED = CODE.replace("r.set(k, 1)", "r.set(k, 1, ex=60)").replace("    r.expire(k, 60)\n", "")


def codemod(root: Path, command: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*TOOL, f"redis_guard.codemod.{command}", *arguments],
        cwd=root, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )  # fmt: skip


def test_files_are_fixed_with_what_the_whole_project_says(project: Project) -> None:
    user = "from app.clients import r\n\nr.set('k', 1)\nr.expire('k', 60)\n"
    root = project({"app/clients.py": CODE, "app/user.py": user, "app/__init__.py": ""})
    done = codemod(root, "FixCommand", "app")
    assert (root / "app/clients.py").read_text() == FIXED
    assert (root / "app/user.py").read_text() == "from app.clients import r\n\nr.set('k', 1, ex=60)\n"
    assert "Transformed 2 files successfully" in done.stderr
    assert "Skipped 1 files" in done.stderr


def test_unsafe_fixes_and_rules_are_chosen(project: Project) -> None:
    code = CODE.replace("60", "t")
    root = project({"a.py": code})
    codemod(root, "FixCommand", "a.py")
    codemod(root, "FixCommand", "--unsafe-fixes", "--select", "RG701", "a.py")
    assert (root / "a.py").read_text() == code
    codemod(root, "FixCommand", "--unsafe-fixes", "--select", "RG201", "a.py")
    assert "r.set(k, 1, ex=t)" in (root / "a.py").read_text()


def test_a_mistake_is_told_and_nothing_is_changed(project: Project) -> None:
    root = project({"a.py": CODE}, config="[tool.redis-guard]\nselekt = []\n")
    done = codemod(root, "FixCommand", "a.py")
    assert 'did you mean "select"?' in done.stderr + done.stdout
    assert (root / "a.py").read_text() == CODE


def test_call_sites_of_one_use_case_are_migrated(project: Project) -> None:
    main = (
        CODE[: CODE.index("def")] + "def failed(account):\n    return r.incr(f'login:{account}:attempts')\n"
    )
    coordination = (
        "from redis_guard.runtime import Coordination\n\n"
        "coordination = Coordination.from_file('redis_guard.yaml')\n"
    )
    files = {"app/__init__.py": "", "app/main.py": main, "app/coordination.py": coordination}
    root = project({**files, "redis_guard.yaml": REGISTRY}, config=CONFIG)
    done = codemod(root, "MigrateCommand", "--use-case", "attempts", "app")
    text = (root / "app/main.py").read_text()
    assert 'coordination.counter("attempts", str(account)).increment().value' in text, done.stderr
    assert "Skipped 2 files" in done.stderr
    wrong = codemod(root, "MigrateCommand", "--use-case", "atempts", "app")
    assert 'did you mean "attempts"?' in wrong.stderr + wrong.stdout
