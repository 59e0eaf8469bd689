"""The first reply to a release is lost, and the second try finds no key: was it the first, or had the lease ended?"""

import pytest

from redis_guard.runtime.core.bound import Bound
from redis_guard.runtime.core.holders import Holders
from redis_guard.runtime.core.lease import Holding, lock_keys
from redis_guard.runtime.core.locking import Locking
from redis_guard.runtime.errors import LockLost
from redis_guard.runtime.faults import Fault
from redis_guard.runtime.steps import Answer
from redis_guard.runtime.telemetry import NoTelemetry
from tests.runtime.worlds import registry

NO_KEY = [-1, 0, 0, 1_000_000]


def give_back(*, ended_before: bool) -> None:
    """Release a lease that ends at 10; the first try gets no reply."""
    case = registry(job_lock={"primitive": "lock", "ttl": "10s"}).use_cases["job_lock"]
    now = 11.0 if ended_before else 9.0
    bound = Bound.of(case, NoTelemetry())
    lease = Holding(bound, lock_keys(bound, b"key"), "token", ("1",), lambda: now, deadline=10.0, fence=None)
    locking = Locking(Holding, Holders(), lambda: now, lambda: 1.0, lambda channel: False)
    locking.holders.add(lease, "thread")
    steps = locking.give_back(lease, failing=False, at_exit=False)
    next(steps)
    steps.throw(Fault("timeout", sent_at=now, until=now))
    steps.send(None)
    with pytest.raises(StopIteration):
        steps.send(Answer(NO_KEY, now))


def test_a_lease_that_was_good_was_released() -> None:
    give_back(ended_before=False)


def test_the_holder_of_a_lease_that_had_ended_is_told() -> None:
    with pytest.raises(LockLost, match="ttl ran out"):
        give_back(ended_before=True)
