"""What a caller of either world may rely on."""

import pytest
import redis

from redis_guard.runtime import AlreadyHeld, LockNotAcquired
from redis_guard.testing import Server
from tests.runtime.worlds import World, registry

REGISTRY = registry(
    job_lock={"primitive": "lock", "ttl": "10s", "fencing": True},
    batch_claim={"primitive": "claim"},
    hits={"primitive": "counter", "limit": 2},
)


def test_a_lock_is_taken_and_given_back(world: World, server: Server, client: redis.Redis) -> None:
    coordination = world.coordination(REGISTRY, url=server.url)

    with coordination.lock("job_lock", 7) as lease:
        assert client.get("coordination:job_lock:7") == lease.token.encode()
        assert 9 < lease.remaining < 10
        assert not lease.lost
        lease.check()

    assert not client.exists("coordination:job_lock:7")


def test_one_holder_at_a_time(world: World, server: Server) -> None:
    one, other = (world.coordination(REGISTRY, url=server.url) for _ in range(2))

    with one.lock("job_lock", 7) as lease:
        assert other.lock("job_lock", 7).try_acquire() is None
        with pytest.raises(LockNotAcquired), other.lock("job_lock", 7, wait=0.05):
            pass
        with pytest.raises(AlreadyHeld):
            one.lock("job_lock", 7).try_acquire()
    later = other.lock("job_lock", 7).try_acquire()

    assert lease.fence is not None
    assert later is not None
    assert later.fence is not None
    assert later.fence > lease.fence
    later.release()


def test_a_claim_is_accepted_once(world: World, server: Server) -> None:
    coordination = world.coordination(REGISTRY, url=server.url)

    assert coordination.claim("batch_claim", 1, by="worker-1")
    assert coordination.claim("batch_claim", 1, by="worker-1")
    refused = coordination.claim("batch_claim", 1)

    assert not refused
    assert refused.holder == "worker-1"


def test_a_counter_counts_reads_and_ends(world: World, server: Server) -> None:
    counter = world.coordination(REGISTRY, url=server.url).counter("hits", 1)

    assert [counter.increment(by).value for by in (1, 2)] == [1, 3]
    assert counter.increment().exceeded
    assert counter.value() == 4
    assert counter.reset()
    assert counter.value() == 0


def test_nothing_begins_after_the_end(world: World, server: Server) -> None:
    coordination = world.coordination(REGISTRY, url=server.url)
    assert coordination.claim("batch_claim", 1)
    coordination.close()

    with pytest.raises(RuntimeError, match="closed"):
        coordination.claim("batch_claim", 2)
