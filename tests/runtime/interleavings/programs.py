"""What processes do: take locks, hand them on, claim, count.

Law of this file: the core is called as the drivers call it; a program notes what its caller may believe and no more.
"""

from redis_guard.runtime.core.claim import claim
from redis_guard.runtime.core.counter import increment
from redis_guard.runtime.core.handover import Handover
from redis_guard.runtime.core.lease import Holding
from redis_guard.runtime.core.watch import look_after
from redis_guard.runtime.errors import CoordinationError, CoordinationUnavailable, LockLost
from redis_guard.runtime.steps import Steps
from tests.runtime.interleavings.process import Cancelled, Desk, Fetch, Look, Program, Work


def holder(*tokens: str, wait: float = 0.0, renewed: bool = False) -> Program:
    """Take the lock, work, give it back; once for each token."""

    def run(desk: Desk) -> Steps[None]:
        for token in tokens:
            lease = yield from taken(desk, token, wait)
            if lease is not None:
                if renewed:
                    desk.watch.add(lease, desk.clock())
                yield from worked(desk, lease)

    return run


def taken(desk: Desk, token: str, wait: float) -> Steps[Holding | None]:
    """A lease, or None whatever was in the way."""
    bound = desk.bounds["lock"]
    key = bound.keys.key(1)
    desk.wants(key, token)
    try:
        lease: Holding | None = yield from desk.locking.take(bound, key, (1,), token, token, wait, None)
    except (CoordinationError, Cancelled) as error:
        desk.done(token)
        desk.says(f"{token} is not taken: {_told(error)}")
        return None
    if lease is None:
        desk.done(token)
        desk.says(f"{token} is not taken: somebody else has the lock")
        return None
    desk.leases.append(lease)
    degraded = ", degraded" if lease.degraded else f" until {lease.deadline * 1000:g} ms, fence {lease.fence}"
    desk.says(f"{token} is taken{degraded}")
    return lease


def worked(desk: Desk, lease: Holding) -> Steps[None]:
    """The protected work, and giving back."""
    failing = False
    try:
        yield Work()  # type: ignore[misc]  # a step of programs alone
    except Cancelled:
        failing = True
    try:
        yield from desk.locking.give_back(lease, failing=failing, at_exit=True)
        desk.says(f"{lease.token} is given back")
    except (CoordinationError, Cancelled) as error:
        desk.says(f"{lease.token} is given back: {_told(error)}")
    desk.done(lease.token)


def watchdog(desk: Desk) -> Steps[None]:
    """Renew the leases of the process."""
    while True:
        yield Look()  # type: ignore[misc]
        leases = desk.watch.due(desk.clock())
        going_on = yield from look_after(
            leases, lambda lease: desk.says(f"{lease.token} is lost: {lease.lost_because}")
        )
        for lease, failed in going_on:
            desk.says(
                f"{lease.token} " + ("is not renewed" if failed else f"until {lease.deadline * 1000:g} ms")
            )
            desk.watch.back(lease, desk.clock(), failed=failed)


def exporter(token: str) -> Program:
    """Take the lock, work, and hand the lease on."""

    def run(desk: Desk) -> Steps[None]:
        lease = yield from taken(desk, token, 0.0)
        if lease is None:
            return
        try:
            yield Work()  # type: ignore[misc]
        except Cancelled:
            yield from desk.locking.give_back(lease, failing=True, at_exit=True)
            desk.done(token)
            return
        try:
            desk.handed = desk.locking.hand_on(lease)
            desk.done(token, "kept")
            desk.says(f"{token} is handed on")
        except LockLost as lost:
            desk.says(f"{token} cannot be handed on: {lost.reason}")
            yield from worked(desk, lease)

    return run


def adopter(token: str) -> Program:
    """Take over what was handed on, work, give it back."""

    def run(desk: Desk) -> Steps[None]:
        text = yield Fetch()  # type: ignore[misc]
        handover = Handover.read(text)
        desk.wants(handover.key, token)
        try:
            lease = yield from desk.locking.take_over(desk.bounds["lock"], handover, token, token)
        except (CoordinationError, Cancelled) as error:
            desk.done(token)
            desk.says(f"{token} is not taken over: {_told(error)}")
            return
        desk.leases.append(lease)
        desk.adopted.add(token)
        desk.says(f"{token} is taken over until {lease.deadline * 1000:g} ms")
        yield from worked(desk, lease)

    return run


def claimant(*tokens: str) -> Program:
    """Claim, once for each token; one that begins with `by:` is a name that comes back."""

    def run(desk: Desk) -> Steps[None]:
        bound = desk.bounds["claim"]
        key = bound.keys.key(1)
        for token in tokens:
            named = token.startswith("by:")
            desk.wants(key, token)
            try:
                result = yield from claim(bound, key, token, named=named, clock=desk.clock, ids=(1,))
            except (CoordinationError, Cancelled) as error:
                desk.done(token, "kept" if named else "done")
                desk.says(f"{token}: {_told(error)}")
                continue
            desk.done(token, "kept" if named or result.accepted else "done")
            if result.accepted and not result.degraded and (key, token) not in desk.accepted:
                desk.accepted.append((key, token))
            desk.says(f"{token} is {'accepted' if result.accepted else f'refused, {result.holder} has it'}")

    return run


def counting(*steps: int) -> Program:
    """Count each of the steps, which are powers of ten."""

    def run(desk: Desk) -> Steps[None]:
        bound = desk.bounds["counter"]
        key = bound.keys.key(1)
        for step in steps:
            desk.counted[step] = "asked"
            try:
                count = yield from increment(bound, key, step, desk.clock, (1,))
                desk.counted[step] = "unknown" if count.degraded else "counted"
            except CoordinationUnavailable as error:
                desk.counted[step] = "unknown" if error.error_class == "ambiguous" else "not counted"
            except (CoordinationError, Cancelled):
                desk.counted[step] = "unknown"
            desk.says(f"the count of {step} is {desk.counted[step]}")

    return run


def _told(error: BaseException) -> str:
    if isinstance(error, LockLost):
        return f"lost, {error.reason}"
    if isinstance(error, CoordinationUnavailable):
        return f"unavailable, {error.error_class}"
    return type(error).__name__
