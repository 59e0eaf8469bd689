"""A lock that somebody deletes, takes or spoils by hand: its holder is told, and nobody is hurt a second time."""

import pytest
import redis

from redis_guard.runtime import LockLost, LockStuck
from redis_guard.testing import Server
from tests.runtime.faults.conftest import Coordinate
from tests.runtime.faults.heard import Heard, in_background, quickest, until
from tests.runtime.proxy import Proxy

RENEWED = "coordination:lock_renewed:1"
LOCK = "coordination:lock_closed:1"


@pytest.mark.parametrize("way", ["deleted", "stolen", "turned into a list"])
def test_an_intruder_is_told_by_the_next_renewal_and_left_alone(
    coordinate: Coordinate, server: Server, client: redis.Redis, heard: Heard, way: str
) -> None:
    coordination = coordinate(server.url)
    told: list[str] = []
    lease = coordination.lock("lock_renewed", 1, on_lost=told.append).try_acquire()
    assert lease is not None

    intrude(client, RENEWED, way)
    before = client.dump(RENEWED)

    assert lease.lost.wait(10)
    with pytest.raises(LockLost):
        lease.check()
    with pytest.raises(LockLost):
        lease.release()
    until(lambda: told)
    assert len(told) == 1
    assert lease.remaining == 0
    assert client.dump(RENEWED) == before
    assert heard.outcomes("lock_renewed").count("lost") == 1


@pytest.mark.parametrize("way", ["deleted", "stolen", "turned into a list"])
def test_an_intruder_is_told_at_the_exit_and_left_alone(
    coordinate: Coordinate, server: Server, client: redis.Redis, heard: Heard, way: str
) -> None:
    coordination = coordinate(server.url)
    with pytest.raises(LockLost), coordination.lock("lock_closed", 1):
        intrude(client, LOCK, way)
        before = client.dump(LOCK)

    assert client.dump(LOCK) == before
    assert heard.outcomes("lock_closed") == ["acquired", "lost"]


def test_an_intruder_does_not_hide_the_error_that_is_on_its_way(
    coordinate: Coordinate, server: Server, client: redis.Redis, heard: Heard
) -> None:
    coordination = coordinate(server.url)
    with pytest.raises(ZeroDivisionError), coordination.lock("lock_closed", 1):
        intrude(client, LOCK, "stolen")
        raise ZeroDivisionError

    assert heard.outcomes("lock_closed") == ["acquired", "lost"]


def intrude(client: redis.Redis, key: str, way: str) -> None:
    client.delete(key)
    if way == "stolen":
        client.set(key, "an intruder", px=300_000)
    elif way == "turned into a list":
        client.rpush(key, "an element")


def test_a_renewal_never_makes_a_missing_key_anew(
    coordinate: Coordinate, proxy: Proxy, client: redis.Redis
) -> None:
    coordination = coordinate(proxy.url)
    lease = coordination.lock("lock_renewed", 1).try_acquire()
    assert lease is not None
    renewal = proxy.hold("evalsha")
    renewal.wait()
    client.delete(RENEWED)

    renewal.deliver()

    assert lease.lost.wait(10)
    assert not client.exists(RENEWED)


def test_a_renewal_that_arrives_after_the_release_prolongs_nothing(
    coordinate: Coordinate, proxy: Proxy, client: redis.Redis
) -> None:
    coordination = coordinate(proxy.url)
    lease = coordination.lock("lock_renewed", 1).try_acquire()
    assert lease is not None
    late = proxy.hold("evalsha")
    late.wait()
    lease.release()
    assert client.set(RENEWED, "the next", nx=True, px=300)

    late.deliver()

    assert client.get(RENEWED) == b"the next"
    assert client.pttl(RENEWED) <= 300
    assert not lease.lost


