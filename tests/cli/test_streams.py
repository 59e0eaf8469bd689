"""The standard streams closed, full, or left by their reader: a line at most, and an honest exit status."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Project = Callable[..., Path]
Run = Callable[..., subprocess.CompletedProcess[str]]

BAD = "import redis\n\nredis.Redis().keys('*')\n"
FULL = Path("/dev/full")


def _shell(script: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    here = Path(__file__).parents[2]
    return subprocess.run(
        ["sh", "-c", script.replace("redis-guard", f"{sys.executable} -m redis_guard")],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(here)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")
@pytest.mark.parametrize(
    "command",
    [
        "check",
        "check --output-format json",
        "check --statistics",
        "inventory",
        "rule --all",
        "--version",
        "--help",
    ],
)
def test_a_full_disk_is_one_line_and_exit_status_2(project: Project, command: str) -> None:
    done = _shell(f"redis-guard {command} >/dev/full", project({"a.py": BAD}))
    assert (done.returncode, done.stderr) == (2, "output: No space left on device\n")


@pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")
def test_so_it_is_for_a_report_in_a_file(project: Project) -> None:
    done = _shell("redis-guard check --output-file /dev/full", project({"a.py": BAD}))
    assert (done.returncode, done.stderr) == (2, "output: No space left on device\n")


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("redis-guard check >&-", 1),
        ("redis-guard check 2>&-", 1),
        ("redis-guard check >&- 2>&-", 1),
        ("redis-guard check nowhere 2>&-", 2),
    ],
)
def test_nobody_listening_changes_no_status(project: Project, command: str, status: int) -> None:
    done = _shell(command, project({"a.py": BAD}))
    assert (done.returncode, done.stderr) == (status, "")


def test_closed_standard_input_is_not_an_empty_file(project: Project) -> None:
    done = _shell("redis-guard check --stdin-filename a.py - <&-", project({"a.py": BAD}))
    assert (done.returncode, done.stderr) == (2, "--stdin-filename: standard input is closed\n")


def test_a_reader_that_leaves_early_is_no_error(project: Project) -> None:
    done = _shell("redis-guard rule --all | head -1", project({}))
    assert (done.stdout.count("\n"), done.stderr) == (1, "")
