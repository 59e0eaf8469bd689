"""A failure that a test asks for is met by the registered policy, as a real one would be."""

import pytest

from redis_guard.runtime import CoordinationMistake, CoordinationUnavailable, LockLost, UnregisteredUseCase
from redis_guard.runtime.faults import ERROR_CLASSES, MISTAKES, ErrorClass
from tests.testing.conftest import Make
from tests.testing.kinds import Subject


@pytest.mark.parametrize("error_class", ERROR_CLASSES)
def test_what_is_closed_raises_with_the_class_that_was_asked_for(make: Make, error_class: ErrorClass) -> None:
    coordination = make()
    expected = CoordinationMistake if error_class in MISTAKES else CoordinationUnavailable

    with coordination.fail(error_class) as failure:
        with pytest.raises(expected) as lock, coordination.lock("job_lock", 7):
            pass
        with pytest.raises(expected) as claim:
            coordination.claim("batch_claim", 1)
        with pytest.raises(expected) as counter:
            coordination.counter("hits", 1).increment()
        with pytest.raises(expected) as signal:
            coordination.signal("group_changed", "eu").send()

    raised = {error.value.error_class for error in (lock, claim, counter, signal)}
    assert raised == {error_class}
    assert failure.met >= 4
    assert coordination.lock("job_lock", 7).try_acquire()


@pytest.mark.parametrize("error_class", [each for each in ERROR_CLASSES if each not in MISTAKES])
def test_what_is_open_goes_on_degraded(make: Make, error_class: ErrorClass) -> None:
    coordination = make()

    with coordination.fail(error_class):
        with coordination.lock("open_lock", 7) as lease:
            assert lease.degraded
            lease.check()
        claim = coordination.claim("open_claim", 1)
        assert claim and claim.degraded
        count = coordination.counter("soft_hits", 1).increment()
        assert (count.value, count.degraded) == (7, True)
        assert coordination.signal("changed").send().degraded

    with coordination.lock("open_lock", 7) as lease:
        assert not lease.degraded


def test_a_lost_reply_leaves_the_work_done(make: Make) -> None:
    coordination = make()
    with coordination.fail("ambiguous", times=1), pytest.raises(CoordinationUnavailable):
        coordination.counter("hits", 1).increment()

    assert coordination.counter("hits", 1).value() == 1


def test_a_claim_whose_reply_is_lost_is_found_again_by_its_claimant(make: Make) -> None:
    coordination = make()
    with coordination.fail("ambiguous"), pytest.raises(CoordinationUnavailable):
        coordination.claim("batch_claim", 1, by="worker")

    assert not coordination.claim("batch_claim", 1, by="somebody else")
    assert coordination.claim("batch_claim", 1, by="worker")


def test_a_failure_ends_after_so_many_requests(make: Make) -> None:
    coordination = make()
    coordination.fail("oom", times=2)

    for _ in range(2):
        with pytest.raises(CoordinationUnavailable):
            coordination.claim("batch_claim", 1)

    assert coordination.claim("batch_claim", 1)


def test_heal_ends_all_failures(make: Make) -> None:
    coordination = make()
    coordination.fail("busy")
    coordination.fail("timeout")
    coordination.heal()

    assert coordination.claim("batch_claim", 1)


def test_a_failure_may_concern_a_primitive_or_a_use_case(make: Make) -> None:
    coordination = make()

    with coordination.fail("timeout", primitive="claim"):
        assert coordination.counter("hits", 1).increment()
        with pytest.raises(CoordinationUnavailable):
            coordination.claim("batch_claim", 1)
    coordination.fail("timeout", use_case="raw_lock")
    with coordination.lock("job_lock", 7), pytest.raises(CoordinationUnavailable):
        coordination.lock("raw_lock", "{7}").try_acquire()
    with coordination.fail("timeout", use_case="group_changed"):
        assert not coordination.signal("changed").send().degraded
        with pytest.raises(CoordinationUnavailable):
            coordination.signal("group_changed", "eu").send()


def test_only_the_one_that_was_asked_fails(make: Make) -> None:
    one, other = make(), make()
    one.fail("connection")

    assert other.claim("batch_claim", 1)


def test_a_start_fails_as_well(make: Make) -> None:
    coordination = make()
    with coordination.fail("auth"), pytest.raises(CoordinationMistake):
        coordination.start()
    with coordination.fail("auth", primitive="lock"):
        assert coordination.start() is coordination


def test_a_renewal_that_fails_for_too_long_loses_the_lease(memory: Subject) -> None:
    with memory.lock("renewed_lock", 1) as lease:
        with memory.fail("connection"):
            memory.advance(6)
            lease.check()
        memory.advance(2)
        lease.check()

    lease = memory.lock("renewed_lock", 1).try_acquire()
    assert lease
    with memory.fail("connection"):
        memory.advance(6)
        memory.advance(6)
    with pytest.raises(LockLost, match="it could not be renewed in time"):
        lease.check()


def test_what_cannot_be_asked_for_is_told(memory: Subject) -> None:
    with pytest.raises(ValueError, match='no error class "slow"; there are timeout, connection'):
        memory.fail("slow")
    with pytest.raises(ValueError, match='no primitive "queue"; there are lock, claim'):
        memory.fail("timeout", primitive="queue")
    with pytest.raises(UnregisteredUseCase, match="did you mean job_lock"):
        memory.fail("timeout", use_case="job_lok")
    with pytest.raises(ValueError, match="times= is 1 or more"):
        memory.fail("timeout", times=0)
