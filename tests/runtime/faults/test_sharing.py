"""One process, several threads or tasks: each has its own lease, and nobody waits for himself.

In the world of asyncio a thread of a test is a task.
"""

import threading

import pytest
import redis

from redis_guard.runtime import AlreadyHeld, LockLost
from redis_guard.testing import Server
from tests.runtime.faults.conftest import Coordinate
from tests.runtime.faults.heard import Heard, in_background, quickest, until
from tests.runtime.proxy import Proxy
from tests.runtime.worlds import AnyLease

LOCK = "coordination:lock_closed:1"
REENTRANT = "coordination:lock_reentrant:1"


def test_threads_exclude_each_other(coordinate: Coordinate, server: Server, client: redis.Redis) -> None:
    coordination = coordinate(server.url)
    inside: list[str] = []
    most: list[int] = []
    tokens: list[str] = []

    def work() -> None:
        for _ in range(10):
            with coordination.lock("lock_closed", 1, wait=30) as lease:
                inside.append(lease.token)
                most.append(len(inside))
                tokens.append(lease.token)
                lease.check()
                inside.remove(lease.token)

    threads = [threading.Thread(target=work) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert set(most) == {1}
    assert len(set(tokens)) == 50
    assert not client.exists(LOCK)


@pytest.mark.parametrize("wait", [None, 60])
def test_a_second_acquire_by_the_same_holder_is_told_at_once(
    coordinate: Coordinate, proxy: Proxy, wait: float | None
) -> None:
    coordination = coordinate(proxy.url)
    with coordination.lock("lock_closed", 1) as lease:
        sent = len(proxy.commands)

        def again() -> None:
            with pytest.raises(AlreadyHeld), coordination.lock("lock_closed", 1, wait=wait):
                pytest.fail("the body ran")
            with pytest.raises(AlreadyHeld):
                coordination.lock("lock_closed", 1, wait=wait).try_acquire()

        quickest(again, below=1)
        assert len(proxy.commands) == sent
        lease.check()


def test_another_thread_is_not_the_same_holder(coordinate: Coordinate, server: Server) -> None:
    coordination = coordinate(server.url)
    with coordination.lock("lock_closed", 1):

        def other() -> None:
            assert coordination.lock("lock_closed", 1).try_acquire() is None

        with in_background(other):
            pass


@pytest.mark.parametrize("name", ["lock_closed", "lock_reentrant"])
def test_a_lock_object_shared_by_two_is_refused_to_the_second(
    coordinate: Coordinate, server: Server, client: redis.Redis, name: str
) -> None:
    coordination = coordinate(server.url)
    shared = coordination.lock(name, 1, wait=60)
    with shared as lease:

        def other() -> None:
            with pytest.raises(AlreadyHeld), shared:
                pytest.fail("the body ran")

        with in_background(other):
            pass
        # The second one did not release the lock of the first.
        assert client.get(f"coordination:{name}:1") == lease.token.encode()
        lease.check()


@pytest.mark.parametrize("name", ["lock_closed", "lock_reentrant"])
def test_the_lock_of_a_thread_that_has_ended_is_not_that_of_the_next_thread(
    coordinate: Coordinate, server: Server, name: str
) -> None:
    coordination = coordinate(server.url)
    taken: list[AnyLease | None] = []
    # The system is likely to give them all the same number.
    for _ in range(3):
        with in_background(lambda: taken.append(coordination.lock(name, 1).try_acquire())):
            pass

    assert [lease is None for lease in taken] == [False, True, True]


def test_reentry_needs_no_round_trip_and_the_outermost_exit_releases(
    coordinate: Coordinate, proxy: Proxy, client: redis.Redis, heard: Heard
) -> None:
    coordination = coordinate(proxy.url)
    with coordination.lock("lock_reentrant", 1) as outer:
        sent = len(proxy.commands)
        with coordination.lock("lock_reentrant", 1) as inner:
            assert inner.token == outer.token
            with coordination.lock("lock_reentrant", 1):
                pass
        inner.check()
        assert len(proxy.commands) == sent
        assert client.get(REENTRANT) == outer.token.encode()

    assert not client.exists(REENTRANT)
    assert heard.outcomes("lock_reentrant") == ["acquired", "reentered", "reentered", "released"]


def test_another_thread_cannot_reenter(coordinate: Coordinate, server: Server) -> None:
    coordination = coordinate(server.url)
    with coordination.lock("lock_reentrant", 1), coordination.lock("lock_reentrant", 1):

        def other() -> None:
            assert coordination.lock("lock_reentrant", 1).try_acquire() is None

        with in_background(other):
            pass


def test_reentry_into_an_expired_lease_is_a_lost_lock(
    coordinate: Coordinate, server: Server, client: redis.Redis
) -> None:
    coordination = coordinate(server.url)
    with pytest.raises(LockLost), coordination.lock("lock_reentrant_brief", 1) as lease:
        until(lambda: lease.remaining == 0)
        with pytest.raises(LockLost), coordination.lock("lock_reentrant_brief", 1):
            pytest.fail("the body ran")
        until(lambda: not client.exists("coordination:lock_reentrant_brief:1"))


def test_a_lease_that_was_handed_on_cannot_be_reentered(coordinate: Coordinate, server: Server) -> None:
    coordination = coordinate(server.url)
    with coordination.lock("lock_reentrant", 1) as lease:
        text = lease.export()
        assert coordination.lock("lock_reentrant", 1).try_acquire() is None

    coordination.adopt(text).release()


def test_a_holder_whose_lease_expired_may_take_the_lock_anew(
    coordinate: Coordinate, server: Server, client: redis.Redis
) -> None:
    coordination = coordinate(server.url)
    first = coordination.lock("lock_brief", 1).try_acquire()
    assert first is not None
    until(lambda: first.remaining == 0)

    second = coordination.lock("lock_brief", 1, wait=10).try_acquire()

    assert second is not None
    assert client.get("coordination:lock_brief:1") == second.token.encode()
    with pytest.raises(LockLost):
        first.release()
    assert client.exists("coordination:lock_brief:1")
    second.check()
