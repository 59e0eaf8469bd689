"""A cluster: every key on its node, and slots that move, or are lost, while one coordinates."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from redis.crc import key_slot

from redis_guard.runtime import CoordinationUnavailable
from tests.runtime.faults.cells import told_as
from tests.runtime.faults.conftest import Coordinate
from tests.runtime.faults.heard import Heard, in_background, until
from tests.runtime.faults.listening import listening
from tests.runtime.faults.topologies import Cluster, cluster
from tests.runtime.worlds import AnyCoordination


@pytest.fixture(scope="module")
def shared(binary: Path | None) -> Iterator[Cluster]:
    with cluster(binary) as nodes:
        yield nodes


@pytest.fixture
def nodes(shared: Cluster) -> Cluster:
    """Empty."""
    for number in range(len(shared.nodes)):
        shared.on(number, "FLUSHALL")
    return shared


@pytest.fixture
def coordination(coordinate: Coordinate, nodes: Cluster) -> AnyCoordination:
    with nodes.client() as client:
        return coordinate(client=client)


def on_each(nodes: Cluster, template: str) -> list[int]:
    """Identifiers whose keys lie on the first, the second, the third node."""
    found: dict[int, int] = {}
    for identifier in range(1, 1000):
        found.setdefault(nodes.home(template.format(identifier)), identifier)
        if len(found) == len(nodes.nodes):
            break
    return [found[number] for number in sorted(found)]


def test_every_primitive_works_on_every_node(nodes: Cluster, coordination: AnyCoordination) -> None:
    for identifier in on_each(nodes, "coordination:lock_fenced:{}"):
        with coordination.lock("lock_fenced", identifier) as lease:
            assert lease.fence
            assert coordination.lock("lock_closed", identifier).try_acquire()
        assert coordination.adopt(coordination.lock("lock_fenced", identifier).__enter__().export())
    for identifier in on_each(nodes, "coordination:claim_closed:{}"):
        assert coordination.claim("claim_closed", identifier)
        assert not coordination.claim("claim_closed", identifier)
    for identifier in on_each(nodes, "coordination:counter_closed:{}"):
        counter = coordination.counter("counter_closed", identifier)
        assert [counter.increment().value for _ in range(2)] == [1, 2]
        assert counter.value() == 2
        assert counter.reset()


def test_a_lock_and_its_helper_keys_share_a_slot(nodes: Cluster, coordination: AnyCoordination) -> None:
    with coordination.lock("lock_fenced", 1):
        keys = {key for number in range(3) for key in nodes.on(number, "KEYS", "*")}  # type: ignore[attr-defined]

        assert len(keys) == 2
        assert len({key_slot(key) for key in keys}) == 1


def test_leases_on_all_nodes_are_renewed(nodes: Cluster, coordination: AnyCoordination, heard: Heard) -> None:
    identifiers = on_each(nodes, "coordination:lock_renewed:{}")
    with ExitStack() as stack:
        leases = [stack.enter_context(coordination.lock("lock_renewed", each)) for each in identifiers]
        heard.wait_for("lock_renewed", "renewed", 9)
        for lease in leases:
            lease.check()


def test_a_waiter_is_woken_wherever_he_is_subscribed(nodes: Cluster, coordination: AnyCoordination) -> None:
    for identifier in on_each(nodes, "coordination:lock_closed:{}"):
        with coordination.lock("lock_closed", identifier) as lease:
            waiting = in_background(
                lambda identifier=identifier: (
                    coordination.lock("lock_closed", identifier, wait=60).__enter__().release()
                )
            )
            waiting.__enter__()
            until(
                lambda identifier=identifier: subscribed(nodes, f"coordination:lock_closed:{identifier}:wake")
            )
            lease.check()
        waiting.__exit__(None, None, None)


def subscribed(nodes: Cluster, channel: str) -> bool:
    return any(nodes.on(number, "PUBSUB", "NUMSUB", channel)[0][1] for number in range(3))  # type: ignore[index]


def test_a_signal_sent_to_one_node_is_heard_on_another(nodes: Cluster, coordination: AnyCoordination) -> None:
    channel = "coordination:signal_closed"
    wakes = listening(coordination.signal("signal_closed"))
    for number in range(3):
        nodes.on(number, "PUBLISH", channel, f"from {number}")
        assert next(wakes).marker == f"from {number}".encode()


@contextmanager
def moved(nodes: Cluster, key: str) -> Iterator[int]:
    """Another node, of this number, keeps the slot of `key` while the block runs; what is in it has gone along."""
    number, home = key_slot(key.encode()), nodes.home(key)
    target = (home + 1) % 3

    def give(source: int, keeper: int) -> None:
        taker = nodes.nodes[keeper]
        nodes.on(keeper, "CLUSTER", "SETSLOT", number, "IMPORTING", nodes.ids[source])
        nodes.on(source, "CLUSTER", "SETSLOT", number, "MIGRATING", nodes.ids[keeper])
        keys = nodes.on(source, "CLUSTER", "GETKEYSINSLOT", number, 10)
        assert isinstance(keys, list)
        if keys:
            nodes.on(source, "MIGRATE", taker.host, taker.port, "", 0, 5000, "KEYS", *keys)
        for each in (keeper, source, 3 - keeper - source):
            nodes.on(each, "CLUSTER", "SETSLOT", number, "NODE", nodes.ids[keeper])

    give(home, target)
    try:
        yield target
    finally:
        nodes.on(target, "FLUSHALL")
        give(target, home)


def test_moved_is_followed_and_nobody_notices(
    nodes: Cluster, coordination: AnyCoordination, heard: Heard
) -> None:
    key = "coordination:counter_closed:1"
    counter = coordination.counter("counter_closed", 1)
    counter.increment()
    counter.reset()
    with moved(nodes, key):
        assert [counter.increment().value for _ in range(2)] == [1, 2]
    with moved(nodes, "coordination:lock_closed:1"), coordination.lock("lock_closed", 1) as lease:
        lease.check()

    assert {told.error_class for told in heard.told} == {None}


def test_a_lease_whose_slot_moves_is_renewed_at_the_new_place(
    nodes: Cluster, coordination: AnyCoordination, heard: Heard
) -> None:
    key = "coordination:lock_renewed:1"
    with coordination.lock("lock_renewed", 1) as lease, moved(nodes, key) as target:
        heard.wait_for("lock_renewed", "renewed", heard.outcomes("lock_renewed").count("renewed") + 1)
        lease.check()
        assert nodes.on(target, "GET", key) == lease.token.encode()
        lease.release()
        assert nodes.on(target, "GET", key) is None


@contextmanager
def moving(nodes: Cluster, key: str) -> Iterator[int]:
    """The slot of `key` is on its way to another node, whose number this is."""
    number, home = key_slot(key.encode()), nodes.home(key)
    target = (home + 1) % 3
    nodes.on(target, "CLUSTER", "SETSLOT", number, "IMPORTING", nodes.ids[home])
    nodes.on(home, "CLUSTER", "SETSLOT", number, "MIGRATING", nodes.ids[target])
    try:
        yield target
    finally:
        for each in (target, home):
            nodes.on(each, "FLUSHALL")
            nodes.on(each, "CLUSTER", "SETSLOT", number, "STABLE")


def test_ask_is_followed_and_counted_once(
    nodes: Cluster, coordination: AnyCoordination, heard: Heard
) -> None:
    key = "coordination:counter_closed:1"
    with moving(nodes, key) as target:
        assert [coordination.counter("counter_closed", 1).increment().value for _ in range(2)] == [1, 2]
        with nodes.nodes[target].connect() as client:
            assert client.execute_command("CLUSTER", "COUNTKEYSINSLOT", key_slot(key.encode())) == 1

    assert {told.error_class for told in heard.told} == {None}


def test_ask_is_followed_for_a_lock(nodes: Cluster, coordination: AnyCoordination) -> None:
    with moving(nodes, "coordination:lock_closed:1"), coordination.lock("lock_closed", 1) as lease:
        lease.check()


@pytest.mark.parametrize("fence", [True, False], ids=["fence known", "fence unknown"])
def test_a_fenced_lock_ends_by_policy_while_its_slot_moves(
    coordinate: Coordinate, nodes: Cluster, heard: Heard, fence: bool
) -> None:
    with nodes.client() as client:
        coordination = coordinate(client=client, deadline=0.3)
        if fence:
            client.set("{coordination:lock_fenced:1}:fence", 1, px=60_000)
    # No node answers for two keys of which it lacks one (TRYAGAIN).
    with moving(nodes, "coordination:lock_fenced:1"):
        with pytest.raises(CoordinationUnavailable) as raised, coordination.lock("lock_fenced", 1):
            pytest.fail("the body ran")

        assert raised.value.error_class == "clusterdown"
        assert heard.classes("lock_fenced") == ["clusterdown"]


def test_a_client_that_knows_no_cluster_is_told_to_be_made_one(
    coordinate: Coordinate, nodes: Cluster
) -> None:
    key = "coordination:lock_closed:1"
    elsewhere = nodes.nodes[(nodes.home(key) + 1) % 3]
    coordination = coordinate(elsewhere.url)

    with pytest.raises(CoordinationUnavailable, match="RedisCluster"):
        coordination.lock("lock_closed", 1).try_acquire()


Act = Callable[[AnyCoordination, int], object]
ACTS: dict[str, Act] = {
    "lock_closed": lambda c, i: c.lock("lock_closed", i).try_acquire(),
    "claim_open": lambda c, i: c.claim("claim_open", i),
    "counter_fallback": lambda c, i: c.counter("counter_fallback", i).increment(),
}


def test_a_lost_node_is_an_outage_for_its_own_keys_alone(
    coordinate: Coordinate, binary: Path | None, heard: Heard
) -> None:
    with cluster(binary) as nodes, nodes.client() as client:
        coordination = coordinate(client=client, deadline=0.5)
        places = {name: on_each(nodes, f"coordination:{name}:{{}}") for name in ACTS}
        nodes.nodes[1].kill()
        for name, act in ACTS.items():
            for number in (0, 2):
                until(
                    lambda act=act, name=name, number=number: succeeds(
                        coordination, act, places[name][number]
                    )
                )
            before = len(heard.told)
            try:
                act(coordination, places[name][1])
            except CoordinationUnavailable:
                assert name.endswith("closed")
            assert heard.told[before].outcome == told_as(name)
            assert heard.told[before].error_class in ("connection", "clusterdown", "timeout")


def succeeds(coordination: AnyCoordination, act: Act, identifier: int) -> bool:
    try:
        result = act(coordination, identifier)
    except CoordinationUnavailable:
        return False
    return not getattr(result, "degraded", False)


def test_a_cluster_that_is_down_ends_by_policy(coordinate: Coordinate, nodes: Cluster, heard: Heard) -> None:
    key = "coordination:lock_closed:1"
    home, number = nodes.home(key), key_slot(key.encode())
    with nodes.client() as client:
        coordination = coordinate(client=client)
    for each in range(3):
        nodes.on(each, "CLUSTER", "DELSLOTS", number)
    try:
        with pytest.raises(CoordinationUnavailable) as raised, coordination.lock("lock_closed", 1):
            pytest.fail("the body ran")
        assert raised.value.error_class == "clusterdown"
    finally:
        nodes.on(home, "CLUSTER", "ADDSLOTS", number)
        until(nodes.all_is_well)
