"""Coordination through Redis for asyncio: lock, claim, counter and signal, each by its registered use case.

What both worlds share (errors, results, telemetry) is in `redis_guard.runtime`.
"""

from redis_guard.runtime.aio.coordination import Coordination
from redis_guard.runtime.aio.lease import Lease, LostEvent
from redis_guard.runtime.aio.primitives import Counter, Lock, Signal

__all__ = ["Coordination", "Counter", "Lease", "Lock", "LostEvent", "Signal"]
