"""Leases that run on without a clock that does.

Law of this file: a lease is what it would be if so much time had passed.
"""

from redis_guard.runtime.core.lease import Holding


def age_lease(lease: Holding, seconds: float) -> None:
    """Move all its moments into the past."""
    lease.acquired_at -= seconds
    lease.deadline -= seconds
    lease.hold_until -= seconds


def watched(lease: Holding) -> bool:
    """The watchdog looks after it, or somebody may be waiting to be told."""
    told = lease.on_lost is not None or getattr(lease, "_lost", None) is not None
    return not lease.degraded and (lease.bound.case.renew or told)
