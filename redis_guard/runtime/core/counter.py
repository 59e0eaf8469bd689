"""The counter: how often within a window.

Law of this file: a count is sent once; whoever cannot know whether it was counted is told `ambiguous`.
"""

import re
from dataclasses import dataclass
from typing import Final

from redis_guard.runtime.core.bound import Bound
from redis_guard.runtime.core.exchange import Request, exchange, exchange_once
from redis_guard.runtime.core.policy import by_policy
from redis_guard.runtime.faults import MISTAKES, Fault
from redis_guard.runtime.outcomes import CounterOutcome
from redis_guard.runtime.scripts import COUNT, READ_COUNT, RESET_COUNT
from redis_guard.runtime.steps import Clock, Steps

MOST: Final = 2**53
"""The largest whole number that Lua keeps exactly."""


COUNT_TEXT: Final = re.compile(rb"0|-?[1-9][0-9]{0,18}")


@dataclass(frozen=True, slots=True)
class Count:
    """A count within its window."""

    value: int
    limit: int | None
    resets_in: float | None
    """Seconds until the window ends, as a Retry-After says it; None where it never ends or is not known."""
    degraded: bool = False
    """Redis could not be asked; `value` is what the registry says stands in."""

    @property
    def exceeded(self) -> bool:
        """More than the limit has been counted."""
        return self.limit is not None and self.value > self.limit

    @property
    def remaining(self) -> int | None:
        """How many more may be counted before the limit is exceeded; None without a limit."""
        return None if self.limit is None else max(self.limit - self.value, 0)


def increment(bound: Bound, key: bytes, step: int, clock: Clock, ids: tuple[object, ...]) -> Steps[Count]:
    """Count `step`."""
    began = clock()
    try:
        answer = yield from exchange_once(Request(COUNT, (key,), (step, bound.ttl_ms)), bound.deadline)
    except Fault as fault:
        return _stand_in(bound, fault, clock() - began, ids)
    status, value, left, _ = answer.values
    count = Count(int(value), bound.case.limit, left / 1000 if left >= 0 else None)
    outcome: CounterOutcome = "healed" if status == 2 else "exceeded" if count.exceeded else "counted"
    bound.recorder.operation(outcome, None, clock() - began, ids)
    return count


def read(bound: Bound, key: bytes, clock: Clock, ids: tuple[object, ...]) -> Steps[Count]:
    """The count as it is; 0 before the first count of a window."""
    began = clock()
    try:
        result = yield from exchange(Request(READ_COUNT, (key,), ()), bound.deadline)
    except Fault as fault:
        return _stand_in(bound, fault, clock() - began, ids)
    _, text, left, _ = result.answer.values
    # int() takes more than INCRBY does: b" 7", b"1_0".
    if not COUNT_TEXT.fullmatch(text):
        return _stand_in(bound, Fault("wrongtype", "the key does not hold a count"), clock() - began, ids)
    bound.recorder.operation("read", None, clock() - began, ids)
    return Count(int(text), bound.case.limit, left / 1000 if left >= 0 else None)


def reset(bound: Bound, key: bytes, clock: Clock, ids: tuple[object, ...]) -> Steps[bool]:
    """End the window; whether there was one. Under `open` and `fallback`, False as well when Redis is away."""
    began = clock()
    try:
        result = yield from exchange(Request(RESET_COUNT, (key,), ()), bound.deadline)
    except Fault as fault:
        _stand_in(bound, fault, clock() - began, ids)
        return False
    bound.recorder.operation("reset", None, clock() - began, ids)
    return bool(result.answer.values[0] or result.unsure)


def _stand_in(bound: Bound, fault: Fault, seconds: float, ids: tuple[object, ...]) -> Count:
    case = bound.case
    mistake = fault.error_class in MISTAKES
    outcome: CounterOutcome = (
        "error" if mistake else "unavailable" if case.failure == "closed" else "degraded"
    )
    bound.recorder.operation(outcome, fault.error_class, seconds, ids)
    return by_policy(case, fault, lambda: Count(case.fallback or 0, case.limit, None, degraded=True))


def step(by: int) -> int:
    """`by`, if it can be counted. Raises `TypeError` and `ValueError`."""
    if not isinstance(by, int) or isinstance(by, bool):
        raise TypeError(f"by= is a whole number, not {type(by).__name__}")
    if not 1 <= by <= MOST:
        raise ValueError(f"by= is from 1 to {MOST}, not {by}: a window counts upwards, and reset() ends it")
    # An Enum of whole numbers writes its name.
    return int(by)
