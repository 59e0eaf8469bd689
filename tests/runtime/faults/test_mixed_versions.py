"""Old code and the runtime on one key, side by side during a migration: no worse than old beside old.

The old code has the shapes that are found in programs: redis-py's Lock, SET NX and a DEL of whatever is there, SETNX
and then EXPIRE, INCR and then EXPIRE.
"""

import threading
from uuid import UUID

import pytest
import redis

from redis_guard.registry.keys import Identifier
from redis_guard.runtime import LockLost, LockStuck
from redis_guard.testing import Server
from tests.runtime.faults.conftest import Coordinate
from tests.runtime.faults.heard import Heard, in_background, until

LOCK = "order:settle:7"
CLAIM = "webhook:7"
COUNTER = "login:7:attempts"


def test_a_lock_of_redis_py_keeps_the_runtime_out_until_it_is_released(
    coordinate: Coordinate, server: Server, client: redis.Redis
) -> None:
    coordination = coordinate(server.url)
    with client.lock(LOCK, timeout=300):
        assert coordination.lock("lock_old", 7).try_acquire() is None
        waiting = in_background(lambda: coordination.lock("lock_old", 7, wait=60).__enter__().release())
        waiting.__enter__()
        until(lambda: client.pubsub_numsub(f"{LOCK}:wake")[0][1])

    # It publishes nothing; the waiter looks again by himself.
    waiting.__exit__(None, None, None)


def test_a_lease_keeps_a_lock_of_redis_py_out_until_it_is_released(
    coordinate: Coordinate, server: Server, client: redis.Redis
) -> None:
    coordination = coordinate(server.url)
    with coordination.lock("lock_old", 7) as lease:
        assert not client.lock(LOCK, timeout=300).acquire(blocking=False)
        lease.check()

    with client.lock(LOCK, timeout=300, blocking_timeout=0):
        assert client.exists(LOCK)


def test_old_and_new_exclude_each_other(coordinate: Coordinate, server: Server) -> None:
    coordination = coordinate(server.url)
    inside: list[str] = []
    most: list[int] = []

    def work(name: str) -> None:
        inside.append(name)
        most.append(len(inside))
        inside.remove(name)

    def old() -> None:
        with server.connect() as own:
            for _ in range(15):
                with own.lock(LOCK, timeout=30, sleep=0.001):
                    work("old")

    def new() -> None:
        for _ in range(15):
            with coordination.lock("lock_old", 7, wait=30) as lease:
                work("new")
                lease.check()

    threads = [threading.Thread(target=each) for each in (old, new, old, new)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(most) == 60
    assert set(most) == {1}


def test_a_lock_of_redis_py_without_timeout_is_stuck_rather_than_waited_for(
    coordinate: Coordinate, server: Server, client: redis.Redis
) -> None:
    coordination = coordinate(server.url)
    with client.lock(LOCK, blocking_timeout=5), pytest.raises(LockStuck):
        coordination.lock("lock_old", 7, wait=60).try_acquire()


def test_an_old_delete_of_whatever_is_there_is_told_to_the_leases_holder(
    coordinate: Coordinate, server: Server, client: redis.Redis, heard: Heard
) -> None:
    coordination = coordinate(server.url)
    # The old worker's own lock has expired, and it does not know.
    assert client.set(LOCK, "1", nx=True, ex=900)
    client.delete(LOCK)
    with pytest.raises(LockLost), coordination.lock("lock_old", 7):
        client.delete(LOCK)

    assert heard.outcomes("lock_old") == ["acquired", "lost"]


def test_a_late_release_leaves_an_old_holder_alone(
    coordinate: Coordinate, server: Server, client: redis.Redis
) -> None:
    coordination = coordinate(server.url)
    old = client.lock("order:refund:7", timeout=300)
    with pytest.raises(LockLost), coordination.lock("lock_old_brief", 7):
        # The lease runs out, and the old code comes in, as it would with old code.
        assert old.acquire()

    assert old.owned()
    old.release()


def test_a_claim_of_older_code_is_a_duplicate_for_the_runtime(
    coordinate: Coordinate, server: Server, client: redis.Redis
) -> None:
    coordination = coordinate(server.url)
    assert client.setnx(CLAIM, 1_700_000_000)
    # It may have died here; the claim is as good as with a lifetime.
    assert not coordination.claim("claim_old", 7)
    client.expire(CLAIM, 24 * 3600)

    claim = coordination.claim("claim_old", 7)

    assert (claim.accepted, claim.holder) == (False, "1700000000")


def test_a_claim_of_the_runtime_is_a_duplicate_for_older_code(
    coordinate: Coordinate, server: Server, client: redis.Redis
) -> None:
    coordination = coordinate(server.url)
    assert coordination.claim("claim_old", 7)

    assert not client.setnx(CLAIM, 1)
    assert not client.set(CLAIM, 1, nx=True, ex=60)
    assert client.ttl(CLAIM) > 60


def test_old_and_new_count_together(coordinate: Coordinate, server: Server, client: redis.Redis) -> None:
    coordination = coordinate(server.url)
    counter = coordination.counter("counter_old", 7)
    assert client.incr(COUNTER) == 1
    client.expire(COUNTER, 600)

    assert counter.increment().value == 2
    assert client.incr(COUNTER) == 3
    assert counter.increment().value == 4
    assert counter.value() == 4
    assert 0 < client.ttl(COUNTER) <= 600


def test_the_first_count_of_the_runtime_has_a_window_that_old_code_need_not_start(
    coordinate: Coordinate, server: Server, client: redis.Redis
) -> None:
    coordination = coordinate(server.url)
    coordination.counter("counter_old", 7).increment()

    # Old code sets EXPIRE after its own first count alone.
    assert client.incr(COUNTER) == 2
    assert 0 < client.ttl(COUNTER) <= 600


def test_a_count_whose_window_old_code_never_started_is_healed(
    coordinate: Coordinate, server: Server, client: redis.Redis, heard: Heard
) -> None:
    coordination = coordinate(server.url)
    client.incr(COUNTER)

    assert coordination.counter("counter_old", 7).increment().value == 2

    assert 0 < client.ttl(COUNTER) <= 600
    assert heard.outcomes("counter_old") == ["healed"]


UUID_7 = UUID("12345678-1234-5678-1234-567812345678")


@pytest.mark.parametrize(
    "identifier",
    ["2001:db8::1", "a{b}c", "{tag}", "50%", "with space", "Zoë", 7, UUID_7, b"bytes:\xff\x00"],
    ids=repr,
)
def test_the_key_is_byte_for_byte_that_of_the_old_template(
    coordinate: Coordinate, server: Server, client: redis.Redis, identifier: Identifier
) -> None:
    coordination = coordinate(server.url)
    old = (
        b"order:settle:" + identifier
        if isinstance(identifier, bytes)
        else f"order:settle:{identifier}".encode()
    )

    with coordination.lock("lock_old", identifier):
        assert client.keys() == [old]
        assert not client.lock(old, timeout=5).acquire(blocking=False)
    with client.lock(old, timeout=300):
        assert coordination.lock("lock_old", identifier).try_acquire() is None


def test_what_old_code_left_in_place_of_a_lock_never_lets_two_in(
    coordinate: Coordinate, server: Server, client: redis.Redis
) -> None:
    coordination = coordinate(server.url)
    for value in ("1", "", "None", b"\xff\xfe", "x" * 10_000):
        client.set(LOCK, value, ex=900)
        assert coordination.lock("lock_old", 7).try_acquire() is None
        client.persist(LOCK)
        with pytest.raises(LockStuck):
            coordination.lock("lock_old", 7).try_acquire()
