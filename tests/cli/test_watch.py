"""`check --watch`: a real process, real changes of files, and an outcome after each."""

import contextlib
import os
import pty
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
Project = Callable[..., Path]
Run = Callable[..., subprocess.CompletedProcess[str]]

CLIENT = "import redis\n\nclient = redis.Redis()\n"
BAD = CLIENT + "client.keys('a:*')\n"
USER = "from app.clients import client\n\n\ndef f():\n    client.keys('a:*')\n"
CONFIG = '[tool.redis-guard]\nselect = ["RG001", "RG701"]\n'
DEADLINE = 60.0


# Whoever starts the tests in the background has Ctrl-C ignored, by them and all that they start.
_HEARS_CONTROL_C = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
WATCH = (
    sys.executable,
    "-c",
    f"{_HEARS_CONTROL_C}from redis_guard.cli import main; main()",
    "check",
    "--watch",
)


@dataclass(slots=True)
class Watch:
    """A watch under way, read turn by turn; standard output and error come through one pipe."""

    root: Path
    process: "subprocess.Popen[str]"
    lines: "queue.Queue[str | None]"

    def turn(self) -> list[str]:
        """The lines of the next outcome."""
        found: list[str] = []
        while (line := self.lines.get(timeout=DEADLINE)) is not None:
            if line.startswith("watching "):
                return found
            found.append(line)
        raise AssertionError(f"it has ended: {found}")

    def until(self, *findings: str) -> list[str]:
        """The first outcome with exactly these findings, as `path code`, whatever comes before it."""
        return self.all_until(*findings)[-1]

    def all_until(self, *findings: str) -> list[list[str]]:
        """The outcomes up to the first with exactly these findings."""
        deadline = time.monotonic() + DEADLINE
        turns: list[list[str]] = []
        while time.monotonic() < deadline:
            turns.append(self.turn())
            if sorted(_found(turns[-1])) == sorted(findings):
                return turns
        raise AssertionError(f"never found {findings}")

    def until_said(self, *texts: str) -> list[str]:
        """The first outcome with a line that holds all these texts, whatever comes before it."""
        deadline = time.monotonic() + DEADLINE
        while time.monotonic() < deadline:
            turn = self.turn()
            if any(all(text in line for text in texts) for line in turn):
                return turn
        raise AssertionError(f"never said {texts}")

    def write(self, name: str, text: str) -> None:
        """In one step: whoever looks sees the old text or the new one, never a file cut short."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = self.root.parent / "written beside the project"
        temporary.write_text(text)
        temporary.replace(path)


def _found(turn: list[str]) -> list[str]:
    return [f"{line.split(':')[0]} {line.split()[1]}" for line in turn if ": RG" in line]


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(REPOSITORY), "COLUMNS": "100"}


@pytest.fixture
def watch(project: Project) -> Iterator[Callable[..., Watch]]:
    started: list[tuple[subprocess.Popen[str], threading.Thread]] = []

    def begin(files: dict[str, str], *arguments: str, config: str = CONFIG, form: str = "concise") -> Watch:
        root = project(files, config)
        command = [*WATCH, "--output-format", form]
        process = subprocess.Popen(
            [*command, *arguments], cwd=root, env=_environment(), text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        lines: queue.Queue[str | None] = queue.Queue()

        def read() -> None:
            assert process.stdout is not None
            with process.stdout as output:
                for line in output:
                    lines.put(line.rstrip("\n"))
            lines.put(None)

        reader = threading.Thread(target=read)
        reader.start()
        started.append((process, reader))
        return Watch(root, process, lines)

    yield begin
    for process, reader in started:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        reader.join()


def test_each_change_gives_an_outcome(watch: Callable[..., Watch]) -> None:
    watched = watch({"app.py": "x = 1\n"})
    assert watched.turn() == []  # the first outcome has nothing before it
    watched.write("app.py", BAD)
    turn = watched.until("app.py RG701")
    assert turn[0] == "--- app.py changed ---"
    watched.write("app.py", CLIENT)
    watched.until()


def test_new_and_deleted_files_and_folders_are_seen(watch: Callable[..., Watch]) -> None:
    watched = watch({"app.py": "x = 1\n"})
    watched.turn()
    watched.write("b.py", BAD)
    watched.until("b.py RG701")
    watched.write("new/deeper/c.py", BAD)
    watched.until("b.py RG701", "new/deeper/c.py RG701")
    (watched.root / "b.py").unlink()
    watched.until("new/deeper/c.py RG701")
    shutil.rmtree(watched.root / "new")
    watched.until()


def test_an_editor_that_writes_by_renaming_is_seen(watch: Callable[..., Watch]) -> None:
    watched = watch({"app.py": "x = 1\n"})
    watched.turn()
    beside = watched.root / ".app.py.swp"
    beside.write_text(BAD)
    beside.replace(watched.root / "app.py")
    watched.until("app.py RG701")


def test_hundreds_of_files_at_once_are_one_change(watch: Callable[..., Watch]) -> None:
    names = [f"p{n // 50}/m{n}.py" for n in range(300)]
    watched = watch(dict.fromkeys(names, "x = 1\n"))
    watched.turn()
    for name in names:
        watched.write(name, "import json\n")
    watched.write("p0/m0.py", BAD)
    turn = watched.until("p0/m0.py RG701")
    assert turn[0].endswith(" changed ---")


def test_what_others_come_to_use_is_found_on_a_second_look(watch: Callable[..., Watch]) -> None:
    """The word redis is not in the file that changes, nor was the file parsed before."""
    watched = watch({"app/clients.py": CLIENT, "app/user.py": "x = 1\n"})
    watched.turn()
    watched.write("app/user.py", USER)
    watched.until("app/user.py RG701")
    watched.write("app/clients.py", "client = {}\n")
    watched.until()


def test_a_syntax_error_is_shown_and_the_watch_goes_on(watch: Callable[..., Watch]) -> None:
    watched = watch({"app.py": BAD})
    watched.until("app.py RG701")
    watched.write("app.py", BAD + "def f(:\n")
    watched.until("app.py RG001")
    watched.write("app.py", BAD)
    watched.until("app.py RG701")


def test_a_mistake_in_the_configuration_is_shown_and_the_watch_goes_on(watch: Callable[..., Watch]) -> None:
    watched = watch({"app.py": BAD})
    watched.until("app.py RG701")
    watched.write("pyproject.toml", "[tool.redis-guard]\nselect = [\n")
    watched.until_said("pyproject.toml:", "not valid TOML")
    watched.write("pyproject.toml", CONFIG + 'exclude = ["app.py"]\n')
    watched.until()


def test_a_configuration_that_is_being_written_is_waited_for(watch: Callable[..., Watch]) -> None:
    """Who writes a file in place empties it first; an empty configuration would select every rule."""
    watched = watch({"app.py": BAD + "client.set('a', 1)\n"})
    watched.until("app.py RG701")
    with (watched.root / "pyproject.toml").open("w") as file:
        time.sleep(0.5)  # longer than it takes to notice, and to find that nobody writes
        file.write(CONFIG.replace("RG701", "RG401"))
    assert [_found(turn) for turn in watched.all_until("app.py RG401")] == [["app.py RG401"]]


def test_it_can_begin_with_a_mistake(watch: Callable[..., Watch]) -> None:
    watched = watch({"app.py": BAD}, config="[tool.redis-guard]\nselekt = []\n")
    watched.until_said('did you mean "select"?')
    watched.write("pyproject.toml", CONFIG)
    watched.until("app.py RG701")


def test_a_registry_and_a_baseline_that_appear_and_change_are_read(
    watch: Callable[..., Watch], run: Run
) -> None:
    use = "from redis_guard.runtime import Coordination\n\n"
    use += "c = Coordination.from_file('redis_guard.yaml')\nc.lock('batch', 1)\n"
    watched = watch({"app.py": use}, config='[tool.redis-guard]\nselect = ["RG501"]\n')
    watched.until()
    entry = "primitive: lock, owner: a, ttl: 1m, failure: closed, description: One batch at a time"
    registry = "version: 1\nowners: {a: {contact: x}}\nuse_cases:\n  %s: {" + entry + "}\n"
    watched.write("redis_guard.yaml", registry % "bench")
    watched.until("app.py RG501")
    watched.write("redis_guard.yaml", registry % "batch")
    watched.until()
    watched.write("redis_guard.yaml", "version: 2\n")
    watched.until_said("redis_guard.yaml:1:")
    watched.write("redis_guard.yaml", registry % "bench")
    watched.until("app.py RG501")
    run("check", "--write-baseline", cwd=watched.root)
    watched.until()


def test_a_file_that_is_merely_touched_is_no_news(watch: Callable[..., Watch]) -> None:
    watched = watch({"app.py": "x = 1\n", "b.py": "x = 1\n"})
    watched.turn()
    (watched.root / "app.py").touch()
    watched.write("b.py", BAD)
    turns = watched.all_until("b.py RG701")
    assert turns[-1][0] == "--- b.py changed ---"
    assert not any("app.py" in line for turn in turns for line in turn)


def test_only_the_named_paths_are_shown(watch: Callable[..., Watch]) -> None:
    watched = watch({"a.py": "x = 1\n", "b.py": "x = 1\n"}, "a.py")
    watched.turn()
    watched.write("b.py", BAD)
    watched.write("a.py", BAD)
    watched.until("a.py RG701")


def test_documents_for_machines_follow_each_other_without_a_separator(watch: Callable[..., Watch]) -> None:
    watched = watch({"app.py": "x = 1\n"}, form="json")
    assert watched.turn()[0] == "{"
    watched.write("app.py", BAD)
    assert watched.until_said('"code": "RG701"')[0] == "{"


def test_control_c_ends_it_at_once_and_leaves_no_process_behind(watch: Callable[..., Watch]) -> None:
    watched = watch({"app.py": "x = 1\n"})
    watched.turn()
    watched.write("app.py", BAD)
    watched.until("app.py RG701")  # a second look is under way now
    os.killpg(watched.process.pid, signal.SIGINT)
    assert watched.process.wait(DEADLINE) == 130
    with pytest.raises(ProcessLookupError):
        os.killpg(watched.process.pid, 0)
    rest = []
    while (line := watched.lines.get(timeout=DEADLINE)) is not None:
        rest.append(line)
    assert not any("Traceback" in line for line in rest)


def test_a_terminal_shows_one_outcome_at_a_time(project: Project) -> None:
    root = project({"app.py": BAD}, CONFIG)
    ours, theirs = pty.openpty()
    command = [*WATCH, "--output-format", "concise"]
    process = subprocess.Popen(
        command, cwd=root, env={**_environment(), "TERM": "xterm"}, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    try:
        first = _read_until(ours, b"watching")
        (root / "app.py").write_text(CLIENT)
        second = _read_until(ours, b"watching")
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(DEADLINE) == 130
        os.close(ours)
    assert first.startswith(b"\x1b[2J")
    assert b"app.py:4:1: RG701" in first
    assert b"\x1b[2J" in second
    assert b"---" not in second


def _read_until(descriptor: int, word: bytes) -> bytes:
    seen = b""
    while word not in seen or not seen.endswith(b"\n"):
        seen += os.read(descriptor, 4096)
    return seen


@pytest.mark.parametrize(
    "other",
    [("--write-baseline",), ("--add-allow", "a b c"), ("--show-settings",), ("--stdin-filename", "a.py")],
)
def test_it_goes_with_nothing_that_writes_or_reads_once(
    project: Project, run: Run, other: tuple[str, ...]
) -> None:
    done = run("check", "--watch", *other, cwd=project({}), stdin="")
    assert done.returncode == 2
    assert "--watch" in done.stderr
