"""Leases that run on without a clock that does.

Law of this file: a lease is what it would be if so much time had passed.
"""

from redis_guard.runtime.core.lease import Holding


def age_lease(lease: Holding, seconds: float) -> None:
    """Move all its moments into the past."""
    lease.acquired_at -= seconds
    lease.deadline -= seconds
    lease.hold_until -= seconds
