"""Listening to a signal, from a moment on of which a test knows that nothing has been missed.

Law of this file: a subscription that is acknowledged before the first wake was taken is part of that wake; a test must
not wait for one of its own.
"""

import threading
from collections.abc import Iterator

from redis_guard.runtime import Wake
from tests.runtime.faults.heard import in_background
from tests.runtime.worlds import AnySignal


def up_to(wakes: Iterator[Wake], reason: str) -> Wake:
    """The next wake for that reason; others may come first."""
    for wake in wakes:
        if wake.reason == reason:
            return wake
        assert wake.reason != "reread", f"no {reason} for as long as a listener is left alone"
    raise AssertionError("listening has ended")


def listening(signal: AnySignal) -> Iterator[Wake]:
    """The wakes after some first messages, with none pending."""
    wakes = signal.listen()
    assert next(wakes).reason == "start"
    arrived = threading.Event()

    def send() -> None:
        while not arrived.wait(0.01):
            signal.send("one of the first")

    with in_background(send):
        try:
            up_to(wakes, "message")
        finally:
            arrived.set()
    signal.send("the last of the first")
    while up_to(wakes, "message").marker != b"the last of the first":
        pass
    return wakes
