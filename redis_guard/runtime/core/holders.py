"""Which thread or task of this process holds which lock.

Law of this file: a holder is told of itself at once; it never waits for itself. Leases are known weakly: a lease that
its holder dropped is nobody's.
"""

import os
import weakref
from typing import TypeVar

from redis_guard.runtime.core.bound import Bound
from redis_guard.runtime.core.lease import EXPIRED, Holding
from redis_guard.runtime.errors import AlreadyHeld, LockLost

HoldingT = TypeVar("HoldingT", bound=Holding)


class Holders:
    """The leases of one process, by lock and by the thread object or task that took them."""

    __slots__ = ("_leases",)

    def __init__(self) -> None:
        self._leases: dict[tuple[bytes, object], weakref.ref[Holding]] = {}

    def reenter(self, bound: Bound, key: bytes, owner: object, kind: type[HoldingT]) -> HoldingT | None:
        """The lease that `owner` has on `key` and may enter again; None if it has none.

        Raises `AlreadyHeld` where the registry does not say `reentrant: true`, `LockLost` if the lease is over.
        """
        known = self._leases.get((key, owner))
        lease = known() if known else None
        if lease is None or lease.ended or not isinstance(lease, kind):
            return None
        if not bound.case.reentrant:
            if not lease.valid:
                # It would be told so at its own exit; the lock may be taken anew.
                return None
            raise AlreadyHeld(
                bound.name,
                "this thread or task holds the lock already; pass the lease on, or register it as reentrant: true",
            )
        if not lease.valid:
            raise LockLost(bound.name, lease.lost_because or EXPIRED)
        lease.depth += 1
        return lease

    def add(self, lease: Holding, owner: object) -> None:
        """`owner` has taken `lease`."""
        lease.owner = owner
        self._leases[lease.key, owner] = weakref.ref(lease)
        if not lease.degraded:
            lease.bound.recorder.leases(1)

    def remove(self, lease: Holding) -> None:
        """`lease` has come to its end: released, handed on, or dropped."""
        known = self._leases.get((lease.key, lease.owner))
        # Another lease may have followed one that was lost; a dropped one is not reachable any more.
        if known is not None and known() in (lease, None):
            self._leases.pop((lease.key, lease.owner), None)
        if not lease.degraded:
            lease.bound.recorder.leases(-1)
            lease.bound.recorder.lock_held(lease.clock() - lease.acquired_at)

    def dropped(self, lease: Holding) -> None:
        """Its holder has let go of `lease` without giving it back; it expires by itself."""
        if not lease.ended and lease.pid == os.getpid():
            lease.ended = True
            self.remove(lease)

    def withdrawn(self, key: bytes, owner: object, token: str) -> None:
        """The lease of that token, if it came to be, reached nobody."""
        known = self._leases.get((key, owner))
        lease = known() if known else None
        if lease is not None and lease.token == token and not lease.ended:
            lease.ended = lease.released = True
            self.remove(lease)

    def forget(self) -> None:
        """After a fork: nothing here is this process's."""
        self._leases.clear()
