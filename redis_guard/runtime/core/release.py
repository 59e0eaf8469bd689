"""Giving a lock back, handing it on, and taking it over.

Law of this file: giving back is done once and is harmless twice; of two who take over, one wins.
"""

from typing import Literal, NamedTuple

from redis_guard.runtime.core.bound import Bound
from redis_guard.runtime.core.exchange import Request, clean_up, exchange, latest_end
from redis_guard.runtime.core.lease import valid_until
from redis_guard.runtime.faults import Fault
from redis_guard.runtime.scripts import ADOPT, RELEASE
from redis_guard.runtime.steps import Clock, Steps


def release(
    bound: Bound, key: bytes, token: str, channel: bytes
) -> Steps[Literal["released", "perhaps", "lost"]]:
    """Delete the key if it is still this token's, and wake who waits. Raises `Fault`.

    "perhaps": the key was not there any more after a first try whose reply was lost.
    """
    result = yield from exchange(Request(RELEASE, (key,), (token, channel)), bound.deadline)
    if result.answer.values[0] == 1:
        return "released"
    return "perhaps" if result.unsure else "lost"


class Adopted(NamedTuple):
    """A lock that was taken over."""

    deadline: float
    sent_at: float
    server_now: int
    """The server's time in microseconds, a moment after `sent_at`."""


def adopt(bound: Bound, key: bytes, old: str, new: str, *, clock: Clock) -> Steps[Adopted | None]:
    """Swap the token `old` for `new`; None when it was not `old` that held the lock. Raises `Fault`."""
    try:
        result = yield from exchange(Request(ADOPT, (key,), (old, new)), bound.deadline)
    except Fault as fault:
        if fault.ambiguous:
            yield from _undo(bound, key, new, fault.until)
        raise
    except BaseException:
        yield from _undo(bound, key, new, latest_end(clock, bound.deadline))
        raise
    status, _, left, now = result.answer.values
    if not status:
        return None
    # The last try's own moment: `left` was read by the server after it.
    sent_at = result.answer.sent_at
    return Adopted(valid_until(sent_at, left / 1000), sent_at, now)


def _undo(bound: Bound, key: bytes, token: str, until: float) -> Steps[bool]:
    return clean_up(Request(RELEASE, (key,), (token, "")), bound.deadline, until=until)
