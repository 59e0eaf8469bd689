"""Waiting for what a server does in its own time."""

import time
from collections.abc import Callable

PATIENCE = 20.0
"""Seconds; a test that passes waits as long as it takes and no longer."""


def until(condition: Callable[[], object], what: str) -> None:
    """Back when `condition` is true; fails the test, saying `what` was waited for."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"waited in vain: {what}"
        time.sleep(0.005)
