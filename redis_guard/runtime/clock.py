"""The clock of the runtime.

Law of this file: it is never stepped, and it runs on while the machine sleeps where the system offers that: a lease
does not live longer for a laptop that was closed.
"""

import time
from collections.abc import Callable, Sequence
from functools import partial

now: Callable[[], float] = (
    partial(time.clock_gettime, time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic
)
"""Seconds since some moment in the past."""


def ahead(reply: Sequence[bytes] | None) -> float:
    """How far the server's clock is ahead of ours, at least, by its reply to TIME that has just arrived."""
    return 0.0 if reply is None else int(reply[0]) + int(reply[1]) / 1_000_000 - now()


def closer(offset: float, server: float, sent_at: float, arrived_at: float) -> float:
    """How far the server's clock is ahead of ours, at least, after it said `server` between two moments of ours.

    All in seconds. The highest lower bound is the closest; one above what is possible tells that the server's clock
    was set back.
    """
    lowest = server - arrived_at
    return lowest if offset > server - sent_at else max(offset, lowest)
