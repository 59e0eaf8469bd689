"""Runs two commands in turn and compares them.

Law of this file: figures are ratios of runs that followed each other, A B A B; no run is compared with one
of another time.
"""

import os
import signal
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO


def nothing() -> None:
    """For commands that need no preparation."""


@dataclass(frozen=True, slots=True)
class Command:
    """What to run. `before` is called ahead of each run and is not timed."""

    name: str
    argv: tuple[str, ...]
    cwd: Path
    statuses: frozenset[int] = frozenset({0, 1})
    before: Callable[[], None] = nothing


class CommandError(Exception):
    """A command could not start, ended with a status that does not mean "done", or did not end in time."""

    def __init__(self, command: Command, reason: str) -> None:
        super().__init__(f"{command.name}: {reason}")
        self.command = command


@dataclass(frozen=True, slots=True)
class Sample:
    """One run: seconds on the wall clock, and the largest resident set of any one of its processes.

    Resident sets are in the unit of getrusage, which differs between systems and cancels out in a ratio. On
    Linux they are no smaller than the benchmark's own, so small programs seem alike.
    """

    seconds: float
    peak: int


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs that followed each other."""

    ours: Sample
    theirs: Sample


@dataclass(frozen=True, slots=True)
class Ratio:
    """Ours divided by theirs, over all rounds."""

    median: float
    low: float
    high: float
    rounds: int


def run(command: Command, timeout: float) -> Sample:
    """Run once. CommandError on a wrong status, a missing program, or after `timeout` seconds."""
    command.before()
    with tempfile.TemporaryFile() as errors:
        begin = time.perf_counter()
        try:
            process = subprocess.Popen(
                command.argv,
                cwd=command.cwd,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                start_new_session=True,
            )
        except OSError as error:
            raise CommandError(command, str(error)) from error
        late = threading.Event()
        alarm = threading.Timer(timeout, _stop, (process.pid, late))
        alarm.start()
        # wait4 and not wait: it alone says how much memory this child took.
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begin
        alarm.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        if late.is_set():
            raise CommandError(command, f"not done after {timeout:g} seconds")
        if process.returncode not in command.statuses:
            raise CommandError(command, f"exit status {process.returncode}: {_last_line(errors)}")
    return Sample(seconds, usage.ru_maxrss)


def paired(ours: Command, theirs: Command, rounds: int, timeout: float) -> Iterator[Pair]:
    """Run both in turn, `rounds` times, after one run of each that does not count.

    With a single round that first run is left out for theirs: it is asked for where theirs takes minutes.
    """
    run(ours, timeout)
    if rounds > 1:
        run(theirs, timeout)
    for _ in range(rounds):
        yield Pair(run(ours, timeout), run(theirs, timeout))


def ratio(pairs: list[Pair], quantity: Callable[[Sample], float]) -> Ratio:
    """Each pair's ratio, then their median and range."""
    ratios = [quantity(pair.ours) / quantity(pair.theirs) for pair in pairs]
    return Ratio(statistics.median(ratios), min(ratios), max(ratios), len(ratios))


def _stop(pid: int, late: threading.Event) -> None:
    late.set()
    os.killpg(pid, signal.SIGKILL)


def _last_line(errors: IO[bytes]) -> str:
    errors.seek(0)
    lines = errors.read().decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "it said nothing"
