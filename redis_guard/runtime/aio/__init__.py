"""Coordination through Redis for asyncio: lock, claim, counter and signal, each by its registered use case.

Errors and telemetry, which both worlds share, are in `redis_guard.runtime`.
"""

from redis_guard.runtime.aio.coordination import Coordination
from redis_guard.runtime.aio.lease import Lease, LostEvent
from redis_guard.runtime.aio.primitives import Counter, Lock, Signal
from redis_guard.runtime.core.claim import Claim
from redis_guard.runtime.core.counter import Count
from redis_guard.runtime.core.signal import Sent, Wake

__all__ = [
    "Claim",
    "Coordination",
    "Count",
    "Counter",
    "Lease",
    "Lock",
    "LostEvent",
    "Sent",
    "Signal",
    "Wake",
]
