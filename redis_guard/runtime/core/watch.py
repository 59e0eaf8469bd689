"""Which leases are due for renewal, and what comes of it.

Law of this file: a lease is held weakly, so that one which its holder dropped is not renewed for ever; a holder is
told as soon as the lease is not certainly his any more.
"""

import heapq
import weakref
from collections.abc import Callable, Iterable
from itertools import count
from math import inf

from redis_guard.runtime.core.exchange import Request
from redis_guard.runtime.core.lease import EXPIRED, HELD_TOO_LONG, STOLEN, UNREACHABLE, Holding, valid_until
from redis_guard.runtime.faults import MISTAKES, Fault
from redis_guard.runtime.outcomes import LockOutcome
from redis_guard.runtime.scripts import LATE, RENEW
from redis_guard.runtime.steps import Answer, Batch, Send, Steps

SHARE = 1 / 3
"""Of the ttl: how long a lease is left alone."""
RETRY_SHARE = 1 / 12
"""Of the ttl: after a renewal that failed."""
TRY_SHARE = 1 / 2
"""Of what is left: how long one renewal may take at most, so that a reply which never comes leaves time for another."""


class Watch:
    """Leases and when to look at them next. Not safe for threads: its owner locks."""

    def __init__(self, jitter: Callable[[], float]) -> None:
        self._jitter = jitter
        self._due: list[tuple[float, int, weakref.ref[Holding]]] = []
        self._order = count()

    def add(self, lease: Holding, now: float) -> bool:
        """Look after `lease`; whether it is due before all others, so that a sleeper must be woken."""
        return self._push(lease, self._next(lease, now))

    def next_at(self) -> float:
        """When the next lease is due; infinite if none is."""
        while self._due and _over(self._due[0][2]()):
            heapq.heappop(self._due)
        return self._due[0][0] if self._due else inf

    def due(self, now: float) -> list[Holding]:
        """The leases that are due by now; each must be put `back`."""
        found: list[Holding] = []
        while self._due and self._due[0][0] <= now:
            lease = heapq.heappop(self._due)[2]()
            if lease is not None and not _over(lease):
                found.append(lease)
        return found

    def back(self, lease: Holding, now: float, *, failed: bool) -> None:
        """`lease` has been looked at; look again in time."""
        if not _over(lease):
            soon = now + lease.bound.ttl * RETRY_SHARE * self._jitter()
            self._push(lease, min(soon, lease.deadline) if failed else self._next(lease, now))

    def _next(self, lease: Holding, now: float) -> float:
        if not lease.bound.case.renew or lease.at_its_longest:
            return lease.deadline
        # Counted from what is left: an adopted lease may be near its end.
        left = lease.deadline - now
        return now + max(0.0, left - lease.bound.ttl * (1 - SHARE * self._jitter()))

    def _push(self, lease: Holding, at: float) -> bool:
        heapq.heappush(self._due, (at, next(self._order), weakref.ref(lease)))
        return self._due[0][0] == at


def _over(lease: Holding | None) -> bool:
    return lease is None or lease.ended or lease.lost_because is not None


def look_after(
    leases: Iterable[Holding], told: Callable[[Holding], object]
) -> Steps[list[tuple[Holding, bool]]]:
    """Renew what can be renewed, in one go; call `told` for each lease that is lost.

    Gives the leases that go on, each with whether its renewal failed this time.
    """
    renewing: list[tuple[Holding, Send]] = []
    for lease in leases:
        now = lease.clock()
        if lease.deadline <= now:
            renewed = UNREACHABLE if lease.bound.case.renew else EXPIRED
            _lose(lease, HELD_TOO_LONG if lease.at_its_longest else renewed, told)
        elif lease.bound.case.renew and not lease.at_its_longest:
            request = Request(RENEW, (lease.key,), (lease.token, lease.renewal_ms(now)))
            budget = min(lease.bound.deadline, TRY_SHARE * (lease.deadline - now))
            renewing.append((lease, Send(request.script, request.keys, request.args, budget, patient=False)))
    if not renewing:
        return []
    answers: list[Answer | Fault] = yield Batch(tuple(send for _, send in renewing))
    going_on: list[tuple[Holding, bool]] = []
    for (lease, send), answer in zip(renewing, answers, strict=True):
        if _over(lease):
            continue
        if isinstance(answer, Fault):
            record = lease.bound.recorder.operation
            outcome: LockOutcome = "error" if answer.error_class in MISTAKES else "unavailable"
            record(outcome, answer.error_class, lease.bound.deadline, lease.ids)
            going_on.append((lease, True))
        elif answer.values[0] == LATE:
            going_on.append((lease, True))
        elif answer.values[0] == 1:
            lease.deadline = valid_until(answer.sent_at, int(send.args[1]) / 1000)
            lease.server_offset = answer.values[3] / 1_000_000 - answer.sent_at
            lease.bound.recorder.operation("renewed", None, lease.clock() - answer.sent_at, lease.ids)
            going_on.append((lease, False))
        else:
            _lose(lease, STOLEN, told)
    return going_on


def _lose(lease: Holding, reason: str, told: Callable[[Holding], object]) -> None:
    lease.lost_because = reason
    lease.bound.recorder.operation("lost", None, 0.0, lease.ids)
    told(lease)
