"""Files and folders as they should not be: the rest is judged, or one line says why nothing is."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Project = Callable[..., Path]
Run = Callable[..., subprocess.CompletedProcess[str]]

BAD = "import redis\n\nredis.Redis().keys('*')\n"
powerless = pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")


@pytest.mark.parametrize(
    "name",
    [b"by\xfftes.py", b"new\nline.py", b"sp ace.py", b"-dash.py", b".py", b"a.b.py", "ünï.py".encode()],
)
def test_any_file_name_is_judged(project: Project, run: Run, name: bytes) -> None:
    root = project({"b.py": "x = 1\n"})
    try:
        Path(root, os.fsdecode(name)).write_text(BAD, encoding="utf-8")
    except OSError:
        pytest.skip("not a name on this file system")
    done = run("check", "--select", "RG701", "--output-format", "concise", cwd=root)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.count("RG701") == 1


def test_a_null_character_in_a_setting_is_refused(project: Project, run: Run) -> None:
    settings = '[tool.redis-guard]\ncache-dir = "a\\u0000b"\nexclude = ["a\\u0000b"]\n'
    done = run("check", cwd=project({"pyproject.toml": settings}))
    assert done.returncode == 2
    assert [line.partition(": ")[2] for line in done.stderr.splitlines()] == [
        '"cache-dir" holds a null character',
        '"exclude" holds a null character',
    ]


def test_one_odd_number_does_not_cost_the_other_files(project: Project, run: Run) -> None:
    root = project({"a.py": BAD, "b.py": "import redis\n\nx = 1j\n"})
    done = run("check", "--select", "RG701", "--output-format", "concise", cwd=root)
    assert (done.stdout.count("RG701"), done.stderr) == (1, "")


@powerless
def test_an_unreadable_registry_is_one_line(project: Project, run: Run) -> None:
    root = project({"a.py": BAD, "redis_guard.yaml": "version: 1\n"})
    (root / "redis_guard.yaml").chmod(0)
    done = run("check", cwd=root)
    assert done.returncode == 2
    assert done.stderr.endswith("cannot be read: Permission denied\n")
    assert done.stderr.count("\n") == 1


@powerless
@pytest.mark.parametrize(("path", "said"), [("d", "cannot be listed"), ("d/a.py", "no such file")])
@pytest.mark.parametrize("door", ["check", "inventory"])
def test_a_folder_that_may_not_be_entered_is_one_line(
    project: Project, run: Run, door: str, path: str, said: str
) -> None:
    root = project({"d/a.py": BAD})
    (root / "d").chmod(0)
    try:
        done = run(door, path, cwd=root)
    finally:
        (root / "d").chmod(0o755)
    assert done.returncode == 2
    assert done.stderr.startswith(f"{path}: {said}")
    assert done.stderr.count("\n") == 1
