"""A lock from the caller's side: taken, entered again, given back, handed on, taken over.

Law of this file: every path is counted once and ends by the registered policy; giving back never hides an error that
is already on its way.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Generic, TypeVar

from redis_guard.runtime.core.acquire import Contended, acquire
from redis_guard.runtime.core.bound import Bound
from redis_guard.runtime.core.exchange import Request, clean_up
from redis_guard.runtime.core.handover import Handover
from redis_guard.runtime.core.holders import Holders
from redis_guard.runtime.core.lease import EXPIRED, HANDED_ON, STOLEN, Holding, LockKeys, lock_keys
from redis_guard.runtime.core.policy import by_policy, unavailable
from redis_guard.runtime.core.release import adopt, release
from redis_guard.runtime.errors import ForeignProcess, LockLost, LockStuck
from redis_guard.runtime.faults import MISTAKES, Fault
from redis_guard.runtime.outcomes import LockOutcome
from redis_guard.runtime.scripts import RELEASE
from redis_guard.runtime.steps import Clock, Steps

HoldingT = TypeVar("HoldingT", bound=Holding)


@dataclass(frozen=True, slots=True)
class Locking(Generic[HoldingT]):
    """What taking and giving back need of their process."""

    kind: type[HoldingT]
    holders: Holders
    clock: Clock
    jitter: Callable[[], float]
    crowded: Callable[[bytes], bool]

    def take(
        self,
        bound: Bound,
        key: bytes,
        ids: tuple[object, ...],
        token: str,
        owner: object,
        wait: float,
        on_lost: Callable[[str], object] | None,
    ) -> Steps[HoldingT | None]:
        """A lease, or None when somebody else has the lock for longer than `wait` seconds."""
        record = bound.recorder.operation
        again = self.holders.reenter(bound, key, owner, self.kind)
        if again is not None:
            record("reentered", None, 0.0, ids)
            return again
        began = self.clock()
        keys = lock_keys(bound, key)
        try:
            outcome = yield from acquire(
                bound, keys, token, wait, clock=self.clock, jitter=self.jitter, crowded=self.crowded
            )
        except LockStuck:
            record("stuck", None, self.clock() - began, ids)
            raise
        except Fault as fault:
            record(_failed(bound, fault), fault.error_class, self.clock() - began, ids)
            lease = by_policy(bound.case, fault, lambda: self._degraded(bound, keys, ids, token, on_lost))
        else:
            if wait > 0 and (waited := self.clock() - began) > outcome.took:
                bound.recorder.lock_wait(waited)
            if isinstance(outcome, Contended):
                record("contended", None, outcome.took, ids)
                return None
            record("acquired", None, outcome.took, ids)
            hold = bound.case.max_hold_ms
            lease = self.kind(
                bound,
                keys,
                token,
                ids,
                self.clock,
                deadline=outcome.deadline,
                fence=outcome.fence,
                server_offset=outcome.server_offset,
                hold_until=began + hold / 1000 if hold else inf,
                on_lost=on_lost,
            )
        self.holders.add(lease, owner)
        return lease

    def give_back(self, lease: Holding, *, failing: bool, at_exit: bool) -> Steps[None]:
        """Release `lease`, once. `failing`: another error is on its way, which nothing here may hide.

        `at_exit`: the block is over, so that a server which cannot be reached is no news to a caller whose lease was
        good to the end. Raises `LockLost`, `ForeignProcess`, `CoordinationUnavailable`, `CoordinationMistake`.
        """
        if lease.pid != os.getpid():
            if failing:
                return
            raise ForeignProcess(lease.bound.name)
        if lease.released:
            return
        if lease.depth > 1:
            lease.depth -= 1
            return
        try:
            lease.turn.pop()
        except IndexError:
            # Somebody else is giving it back just now, and is told what comes of it.
            return
        try:
            yield from self._give_back(lease, failing=failing, at_exit=at_exit)
        finally:
            lease.turn.append(True)

    def _give_back(self, lease: Holding, *, failing: bool, at_exit: bool) -> Steps[None]:
        if lease.released:
            return
        good = lease.valid
        bound, clock = lease.bound, lease.clock
        if not lease.ended:
            lease.ended = True
            self.holders.remove(lease)
        began = clock()
        try:
            result = yield from release(bound, lease.key, lease.token, lease.channel)
        except Fault as fault:
            bound.recorder.operation(_failed(bound, fault), fault.error_class, clock() - began, lease.ids)
            if lease.lost_because is not None and not failing:
                raise LockLost(bound.name, lease.lost_because) from fault
            mistake = fault.error_class in MISTAKES
            tolerated = lease.degraded or bound.case.failure == "open" or (at_exit and good)
            if failing or (tolerated and not mistake):
                return
            raise unavailable(bound.case, fault) from fault
        except BaseException:
            undo = Request(RELEASE, (lease.key,), (lease.token, lease.channel))
            yield from clean_up(undo, bound.deadline)
            raise
        lease.released = True
        lost = lease.lost_because
        if lost is None and not lease.degraded:
            # Whoever finds nothing after a lost reply has most likely released it himself: never a false "lost". But
            # a lease that was over before that is not good for the sake of a doubt.
            lost = STOLEN if result == "lost" else EXPIRED if result == "perhaps" and not good else None
        if lost is not None:
            if lease.lost_because is None:
                bound.recorder.operation("lost", None, clock() - began, lease.ids)
                lease.lost_because = lost
            if not failing:
                raise LockLost(bound.name, lost)
            return
        bound.recorder.operation("released", None, clock() - began, lease.ids)

    def withdraw(self, bound: Bound, key: bytes, token: str, owner: object) -> Steps[None]:
        """Undo what took a lock for `token` and was struck by an interrupt before anybody had the lease."""
        self.holders.withdrawn(key, owner, token)
        undo = Request(RELEASE, (key,), (token, lock_keys(bound, key).channel))
        yield from clean_up(undo, bound.deadline)

    def hand_on(self, lease: HoldingT) -> str:
        """The text by which another process takes `lease` over; it is not its holder's any more. Raises `LockLost`."""
        lease.check()
        if lease.degraded:
            raise LockLost(lease.bound.name, "a degraded lease holds nothing that could be handed on")
        text = Handover.of(lease).text()
        lease.ended = lease.released = True
        lease.lost_because = HANDED_ON
        self.holders.remove(lease)
        return text

    def take_over(
        self,
        bound: Bound,
        handover: Handover,
        token: str,
        owner: object,
        on_lost: Callable[[str], object] | None = None,
    ) -> Steps[HoldingT]:
        """The lease that was handed on. Raises `LockLost` if it is over, or somebody else has taken it over."""
        began = self.clock()
        try:
            adopted = yield from adopt(bound, handover.key, handover.token, token, clock=self.clock)
        except Fault as fault:
            bound.recorder.operation(_failed(bound, fault), fault.error_class, self.clock() - began, ())
            # Whoever hands on relies on the lock: there is nothing that could stand in for it.
            raise unavailable(bound.case, fault) from fault
        if adopted is None:
            bound.recorder.operation("lost", None, self.clock() - began, ())
            raise LockLost(bound.name, "it expired, or somebody else has taken it over")
        offset = adopted.server_now / 1_000_000 - adopted.sent_at
        # A stranger may have written the text: nobody holds it for longer than the registry says.
        hold = bound.case.max_hold_ms
        longest = began + hold / 1000 if hold else inf
        lease = self.kind(
            bound,
            lock_keys(bound, handover.key),
            token,
            (),
            self.clock,
            deadline=adopted.deadline,
            fence=handover.fence,
            server_offset=offset,
            hold_until=longest if handover.hold_until is None else min(handover.hold_until - offset, longest),
            on_lost=on_lost,
        )
        bound.recorder.operation("acquired", None, self.clock() - began, ())
        self.holders.add(lease, owner)
        return lease

    def _degraded(
        self,
        bound: Bound,
        keys: LockKeys,
        ids: tuple[object, ...],
        token: str,
        on_lost: Callable[[str], object] | None,
    ) -> HoldingT:
        return self.kind(
            bound, keys, token, ids, self.clock, deadline=inf, fence=None, degraded=True, on_lost=on_lost
        )


def _failed(bound: Bound, fault: Fault) -> LockOutcome:
    if fault.error_class in MISTAKES:
        return "error"
    return "unavailable" if bound.case.failure == "closed" else "degraded"
