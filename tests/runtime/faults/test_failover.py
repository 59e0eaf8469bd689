"""Failovers: a lock that did not reach the new master is lost, and its holder is told; one that had to reach it did."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from redis_guard.runtime import CoordinationUnavailable, LockLost
from tests.runtime.faults.cells import CELLS
from tests.runtime.faults.conftest import Coordinate
from tests.runtime.faults.heard import Heard, until
from tests.runtime.faults.listening import listening, up_to
from tests.runtime.faults.topologies import Address, Ahead, Pair, Watched, pair, watched
from tests.runtime.worlds import AnyCoordination


@pytest.fixture(scope="module")
def pairs(binary: Path | None) -> Iterator[Ahead[Pair]]:
    with Ahead(lambda: pair(binary), 3) as pairs:
        yield pairs


@pytest.fixture
def servers(pairs: Ahead[Pair]) -> Iterator[Pair]:
    with pairs.next() as servers:
        yield servers


@pytest.fixture
def address(servers: Pair) -> Iterator[Address]:
    """Leads to the master."""
    with Address(servers.master.host, servers.master.port) as address:
        yield address


def fail_over(servers: Pair, address: Address) -> None:
    servers.promote()
    address.lead_to(servers.replica)


def test_an_unreplicated_lock_is_lost_in_a_failover_and_told_by_the_next_renewal(
    coordinate: Coordinate, servers: Pair, address: Address, heard: Heard
) -> None:
    coordination = coordinate(address.url)
    servers.part()
    lease = coordination.lock("lock_renewed", 1).try_acquire()
    assert lease is not None

    fail_over(servers, address)

    assert lease.lost.wait(10)
    with pytest.raises(LockLost):
        lease.check()
    assert heard.outcomes("lock_renewed")[-1] == "lost"


def test_two_hold_an_unreplicated_lock_until_the_first_gives_it_back_and_the_fence_tells_them_apart(
    coordinate: Coordinate, servers: Pair, address: Address
) -> None:
    coordination, other = coordinate(address.url), coordinate(address.url)
    servers.part()
    with pytest.raises(LockLost), coordination.lock("lock_fenced", 1) as first:
        fail_over(servers, address)
        second = other.lock("lock_fenced", 1).try_acquire()
        # The documented limit of one server and its replica.
        assert second is not None
        first.check()

    assert first.fence is not None
    assert second.fence is not None
    assert second.fence > first.fence
    second.check()


def test_a_lock_with_replicas_is_on_the_replica_before_its_holder_goes_on(
    coordinate: Coordinate, servers: Pair, address: Address
) -> None:
    coordination, other = coordinate(address.url), coordinate(address.url)
    with coordination.lock("lock_replicated", 1) as lease:
        with servers.replica.connect() as client:
            assert client.get("coordination:lock_replicated:1") == lease.token.encode()
        fail_over(servers, address)

        assert other.lock("lock_fenced", 1).try_acquire()
        with servers.replica.connect() as client:
            assert client.get("coordination:lock_replicated:1") == lease.token.encode()
        lease.check()


def test_a_lock_that_the_replicas_did_not_confirm_is_given_back_and_refused(
    coordinate: Coordinate, servers: Pair, address: Address, heard: Heard
) -> None:
    # Long enough for a busy machine: the server answers after most of it.
    coordination = coordinate(address.url, deadline=2.0)
    servers.part()

    with pytest.raises(CoordinationUnavailable) as raised, coordination.lock("lock_replicated", 1):
        pytest.fail("the body ran")

    assert raised.value.error_class == "noreplicas"
    assert heard.classes("lock_replicated") == ["noreplicas"]
    with servers.master.connect() as client:
        assert not client.exists("coordination:lock_replicated:1")


def test_a_reply_lost_after_an_unconfirmed_acquire_is_not_taken_for_a_confirmation(
    coordinate: Coordinate, servers: Pair, address: Address
) -> None:
    coordination = coordinate(address.url, deadline=1)
    servers.part()
    # The second try finds the lock taken by its own token, over a connection that has written nothing before.
    address.drop_reply("evalsha", close=True)

    with pytest.raises(CoordinationUnavailable) as raised, coordination.lock("lock_replicated", 1):
        pytest.fail("the body ran")

    assert raised.value.error_class == "noreplicas"


def test_a_lock_that_the_replicas_did_not_confirm_is_degraded_under_open(
    coordinate: Coordinate, servers: Pair, address: Address
) -> None:
    coordination = coordinate(address.url, deadline=0.5)
    servers.part()

    with coordination.lock("lock_replicated_open", 1) as lease:
        assert lease.degraded

    with servers.master.connect() as client:
        assert not client.exists("coordination:lock_replicated_open:1")


def test_a_claim_that_was_not_replicated_may_repeat_after_a_failover(
    coordinate: Coordinate, servers: Pair, address: Address
) -> None:
    coordination = coordinate(address.url)
    servers.part()
    assert coordination.claim("claim_closed", 1)

    fail_over(servers, address)

    assert coordination.claim("claim_closed", 1)


def test_scripts_that_the_new_master_does_not_know_are_sent_again(
    coordinate: Coordinate, servers: Pair, address: Address, heard: Heard
) -> None:
    coordination = coordinate(address.url)
    fail_over(servers, address)

    with coordination.lock("lock_closed", 1) as lease:
        lease.check()
    assert coordination.counter("counter_closed", 1).increment().value == 1
    assert {told.error_class for told in heard.told} == {None}


@pytest.fixture(scope="module")
def trios(binary: Path | None) -> Iterator[Ahead[Watched]]:
    with Ahead(lambda: watched(binary), 2) as trios:
        yield trios


@pytest.fixture
def trio(trios: Ahead[Watched]) -> Iterator[Watched]:
    with trios.next() as trio:
        yield trio


@pytest.fixture
def through_sentinel(coordinate: Coordinate, trio: Watched) -> Iterator[AnyCoordination]:
    with trio.client() as client:
        yield coordinate(client=client)


def test_sentinels_are_asked_for_the_new_master_and_the_lease_goes_on_there(
    through_sentinel: AnyCoordination, trio: Watched, heard: Heard
) -> None:
    key = "coordination:lock_renewed_over_failover:1"
    with through_sentinel.lock("lock_renewed_over_failover", 1) as lease:
        with trio.replica.connect() as client:
            until(lambda: client.exists(key))
            trio.master.kill()
            # During the gap the policies apply.
            CELLS["claim_closed"](through_sentinel)
            CELLS["counter_fallback"](through_sentinel)
            until(lambda: client.info("replication")["role"] == "master")
            heard.wait_for("lock_renewed_over_failover", "renewed")

            assert client.get(key) == lease.token.encode()
            assert client.pttl(key) > 0
        lease.check()
        until(lambda: not through_sentinel.counter("counter_open", 1).increment().degraded)

    with trio.replica.connect() as client:
        assert not client.exists(key)
    assert "lost" not in heard.outcomes("lock_renewed_over_failover")


def test_a_signal_alone_finds_the_new_master_too(through_sentinel: AnyCoordination, trio: Watched) -> None:
    signal = through_sentinel.signal("signal_open")
    wakes = listening(signal)

    trio.master.kill()

    until(lambda: not signal.send("marker").degraded)
    up_to(wakes, "subscribed")
    signal.send("another")
    assert up_to(wakes, "message").marker == b"another"


def test_no_sentinel_is_an_outage_under_its_policy(coordinate: Coordinate, heard: Heard) -> None:
    with redis.sentinel.Sentinel([("127.0.0.1", 1)]).master_for("main") as client:
        coordination = coordinate(client=client, start=False)
        for cell in ("lock_closed", "lock_open", "claim_closed", "counter_fallback", "signal_open"):
            CELLS[cell](coordination)
            assert heard.classes(cell)[0] == "connection"
