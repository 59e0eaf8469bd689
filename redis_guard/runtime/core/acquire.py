"""Taking a lock: try, queue up, try again when woken.

Law of this file: whoever is not given a lease leaves no lock behind; a lock that can never become free is told at once.
"""

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from redis_guard.runtime.core.bound import Bound
from redis_guard.runtime.core.exchange import Request, clean_up, exchange, latest_end
from redis_guard.runtime.core.lease import LockKeys, valid_until
from redis_guard.runtime.errors import LockStuck
from redis_guard.runtime.faults import Fault
from redis_guard.runtime.scripts import ACQUIRE, RELEASE
from redis_guard.runtime.steps import Clock, Enter, Leave, Pause, Steps

Callback: TypeAlias = Callable[[str], object]
"""Is told why a lease was lost."""

LONGEST_PAUSE: Final = 1.0
"""Seconds after which a waiter looks again unwoken: a holder that runs older code publishes nothing."""

LONGEST_WAIT: Final = 86_400
"""Seconds; an event cannot be waited for without end on every system."""

FENCE_LIFE_MS: Final = 24 * 3_600_000
FENCE_LIFE_TTLS: Final = 10


def seconds(wait: float | None) -> float | None:
    """A caller's own `wait`, if it is one. Raises `TypeError`, `ValueError`."""
    if wait is None:
        return None
    if isinstance(wait, bool) or not isinstance(wait, int | float):
        raise TypeError(f"wait= is a number of seconds, not {type(wait).__name__}")
    if not 0 <= wait <= LONGEST_WAIT:
        raise ValueError(f"wait= is from 0 to {LONGEST_WAIT} seconds, not {wait!r:.40}")
    return float(wait)


def callback(on_lost: Callback | None) -> Callback | None:
    """A caller's `on_lost`, if it can be called. Raises `TypeError`."""
    if on_lost is not None and not callable(on_lost):
        raise TypeError(f"on_lost= is a function of one argument, not {type(on_lost).__name__}")
    return on_lost


class Grant(NamedTuple):
    """A lock that was taken."""

    deadline: float
    fence: int | None
    server_offset: float
    """Seconds that the server's clock is ahead of the caller's, give or take a round trip."""
    took: float
    """Seconds that the last try took."""


class Contended(NamedTuple):
    """A lock that somebody else has."""

    left: float
    """Seconds that it may take until its key expires."""
    took: float
    """Seconds that the last try took."""


def try_once(bound: Bound, keys: LockKeys, token: str, *, clock: Clock) -> Steps[Grant | Contended]:
    """Take the lock now or not at all. Raises `Fault` and `LockStuck`."""
    case = bound.case
    began = clock()
    names = (keys.key,) if keys.fence is None else (keys.key, keys.fence)
    args: tuple[str | int, ...] = (token, bound.ttl_ms)
    if keys.fence is not None:
        args += (max(FENCE_LIFE_MS, FENCE_LIFE_TTLS * bound.ttl_ms),)
    try:
        result = yield from exchange(Request(ACQUIRE, names, args, case.replicas), bound.deadline)
    except Fault as fault:
        if fault.ambiguous:
            yield from _undo(bound, keys, token, until=fault.until)
        raise
    except BaseException:
        yield from _undo(bound, keys, token, until=latest_end(clock, bound.deadline))
        raise
    status, fence, left, now = result.answer.values
    if not status:
        if left < 0:
            raise LockStuck(bound.name)
        # A key still lives in the last millisecond of its lifetime, of which 0 are left.
        return Contended((left + 1) / 1000, clock() - began)
    if result.answer.replicas < case.replicas:
        yield from _undo(bound, keys, token)
        raise Fault("noreplicas", f"{result.answer.replicas} of {case.replicas} replicas have it")
    # What is left, not the whole ttl: a request that was given up long ago may have been what took the lock.
    deadline = valid_until(result.answer.sent_at, left / 1000)
    if (done := clock()) >= deadline:
        yield from _undo(bound, keys, token)
        raise Fault("timeout", "the ttl ran out while the lock was being taken")
    offset = now / 1_000_000 - result.answer.sent_at
    return Grant(deadline, fence if keys.fence is not None else None, offset, done - began)


def acquire(
    bound: Bound,
    keys: LockKeys,
    token: str,
    wait: float,
    *,
    clock: Clock,
    jitter: Callable[[], float],
    crowded: Callable[[bytes], bool],
) -> Steps[Grant | Contended]:
    """Take the lock within `wait` seconds. Raises `Fault` and `LockStuck`.

    `jitter` gives a factor around 1, `crowded` says whether others of this process wait for a channel: they go first.
    """
    until = clock() + wait
    if wait <= 0:
        return (yield from try_once(bound, keys, token, clock=clock))
    if not crowded(keys.channel):
        outcome = yield from try_once(bound, keys, token, clock=clock)
        if isinstance(outcome, Grant):
            return outcome
    ticket = yield Enter(keys.channel, until)
    if ticket is None:
        return Contended(0.0, 0.0)
    try:
        while True:
            # Again after the subscription too: what was published before it is not heard.
            outcome = yield from try_once(bound, keys, token, clock=clock)
            if isinstance(outcome, Grant) or clock() >= until:
                return outcome
            pause = min(outcome.left, LONGEST_PAUSE) * jitter()
            yield Pause(ticket, min(clock() + pause, until))
    finally:
        yield Leave(ticket)


def _undo(bound: Bound, keys: LockKeys, token: str, *, until: float = 0.0) -> Steps[bool]:
    request = Request(RELEASE, (keys.key,), (token, keys.channel))
    return clean_up(request, bound.deadline, until=until)
