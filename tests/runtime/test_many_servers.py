"""The runtime on a cluster and behind sentinels, and the launchers of both."""

from collections.abc import Callable

import pytest
import redis

from tests.runtime.cluster import Cluster
from tests.runtime.sentinels import SERVICE, Sentinels
from tests.runtime.worlds import World, registry

REGISTRY = registry(
    job_lock={"primitive": "lock", "ttl": "10s", "fencing": True},
    # Two keys, as with fencing, cannot be used together while their slot is under way.
    plain_lock={"primitive": "lock", "ttl": "10s"},
    batch_claim={"primitive": "claim"},
)


def test_keys_are_spread_over_the_nodes_and_found(cluster: Cluster) -> None:
    keys = [f"key:{number}" for number in range(20)]
    with cluster.connect() as client:
        for key in keys:
            client.set(key, "value")

    assert {cluster.owner(key).port for key in keys} == {server.port for server in cluster.servers}
    for key in keys:
        with cluster.owner(key).connect() as node:
            assert node.get(key) == b"value"


def test_a_slot_moves_with_what_is_in_it(cluster: Cluster) -> None:
    source = cluster.owner("key")
    target = next(server for server in cluster.servers if server is not source)
    with cluster.connect() as client, source.connect() as old:
        client.set("key", "value")

        cluster.move("key", to=target, finish=False)
        with pytest.raises(redis.exceptions.AskError):
            old.get("key")
        cluster.move("key", to=target)
        with pytest.raises(redis.exceptions.MovedError):
            old.get("key")

        assert client.get("key") == b"value"
    assert cluster.owner("key") is target


def test_locks_and_claims_work_on_a_cluster(world: World, cluster: Cluster) -> None:
    with cluster.connect() as client:
        coordination = world.coordination(REGISTRY, client)
        for number in range(10):
            with coordination.lock("job_lock", number) as lease:
                assert lease.fence
                assert client.exists(f"coordination:job_lock:{number}")
            assert coordination.claim("batch_claim", number)
            assert not coordination.claim("batch_claim", number)


def test_a_slot_that_moves_is_followed(world: World, cluster: Cluster) -> None:
    key = "coordination:plain_lock:1"
    with cluster.connect() as client:
        coordination = world.coordination(REGISTRY, client)
        coordination.start()
        source = cluster.owner(key)
        target = next(server for server in cluster.servers if server is not source)

        cluster.move(key, to=target, finish=False)
        with coordination.lock("plain_lock", 1), target.connect() as node:
            node.execute_command("ASKING")
            assert node.execute_command("EXISTS", key)
        cluster.move(key, to=target)
        with coordination.lock("plain_lock", 1), target.connect() as node:
            assert node.execute_command("EXISTS", key)


def test_a_claim_outlives_a_failover_and_locks_are_taken_on_the_new_master(
    world: World, start_sentinels: Callable[..., Sentinels]
) -> None:
    sentinels = start_sentinels()
    with sentinels.connect().master_for(SERVICE) as client:
        coordination = world.coordination(REGISTRY, client)
        assert coordination.claim("batch_claim", 1)
        with sentinels.master.connect() as master:
            # What was not replicated would be lost, and that is another test.
            master.set("written", "after")
            assert master.wait(1, 5000) == 1

        new = sentinels.fail_over()

        assert not coordination.claim("batch_claim", 1)
        with coordination.lock("job_lock", 1), new.connect() as node:
            assert node.exists("coordination:job_lock:1")


def test_three_sentinels_agree(start_sentinels: Callable[..., Sentinels]) -> None:
    sentinels = start_sentinels(count=3)

    assert sentinels.connect().discover_master(SERVICE) == (sentinels.master.host, sentinels.master.port)
    assert sentinels.fail_over() is sentinels.replica
