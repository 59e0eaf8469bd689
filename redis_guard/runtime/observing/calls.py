"""A call that is watched: timed, and its end told, whichever it is.

Law of this file: the reply is handed on as it came, and so is the exception. A cancelled call has no outcome.
"""

from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Any, NamedTuple, Protocol

from redis_guard.runtime.observing.deciding import Decision
from redis_guard.runtime.observing.observer import Observer


class Sight(Protocol):
    """What is looked at."""

    def ended(self, reply: Any, seconds: float) -> None:
        """The call has brought `reply`, or has raised it."""


class One(NamedTuple):
    """One command."""

    observer: Observer
    decision: Decision

    def ended(self, reply: Any, seconds: float) -> None:
        """Tell what came of it."""
        self.observer.answered(self.decision, reply, seconds)


def watch(sight: Sight, call: Callable[[], Any]) -> Any:
    """Call, and tell."""
    began = perf_counter()
    try:
        reply = call()
    except Exception as error:
        sight.ended(error, perf_counter() - began)
        raise
    sight.ended(reply, perf_counter() - began)
    return reply


async def watch_async(sight: Sight, reply: Awaitable[Any]) -> Any:
    """Await, and tell."""
    began = perf_counter()
    try:
        result = await reply
    except Exception as error:
        sight.ended(error, perf_counter() - began)
        raise
    sight.ended(result, perf_counter() - began)
    return result