def test_nothing_is_renewed_after_the_release(coordinate: Coordinate, proxy: Proxy, heard: Heard) -> None:
    coordination = coordinate(proxy.url)
    lease = coordination.lock("lock_renewed", 1).try_acquire()
    assert lease is not None
    heard.wait_for("lock_renewed", "renewed")
    lease.release()
    before = len(proxy.commands)

    # Another lease passes the time: by its second renewal the first one would have had one too.
    with coordination.lock("lock_renewed", 2):
        heard.wait_for("lock_renewed", "renewed", heard.outcomes("lock_renewed").count("renewed") + 2)

    assert not [command for command in proxy.commands[before:] if RENEWED.encode() in command]


def test_a_renewal_survives_connections_that_are_cut(
    coordinate: Coordinate, proxy: Proxy, client: redis.Redis, heard: Heard
) -> None:
    coordination = coordinate(proxy.url)
    with coordination.lock("lock_renewed", 1) as lease:
        for times in (1, 2):
            proxy.cut()
            heard.wait_for("lock_renewed", "renewed", times)
        lease.check()
        assert client.get(RENEWED) == lease.token.encode()


def test_a_renewal_survives_an_outage_shorter_than_the_lease(
    coordinate: Coordinate, proxy: Proxy, heard: Heard
) -> None:
    coordination = coordinate(proxy.url)
    with coordination.lock("lock_renewed", 1) as lease:
        proxy.refuse()
        proxy.cut()
        heard.wait_for("lock_renewed", "unavailable")
        proxy.accept()
        heard.wait_for("lock_renewed", "renewed")
        lease.check()


def test_a_holder_is_told_before_the_key_expires_when_no_renewal_gets_through(
    coordinate: Coordinate, proxy: Proxy, client: redis.Redis, heard: Heard
) -> None:
    coordination = coordinate(proxy.url)
    told: list[int] = []
    lock = coordination.lock("lock_renewed", 1, on_lost=lambda _: told.append(client.exists(RENEWED)))
    lease = lock.try_acquire()
    assert lease is not None

    proxy.refuse()
    proxy.cut()

    assert lease.lost.wait(10)
    with pytest.raises(LockLost, match="renewed in time"):
        lease.check()
    until(lambda: told)
    assert "unavailable" in heard.outcomes("lock_renewed")
    # A machine that dawdles may be late with the call itself; `check()` had refused by then.
    assert len(told) == 1


@pytest.mark.parametrize("wait", [0, 60])
def test_a_key_without_lifetime_is_stuck_at_once(
    coordinate: Coordinate, server: Server, client: redis.Redis, heard: Heard, wait: float
) -> None:
    coordination = coordinate(server.url)
    client.set(LOCK, "left by older code")

    def stuck() -> None:
        with pytest.raises(LockStuck), coordination.lock("lock_closed", 1, wait=wait):
            pytest.fail("the body ran")

    quickest(stuck, below=1)

    assert client.get(LOCK) == b"left by older code"
    assert set(heard.outcomes("lock_closed")) == {"stuck"}


def test_a_key_that_loses_its_lifetime_during_a_wait_is_stuck(
    coordinate: Coordinate, server: Server, client: redis.Redis
) -> None:
    coordination = coordinate(server.url)
    client.set(LOCK, "older code", px=300_000)

    def wait() -> None:
        with pytest.raises(LockStuck), coordination.lock("lock_closed", 1, wait=60):
            pytest.fail("the body ran")

    with in_background(wait):
        until(lambda: client.pubsub_numsub(f"{LOCK}:wake")[0][1])
        client.persist(LOCK)


def test_a_counter_without_lifetime_is_healed(
    coordinate: Coordinate, server: Server, client: redis.Redis, heard: Heard
) -> None:
    coordination = coordinate(server.url)
    client.set("coordination:counter_closed:1", 3)

    count = coordination.counter("counter_closed", 1).increment()

    assert (count.value, count.resets_in) == (4, 3600)
    assert 0 < client.pttl("coordination:counter_closed:1") <= 3_600_000
    assert heard.outcomes("counter_closed") == ["healed"]
