"""A lease as its holder knows it: until when it is certainly his, and what has ended it.

Law of this file: a lease is valid up to a moment on a clock that is never stepped, reckoned from before the request
was sent; nobody but the process that took it may use it.
"""

import os
from collections.abc import Callable
from math import inf
from typing import NamedTuple

from redis_guard.registry.keys import helper_key
from redis_guard.runtime.core.bound import Bound
from redis_guard.runtime.errors import ForeignProcess, LockLost
from redis_guard.runtime.steps import Clock

DRIFT_SHARE = 0.01
DRIFT = 0.002
"""Clocks of client and server may run apart by a hundredth of the ttl, and expiry is due to the millisecond."""

EXPIRED = "its ttl ran out while it was held"
HELD_TOO_LONG = "max_hold was reached"
HANDED_ON = "it was handed on"
STOLEN = "its key is gone or somebody else's: deleted, evicted, expired, or lost in a failover"
UNREACHABLE = "it could not be renewed in time"


def valid_until(sent_at: float, ttl: float) -> float:
    """The end of a lifetime of `ttl` seconds that began on the server no earlier than `sent_at`, drift taken off."""
    return sent_at + ttl - ttl * DRIFT_SHARE - DRIFT


class LockKeys(NamedTuple):
    """The keys and the channel of one lock."""

    key: bytes
    fence: bytes | None
    channel: bytes


def lock_keys(bound: Bound, key: bytes) -> LockKeys:
    """The keys that belong to the lock `key`."""
    return LockKeys(key, helper_key(key, "fence") if bound.case.fencing else None, key + b":wake")


class Holding:
    """The state of one lease; `Lease` of each world adds how to give it back and how to be told."""

    __slots__ = (
        "__weakref__",
        "acquired_at",
        "bound",
        "channel",
        "clock",
        "deadline",
        "degraded",
        "depth",
        "ended",
        "fence",
        "hold_until",
        "ids",
        "key",
        "lost_because",
        "on_lost",
        "owner",
        "pid",
        "released",
        "server_offset",
        "token",
        "turn",
    )

    def __init__(
        self,
        bound: Bound,
        keys: LockKeys,
        token: str,
        ids: tuple[object, ...],
        clock: Clock,
        *,
        deadline: float,
        fence: int | None,
        server_offset: float = 0.0,
        hold_until: float = inf,
        degraded: bool = False,
        on_lost: Callable[[str], object] | None = None,
    ) -> None:
        self.bound = bound
        self.key = keys.key
        self.channel = keys.channel
        self.ids = ids
        self.clock = clock
        self.token = token
        """What stands in the key while this lease holds it: random bytes, host and process."""
        self.fence = fence
        """A number higher than that of every earlier lease of this lock; None without `fencing: true`, or degraded."""
        self.degraded = degraded
        """Redis could not be asked, and the registry says to go on without it: nobody is kept out."""
        self.acquired_at = clock()
        self.deadline = deadline
        self.hold_until = hold_until
        self.on_lost = on_lost
        self.owner: object = None
        self.depth = 1
        self.ended = False
        self.released = False
        self.turn = [True]
        """Taken by who gives the lease back: of two who do at once, one."""
        self.server_offset = server_offset
        self.lost_because: str | None = None
        self.pid = os.getpid()

    def check(self) -> None:
        """Raise `LockLost` unless this lease is certainly still its holder's. No round trip; a degraded one passes."""
        if self.pid != os.getpid():
            raise ForeignProcess(self.bound.name)
        if self.lost_because is not None:
            raise LockLost(self.bound.name, self.lost_because)
        if self.ended:
            raise LockLost(self.bound.name, "it was released")
        if not self.degraded and self.clock() >= self.deadline:
            raise LockLost(self.bound.name, EXPIRED)

    @property
    def remaining(self) -> float:
        """Seconds for which it is certainly its holder's; 0 when it is lost or released, infinite when degraded."""
        if self.ended or self.lost_because is not None or self.pid != os.getpid():
            return 0.0
        return inf if self.degraded else max(0.0, self.deadline - self.clock())

    @property
    def valid(self) -> bool:
        """`check()` would pass."""
        return self.remaining > 0

    @property
    def over(self) -> bool:
        """It is lost, whether or not anybody has said so yet."""
        expired = not self.ended and not self.degraded and self.clock() >= self.deadline
        return self.lost_because is not None or expired

    @property
    def watched(self) -> bool:
        """It must be looked after from the start: renewed, or its holder called when it is lost."""
        return (self.bound.case.renew or self.on_lost is not None) and not self.degraded

    @property
    def at_its_longest(self) -> bool:
        """Its end is that of `max_hold`: no renewal can move it."""
        drift = self.bound.ttl * DRIFT_SHARE + DRIFT
        return self.hold_until - self.deadline <= 2 * drift

    def renewal_ms(self, now: float) -> int:
        """For how long to prolong it, in milliseconds: its ttl, but not beyond `max_hold`."""
        left = self.hold_until - now
        return self.bound.ttl_ms if left >= self.bound.ttl else max(1, int(left * 1000))

    def __repr__(self) -> str:
        state = "degraded" if self.degraded else f"{self.remaining:.3f} s left" if self.valid else "not valid"
        return f"<{type(self).__name__} of {self.bound.name}: {state}>"
