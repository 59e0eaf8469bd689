"""Locks that functions take: how they are made, taken, given back, and what is done meanwhile.

Law of this file: what a function does not show is not guessed.
"""

from dataclasses import dataclass
from typing import Literal

from redis_guard.finding import Confidence, Span
from redis_guard.project.model.places import Function, Place
from redis_guard.project.model.results import Result
from redis_guard.project.model.values import Argument
from redis_guard.project.taken import Guard


@dataclass(frozen=True, slots=True)
class Making:
    """A call that makes a lock."""

    path: str
    span: Span
    library: Literal["redis-py", "redis_lock", "django"]
    """redis-py's Lock; python-redis-lock's; `cache.lock` of Django's cache, which is one of the two."""
    arguments: tuple[tuple[str, Argument], ...]
    opaque: bool
    """A star argument hides what is passed."""

    def argument(self, *names: str) -> Argument | None:
        return next((argument for given, argument in self.arguments if given in names), None)


@dataclass(frozen=True, slots=True)
class LockUse:
    """One method of a lock is called: acquire, release, extend …"""

    method: str
    span: Span
    place: Place
    result: Result
    arguments: tuple[tuple[str, Argument], ...]
    guards: tuple[Guard, ...]

    def argument(self, name: str) -> Argument | None:
        return next((argument for given, argument in self.arguments if given == name), None)


@dataclass(frozen=True, slots=True)
class Catch:
    """A handler that an exception can meet on its way out."""

    construct: int
    arm: int
    broad: bool
    """It catches every `Exception`."""
    ends: bool
    """It never runs through its end."""


@dataclass(frozen=True, slots=True)
class Work:
    """Something done while a lock may be held: a call, a `yield`, a `raise`."""

    text: str
    span: Span
    place: Place
    quick: bool
    """It is not expected to fail: a log line, the time of day, the length of a list."""
    seconds: float | None
    """How long it takes (`time.sleep(30)`) or may take (`requests.get(url, timeout=30)`), where a constant says so."""
    sleeps: bool
    """It takes all of these seconds, whatever happens."""
    turns: tuple[tuple[int, int], ...]
    """Loops around it, inside out, that run a known number of times: the construct and the number."""
    catches: tuple[Catch, ...]
    """The handlers around it, inside out."""
    guards: tuple[Guard, ...]
    """The tests that decide whether it is done, the outermost first."""


@dataclass(frozen=True, slots=True)
class Held:
    """A lock object and what one function does with it."""

    path: str
    text: str
    """The lock as written."""
    identity: str
    function: Function
    asynchronous: bool
    confidence: Confidence
    entered: tuple[int, ...]
    """The `with` statements that take it."""
    uses: tuple[LockUse, ...]
    """In the order of evaluation."""
    makings: tuple[Making, ...]
    all_makings: bool
    """It can have been made nowhere else."""
    handed_on: bool
    """The function gives the lock, or one of its methods, to somebody else."""
    work: tuple[Work, ...]
    """Everything else the function does, in the order of evaluation."""
