"""Progress for people who wait at a terminal: a real one, from a pseudo-terminal."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

Project = Callable[..., Path]
Run = Callable[..., subprocess.CompletedProcess[str]]

REPOSITORY = Path(__file__).parents[2]
CLEAR = "\r\x1b[K"

# The work lasts until a byte comes in. Ctrl-C comes from the terminal, so the program makes it its own, and listens to
# it even if the tests run where it is ignored, as in the background of a shell.
WAITING = """
import fcntl, os, signal, sys, termios
signal.signal(signal.SIGINT, signal.default_int_handler)
fcntl.ioctl(2, termios.TIOCSCTTY, 0)
from redis_guard.cli import progress, streams
from redis_guard.project.sources import Counters
progress.FIRST = float(sys.argv[1])
def work():
    with progress.progress(Counters(surveyed=9, parsed=7, received=3)):
        os.read(0, 1)
    return 0
sys.exit(streams.guarded(work))
"""
CHECKING = """
import sys
from redis_guard.cli import main, progress
progress.FIRST = 0.01
main(["check", "--no-cache", "--output-format", "concise", *sys.argv[1:]])
"""
BAD = "import redis\n\nr = redis.Redis()\nr.keys('*')\n"


class Terminal:
    """A process whose standard error is a terminal of 40 columns."""

    def __init__(self, program: str, *arguments: str, cwd: Path, term: str = "xterm") -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, "-c", program, *arguments],
            cwd=cwd, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=slave, start_new_session=True,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY), "TERM": term},
        )  # fmt: skip
        os.close(slave)
        self.shown = ""

    def until(self, text: str) -> None:
        """Read what the terminal gets until it has this text, or to the end."""
        while not text or text not in self.shown:
            try:
                data = os.read(self.master, 1024)
            except OSError:  # so Linux says that the other side is closed
                data = b""
            if not data:
                break
            self.shown += data.decode()
        assert text in self.shown, self.shown

    def end(self) -> tuple[int, str]:
        """The exit status and the standard output."""
        self.until("")
        out, _ = self.process.communicate(timeout=60)
        return self.process.returncode, out.decode()

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()
        os.close(self.master)


@contextmanager
def terminal(program: str, *arguments: str, cwd: Path, term: str = "xterm") -> Iterator[Terminal]:
    opened = Terminal(program, *arguments, cwd=cwd, term=term)
    try:
        yield opened
    finally:
        opened.close()


def test_it_is_drawn_while_the_work_lasts_and_taken_back_after_it(tmp_path: Path) -> None:
    with terminal(WAITING, "0.01", cwd=tmp_path) as seen:
        seen.until("3 of 7 files parsed, 0 s")
        seen.process.stdin.write(b"x")
        assert seen.end() == (0, "")
        assert re.fullmatch(r"(\r\x1b\[Kredis-guard: 3 of 7 files parsed, \d+ s)+\r\x1b\[K", seen.shown)


def test_ctrl_c_leaves_a_clean_line_and_no_traceback(tmp_path: Path) -> None:
    with terminal(WAITING, "0.01", cwd=tmp_path) as seen:
        seen.until("files parsed")
        os.write(seen.master, b"\x03")
        status, out = seen.end()
        assert (status, out) == (130, "")
        assert seen.shown.endswith(CLEAR)
        assert "Traceback" not in seen.shown


def test_a_run_that_is_over_sooner_draws_nothing(tmp_path: Path) -> None:
    with terminal(WAITING, "1000", cwd=tmp_path) as seen:
        seen.process.stdin.write(b"x")
        assert seen.end() == (0, "")
        assert seen.shown == ""


@pytest.mark.parametrize("term", ["dumb", "unknown"])
def test_a_terminal_that_cannot_take_a_line_back_gets_none(tmp_path: Path, term: str) -> None:
    with terminal(WAITING, "0.01", cwd=tmp_path, term=term) as seen:
        seen.process.stdin.write(b"x")
        assert seen.end() == (0, "")
        assert seen.shown == ""


def test_a_check_at_a_terminal_shows_it_and_writes_its_report_as_ever(project: Project) -> None:
    with terminal(CHECKING, "--select", "RG701", cwd=project({"app.py": BAD})) as seen:
        status, out = seen.end()
        assert status == 1
        assert out.startswith("app.py:4:1: RG701 ")
        assert "redis-guard: " in seen.shown
        assert seen.shown.endswith(CLEAR)


def test_a_mistake_is_told_on_a_line_of_its_own(project: Project) -> None:
    root = project({"app.py": BAD, ".redis-guard-baseline.json": "{"})
    with terminal(CHECKING, cwd=root) as seen:
        assert seen.end() == (2, "")
        assert seen.shown.rpartition(CLEAR)[2].startswith(".redis-guard-baseline.json:1")


def test_a_pipe_gets_nothing_however_long_it_takes(project: Project, run: Run) -> None:
    done = run("--select", "RG701", cwd=project({"app.py": BAD}), program=("-c", CHECKING))
    assert (done.returncode, done.stderr) == (1, "")


def test_no_line_is_longer_than_the_terminal(tmp_path: Path) -> None:
    with terminal(WAITING.replace("parsed=7", "parsed=10**40"), "0.01", cwd=tmp_path) as seen:
        seen.until("redis-guard: 3 of 1000")
        seen.process.stdin.write(b"x")
        seen.end()
        assert {len(line) for line in seen.shown.split(CLEAR) if line} == {39}
