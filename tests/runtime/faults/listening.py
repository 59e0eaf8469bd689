"""Listening to a signal, from a moment on of which a test knows that nothing has been missed.

Law of this file: a subscription that is acknowledged before the first wake was taken is part of that wake; a test must
not wait for one of its own.
"""

from collections.abc import Callable, Iterator

from redis_guard.runtime import Wake
from tests.runtime.faults.heard import until
from tests.runtime.worlds import AnySignal


def up_to(wakes: Iterator[Wake], reason: str) -> Wake:
    """The next wake for that reason; others may come first."""
    for wake in wakes:
        if wake.reason == reason:
            return wake
        assert wake.reason != "reread", f"no {reason} for as long as a listener is left alone"
    raise AssertionError("listening has ended")


def listening(signal: AnySignal, subscribed: Callable[[], object]) -> Iterator[Wake]:
    """The wakes after a first message, with none pending; `subscribed` tells when the server has the subscription."""
    wakes = signal.listen()
    assert next(wakes).reason == "start"
    until(subscribed)
    signal.send("the first")
    up_to(wakes, "message")
    return wakes
