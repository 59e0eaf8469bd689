"""Coordination through Redis: lock, claim, counter and signal, each by its registered use case.

For asyncio, import `Coordination` from `redis_guard.runtime.aio`.
"""

from redis_guard.registry import Registry, RegistryError
from redis_guard.registry.keys import IdentifierError
from redis_guard.runtime.coordination import Coordination
from redis_guard.runtime.core.claim import Claim
from redis_guard.runtime.core.counter import Count
from redis_guard.runtime.core.signal import Sent, Wake
from redis_guard.runtime.errors import (
    AlreadyHeld,
    CoordinationError,
    CoordinationMistake,
    CoordinationUnavailable,
    ForeignProcess,
    LockLost,
    LockNotAcquired,
    LockStuck,
    UnregisteredUseCase,
    WrongInstance,
    WrongPrimitive,
)
from redis_guard.runtime.observing import observe
from redis_guard.runtime.sync.lease import Lease, LostEvent
from redis_guard.runtime.sync.primitives import Counter, Lock, Signal
from redis_guard.runtime.telemetry import LoggingTelemetry, NoTelemetry, Telemetry, several

__all__ = [
    "AlreadyHeld",
    "Claim",
    "Coordination",
    "CoordinationError",
    "CoordinationMistake",
    "CoordinationUnavailable",
    "Count",
    "Counter",
    "ForeignProcess",
    "IdentifierError",
    "Lease",
    "Lock",
    "LockLost",
    "LockNotAcquired",
    "LockStuck",
    "LoggingTelemetry",
    "LostEvent",
    "NoTelemetry",
    "Registry",
    "RegistryError",
    "Sent",
    "Signal",
    "Telemetry",
    "UnregisteredUseCase",
    "Wake",
    "WrongInstance",
    "WrongPrimitive",
    "observe",
    "several",
]
