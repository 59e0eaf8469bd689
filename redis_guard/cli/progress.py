"""How far a run is, on the standard error, for somebody who waits at a terminal.

Law of this file: nothing is drawn in the first second, nothing where nobody looks, and nothing is left behind, however
the run ends. It is a timer's interrupts that draw: a thread, with which rich would do it, must not live while worker
processes are forked.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic

from redis_guard.project.sources import Counters

FIRST = 1.0
"""Seconds before anything is drawn."""
_AGAIN = 0.2
"""Seconds from one drawing to the next."""
_CLEAR = "\r\x1b[K"


@contextmanager
def progress(counters: Counters) -> Iterator[None]:
    """Show what `counters` say as long as the block runs."""
    if not _watched():
        yield
        return
    import signal

    started = monotonic()
    drawn = False

    def draw(signum: int, frame: object) -> None:
        nonlocal drawn
        drawn = True
        _write(f"{_CLEAR}{_said(counters, int(monotonic() - started))}")

    before = signal.signal(signal.SIGALRM, draw)
    signal.setitimer(signal.ITIMER_REAL, FIRST, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if drawn:
            _write(_CLEAR)


def _watched() -> bool:
    """Whether the standard error is a terminal that can take a line back. Windows has no such timer."""
    return (
        os.name == "posix" and sys.stderr.isatty() and os.environ.get("TERM") not in (None, "dumb", "unknown")
    )


def _said(counters: Counters, seconds: int) -> str:
    if not counters.parsed:
        done = f"{counters.surveyed} files looked at"
    elif counters.received < counters.parsed:
        done = f"{counters.received} of {counters.parsed} files parsed"
    else:
        done = f"{counters.parsed} files parsed, judging"
    line = f"redis-guard: {done}, {seconds} s"
    with suppress(OSError):
        line = line[: os.get_terminal_size(sys.stderr.fileno()).columns - 1]
    return line


def _write(text: str) -> None:
    """Past Python's buffer, which the interrupted code may be writing to."""
    with suppress(OSError):
        os.write(sys.stderr.fileno(), text.encode())
