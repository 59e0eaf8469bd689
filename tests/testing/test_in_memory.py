"""What is in memory behaves as what is on a server; only it can let time pass at once."""

import threading
from queue import SimpleQueue

import pytest

from redis_guard.registry import Registry
from redis_guard.runtime import AlreadyHeld, LockLost, LockNotAcquired, Wake
from tests.testing.conftest import Make
from tests.testing.kinds import Kinds, Subject


def test_a_lock_has_one_holder_at_a_time(make: Make) -> None:
    one, other = make(), make()

    with one.lock("job_lock", 7) as lease:
        assert 9 < lease.remaining < 10
        assert other.lock("job_lock", 7).try_acquire() is None
        with pytest.raises(LockNotAcquired), other.lock("job_lock", 7, wait=0):
            pass
        with pytest.raises(AlreadyHeld):
            one.lock("job_lock", 7).try_acquire()
    with other.lock("job_lock", 7) as later:
        assert lease.fence is not None
        assert later.fence is not None
        assert later.fence > lease.fence


def test_a_waiter_is_woken_by_the_release(make: Make) -> None:
    one, other = make(), make()
    taken: SimpleQueue[bool] = SimpleQueue()
    lease = one.lock("job_lock", 7).try_acquire()
    assert lease

    def wait() -> None:
        with other.lock("job_lock", 7):
            taken.put(True)

    thread = threading.Thread(target=wait)
    thread.start()
    assert taken.empty()
    lease.release()

    assert taken.get(timeout=10)
    thread.join()


def test_a_claim_is_accepted_once_and_again_for_the_same_claimant(make: Make) -> None:
    one, other = make(), make()

    assert one.claim("batch_claim", 1, by="worker-1")
    assert other.claim("batch_claim", 1, by="worker-1")
    refused = other.claim("batch_claim", 1)

    assert not refused
    assert refused.holder == "worker-1"


def test_a_counter_counts_reads_and_ends(make: Make) -> None:
    counter = make().counter("hits", "account")

    assert [counter.increment().exceeded for _ in range(3)] == [False, False, True]
    assert counter.value() == 3
    assert counter.reset()
    assert counter.value() == 0


def test_a_signal_wakes_whoever_listens(make: Make) -> None:
    one, other = make(), make()
    heard: SimpleQueue[Wake] = SimpleQueue()

    def listen() -> None:
        for wake in one.signal("group_changed", "eu").listen():
            heard.put(wake)

    thread = threading.Thread(target=listen)
    thread.start()
    assert heard.get(timeout=10).reason == "start"
    # The subscription takes a moment on a server.
    while not other.signal("group_changed", "eu").send("first").receivers:
        pass
    other.signal("group_changed", "us").send("elsewhere")

    assert other.signal("group_changed", "eu").send("last").receivers == 1
    while (wake := heard.get(timeout=10)).marker != b"last":
        assert wake.marker in (b"first", None)
    one.close()
    thread.join()


def test_a_lease_is_handed_on(make: Make) -> None:
    one, other, third = make(), make(), make()
    lease = one.lock("job_lock", 7).try_acquire()
    assert lease

    text = lease.export()

    with other.adopt(text) as adopted:
        adopted.check()
        with pytest.raises(LockLost):
            third.adopt(text)
    assert third.lock("job_lock", 7).try_acquire()


def test_locks_claims_and_windows_expire_when_time_passes(memory: Subject) -> None:
    lease = memory.lock("job_lock", 7).try_acquire()
    assert lease
    memory.claim("batch_claim", 1)
    memory.counter("hits", "account").increment()

    memory.advance(10)

    assert not lease.remaining
    with pytest.raises(LockLost):
        lease.check()
    assert memory.another().lock("job_lock", 7).try_acquire()
    assert not memory.claim("batch_claim", 1)
    memory.advance(15 * 60)
    assert memory.claim("batch_claim", 1)
    assert memory.counter("hits", "account").value() == 0


def test_a_waiter_gets_a_lock_that_expires_while_time_passes(memory: Subject) -> None:
    other = memory.another()
    lease = other.lock("job_lock", 7).try_acquire()
    assert lease
    taken = threading.Event()

    def wait() -> None:
        with memory.lock("job_lock", 7):
            taken.set()

    thread = threading.Thread(target=wait)
    thread.start()
    memory.advance(11)

    assert taken.wait(10)
    thread.join()


def test_a_renewed_lease_lives_until_max_hold(memory: Subject) -> None:
    reasons: list[str] = []
    lease = memory.lock("renewed_lock", 1, on_lost=reasons.append).try_acquire()
    assert lease
    for _ in range(7):
        memory.advance(8)
        lease.check()
        assert not reasons

    memory.advance(8)

    assert reasons == ["max_hold was reached"]
    assert lease.lost
    with pytest.raises(LockLost, match="max_hold"):
        lease.release()


def test_a_holder_that_stands_still_for_too_long_is_told(memory: Subject) -> None:
    with pytest.raises(LockLost), memory.lock("renewed_lock", 1) as lease:
        lost = lease.lost
        memory.advance(11)
        assert lost.is_set()


def test_time_does_not_run_backwards(memory: Subject) -> None:
    with pytest.raises(ValueError, match="backwards"):
        memory.advance(-1)


def test_two_that_share_nothing_share_nothing(kinds: Kinds, rules: Registry) -> None:
    one, other = kinds.in_memory(rules), kinds.in_memory(rules)
    one.claim("batch_claim", 1)

    assert other.claim("batch_claim", 1)


def test_one_that_is_closed_hears_nothing_and_its_listeners_end(memory: Subject) -> None:
    other = memory.another()
    wakes = other.signal("changed").listen()
    assert next(wakes).reason == "start"
    assert memory.signal("changed").send().receivers == 1
    other.close()

    assert next(wakes, None) is None
    assert memory.signal("changed").send().receivers == 0
