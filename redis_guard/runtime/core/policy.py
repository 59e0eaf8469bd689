"""What a caller gets when Redis fails him.

Law of this file: a mistake is raised whatever the policy; an outage is what the registry says of the use case.
"""

from collections.abc import Callable
from typing import TypeVar

from redis_guard.registry.model import UseCase
from redis_guard.runtime.errors import CoordinationError, CoordinationMistake, CoordinationUnavailable
from redis_guard.runtime.faults import MISTAKES, Fault

T = TypeVar("T")


def by_policy(case: UseCase, fault: Fault, degraded: Callable[[], T]) -> T:
    """The degraded result, or raises `CoordinationUnavailable` or `CoordinationMistake`."""
    if fault.error_class in MISTAKES or case.failure == "closed":
        raise unavailable(case, fault) from fault
    return degraded()


def unavailable(case: UseCase, fault: Fault) -> CoordinationError:
    """What to raise where nothing can stand in."""
    if fault.error_class in MISTAKES:
        return CoordinationMistake(case.name, fault.error_class, fault.detail)
    return CoordinationUnavailable(case.name, fault.error_class, fault.detail)


def at_start(fault: Fault) -> CoordinationError:
    """What to raise when the first connection fails: no use case is concerned, and no policy applies."""
    kind = CoordinationMistake if fault.error_class in MISTAKES else CoordinationUnavailable
    return kind("any", fault.error_class, fault.detail)
