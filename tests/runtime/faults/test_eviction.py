"""A server that throws keys away to make room: whoever loses his lock by that is told."""

from collections.abc import Callable
from contextlib import suppress

import pytest
import redis

from redis_guard.runtime import LockLost
from redis_guard.testing import Server
from tests.runtime.faults.conftest import Coordinate
from tests.runtime.faults.heard import Heard

StartServer = Callable[..., Server]


def crowd_out(client: redis.Redis, policy: str, key: str) -> None:
    """Write until `key` has been evicted."""
    client.config_set("maxmemory-policy", policy)
    client.config_set("maxmemory", str(client.info("memory")["used_memory"] + 200_000))
    for number in range(20_000):
        # Where only keys with a lifetime are evicted, the lock goes first, and then there is no room for anything.
        with suppress(redis.exceptions.OutOfMemoryError):
            client.set(f"cache:{number}", "x" * 500)
        if number % 20 == 0 and not client.exists(key):
            return
    pytest.fail("it was not evicted")


@pytest.mark.parametrize("policy", ["allkeys-random", "volatile-ttl", "volatile-lru"])
def test_an_evicted_lock_is_told_by_the_next_renewal(
    coordinate: Coordinate, start_server: StartServer, heard: Heard, policy: str
) -> None:
    server = start_server()
    coordination = coordinate(server.url)
    lease = coordination.lock("lock_renewed", 1).try_acquire()
    assert lease is not None
    with server.connect() as client:
        crowd_out(client, policy, "coordination:lock_renewed:1")

        assert lease.lost.wait(10)

        assert not client.exists("coordination:lock_renewed:1")
    with pytest.raises(LockLost, match="evicted"):
        lease.check()
    assert heard.outcomes("lock_renewed")[-1] == "lost"


def test_an_evicted_lock_is_told_at_its_exit_and_the_next_fence_is_higher(
    coordinate: Coordinate, start_server: StartServer
) -> None:
    server = start_server()
    coordination, other = coordinate(server.url), coordinate(server.url)
    with server.connect() as client:
        with pytest.raises(LockLost, match="evicted"), coordination.lock("lock_fenced", 1) as lease:
            crowd_out(client, "volatile-ttl", "coordination:lock_fenced:1")
            client.config_set("maxmemory", "0")
            following = other.lock("lock_fenced", 1).try_acquire()
            assert following is not None

        assert lease.fence is not None
        assert following.fence is not None
        assert following.fence > lease.fence
        # The exit of the first left the second alone.
        assert client.get("coordination:lock_fenced:1") == following.token.encode()


def test_the_fence_rises_though_the_fence_key_was_evicted_too(
    coordinate: Coordinate, server: Server, client: redis.Redis
) -> None:
    coordination = coordinate(server.url)
    fences = []
    for _ in range(3):
        with coordination.lock("lock_fenced", 1) as lease:
            fences.append(lease.fence or 0)
        client.flushall()

    assert fences == sorted(set(fences))
