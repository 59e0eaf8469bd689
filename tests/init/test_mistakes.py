"""What stands in the way of a start: one clear line, and whole files whatever happens."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from redis_guard.init import InitError, init
from tests.init.conftest import ALL, APP, done, files, started

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[tool\n", "pyproject.toml:1: not valid TOML"),
        (b"x = 1\nx = 2\n", "pyproject.toml:2: not valid TOML"),
        (b"\xff\n", "pyproject.toml: not valid TOML: it is not UTF-8"),
        (b"tool = {black = {}}\n", "pyproject.toml: [tool.redis-guard] cannot be added at its end"),
        (b"[tool.redis-guard]\nguss = true\n", 'pyproject.toml:2: unknown key "guss"'),
    ],
)
def test_a_broken_pyproject_is_one_line_and_left_alone(
    bare: Callable[..., Path], run: Run, content: bytes, said: str
) -> None:
    root = bare({**APP, "pyproject.toml": content})

    result = run("init", "--no-cache", cwd=root)

    assert result.returncode == 2
    assert said in result.stderr
    assert "Traceback" not in result.stderr
    assert (root / "pyproject.toml").read_bytes() == content


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"# no end of line",
        b"[project]\r\nname = 'a'\r\n",
        b"\xef\xbb\xbf[tool.x]\ny = 1\n",
        b"[tool]\nx = 1\n",
    ],
)
def test_pyproject_keeps_every_byte_and_its_line_ends(
    bare: Callable[..., Path], run: Run, content: bytes
) -> None:
    root = bare({**APP, "pyproject.toml": content})

    assert done(started(root))["pyproject.toml"] == "changed"

    after = (root / "pyproject.toml").read_bytes()
    assert after.startswith(content)
    assert (b"\r\n" in content) == (after.count(b"\n") == after.count(b"\r\n"))
    assert run("check", cwd=root).returncode == 0


def test_a_broken_registry_is_said_and_nothing_is_written(bare: Callable[..., Path], run: Run) -> None:
    root = bare({**APP, "redis_guard.yaml": "version: 9\n"})
    before = files(root)

    result = run("init", "--no-cache", cwd=root)

    assert result.returncode == 2
    assert result.stderr.startswith("redis_guard.yaml:1:10: ")
    assert files(root) == before


def test_a_path_that_is_not_there_is_said(bare: Callable[..., Path], run: Run) -> None:
    result = run("init", "nowhere", cwd=bare({}))

    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "nowhere: no such file or directory\n"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_said(bare: Callable[..., Path], run: Run) -> None:
    root = bare(APP)
    root.chmod(0o555)
    try:
        result = run("init", "--no-cache", cwd=root)
    finally:
        root.chmod(0o755)

    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "redis_guard.yaml: cannot be written: Permission denied\n"


@pytest.mark.parametrize("number", range(4))
def test_a_start_that_is_interrupted_is_finished_by_the_next(
    bare: Callable[..., Path], run: Run, number: int
) -> None:
    root = bare(APP)
    steps = init((str(root),), use_cache=False)
    for _ in range(number):
        next(steps)
    steps.close()
    assert list(files(root)) == sorted([*APP, *ALL[:number]])

    assert list(done(started(root)).values()) == ["left alone"] * number + ["created"] * (5 - number)

    assert run("check", cwd=root).returncode == 0
    assert 'coordination = "app.coordination:coordination"' in (root / "pyproject.toml").read_text()


def test_a_disk_that_is_full_leaves_whole_files_only(
    bare: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = bare(APP)
    steps = init((str(root),), use_cache=False)
    next(steps)

    def full(source: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(InitError, match=r"^app/coordination.py: cannot be written: No space left on device$"):
        next(steps)

    assert list(files(root)) == sorted([*APP, "redis_guard.yaml"])
