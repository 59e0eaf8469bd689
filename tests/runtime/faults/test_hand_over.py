"""A lease on its way from one process to another: at no moment is it anybody's but one's."""

import threading

import pytest
import redis

from redis_guard.runtime import CoordinationUnavailable, LockLost
from redis_guard.testing import Server
from tests.runtime.faults.child import Child
from tests.runtime.faults.conftest import Coordinate
from tests.runtime.faults.heard import Heard, quickest, until
from tests.runtime.proxy import Proxy
from tests.runtime.worlds import AnyLease, World

LOCK = "coordination:lock_closed:1"


def test_of_many_adopters_one_wins(coordinate: Coordinate, server: Server, client: redis.Redis) -> None:
    coordination = coordinate(server.url)
    lease = coordination.lock("lock_closed", 1).try_acquire()
    assert lease is not None
    text = lease.export()
    adopted: list[AnyLease] = []
    refused: list[LockLost] = []
    together = threading.Barrier(6)

    def adopt() -> None:
        together.wait()
        try:
            adopted.append(coordination.adopt(text))
        except LockLost as error:
            refused.append(error)

    threads = [threading.Thread(target=adopt) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert (len(adopted), len(refused)) == (1, 5)
    assert client.get(LOCK) == adopted[0].token.encode()


def test_another_process_adopts_and_releases(
    world: World, coordinate: Coordinate, server: Server, client: redis.Redis
) -> None:
    coordination = coordinate(server.url)
    body = """
    with coordination.adopt(heard()) as lease:
        say(lease.token, lease.fence)
        heard()
        lease.check()
    say("released")
    """
    with Child.coordinating(body, world.name, server.url) as child:
        with coordination.lock("lock_fenced", 1) as lease:
            child.tell(lease.export())
            token, fence = child.says().split()
            with pytest.raises(LockLost, match="handed on"):
                lease.check()
        # The exporter's exit left the adopter's lock alone.
        assert client.get("coordination:lock_fenced:1") == token.encode()
        assert int(fence) == lease.fence
        child.tell()
        assert child.says() == "released"
    assert not client.exists("coordination:lock_fenced:1")


def test_the_exporter_does_not_renew_any_more(
    coordinate: Coordinate, server: Server, client: redis.Redis, heard: Heard
) -> None:
    coordination = coordinate(server.url)
    lease = coordination.lock("lock_renewed", 1).try_acquire()
    assert lease is not None
    heard.wait_for("lock_renewed", "renewed")
    lease.export()
    renewed = heard.outcomes("lock_renewed").count("renewed")

    until(lambda: not client.exists("coordination:lock_renewed:1"))

    assert heard.outcomes("lock_renewed").count("renewed") == renewed


def test_the_adopter_renews(
    coordinate: Coordinate, server: Server, client: redis.Redis, heard: Heard
) -> None:
    coordination = coordinate(server.url)
    lease = coordination.lock("lock_renewed", 1).try_acquire()
    assert lease is not None
    text = lease.export()

    with coordination.adopt(text) as adopted:
        heard.wait_for("lock_renewed", "renewed", 3)
        adopted.check()
        assert client.get("coordination:lock_renewed:1") == adopted.token.encode()


def test_the_rest_of_max_hold_is_carried(coordinate: Coordinate, server: Server, heard: Heard) -> None:
    coordination = coordinate(server.url)

    def hold() -> None:
        lease = coordination.lock("lock_held_briefly", 1, wait=10).try_acquire()
        assert lease is not None
        heard.wait_for(
            "lock_held_briefly", "renewed", heard.outcomes("lock_held_briefly").count("renewed") + 3
        )
        adopted = coordination.adopt(lease.export())
        assert adopted.lost.wait(10)
        with pytest.raises(LockLost, match="max_hold"):
            adopted.check()

    # 1.5 s for both together; three renewals after 0.6 s, and 1.5 s anew, would be more than two.
    quickest(hold, below=1.9)


def test_adopting_what_expired_is_a_lost_lock(
    coordinate: Coordinate, server: Server, client: redis.Redis
) -> None:
    coordination = coordinate(server.url)
    lease = coordination.lock("lock_closed", 1).try_acquire()
    assert lease is not None
    text = lease.export()
    client.delete(LOCK)

    with pytest.raises(LockLost):
        coordination.adopt(text)

    assert not client.exists(LOCK)


def test_an_adopters_validity_is_what_the_key_has_left(
    coordinate: Coordinate, server: Server, client: redis.Redis
) -> None:
    coordination = coordinate(server.url)
    lease = coordination.lock("lock_closed", 1).try_acquire()
    assert lease is not None
    text = lease.export()
    client.pexpire(LOCK, 5_000)

    adopted = coordination.adopt(text)

    assert adopted.remaining <= client.pttl(LOCK) / 1000


def test_adopting_from_a_server_that_is_away_is_unavailable_under_any_policy(
    coordinate: Coordinate, proxy: Proxy
) -> None:
    coordination = coordinate(proxy.url)
    lease = coordination.lock("lock_open", 1).try_acquire()
    assert lease is not None
    text = lease.export()
    proxy.refuse()
    proxy.cut()

    with pytest.raises(CoordinationUnavailable):
        coordination.adopt(text)


def test_a_degraded_lease_cannot_be_handed_on(coordinate: Coordinate, proxy: Proxy) -> None:
    coordination = coordinate(proxy.url)
    proxy.refuse()
    proxy.cut()

    with coordination.lock("lock_open", 1) as lease, pytest.raises(LockLost, match="degraded"):
        lease.export()


def test_a_degraded_leases_exit_removes_what_was_written_after_all(
    coordinate: Coordinate, proxy: Proxy, client: redis.Redis, heard: Heard, world: World
) -> None:
    coordination = coordinate(proxy.url, deadline=0.8)
    # Written, but neither told nor cleaned up.
    for _ in range(2):
        proxy.drop_reply("evalsha")
    proxy.lose("evalsha", nth=3)

    with coordination.lock("lock_open", 1) as lease:
        assert lease.degraded
        # Under asyncio the clean-up is done again meanwhile, which may be before this looks.
        if world.name == "sync":
            assert client.get("coordination:lock_open:1") == lease.token.encode()

    assert not client.exists("coordination:lock_open:1")
    assert heard.outcomes("lock_open")[0] == "degraded"


def test_a_degraded_leases_exit_leaves_another_holder_alone(
    coordinate: Coordinate, proxy: Proxy, client: redis.Redis
) -> None:
    coordination = coordinate(proxy.url)
    proxy.refuse()
    proxy.cut()
    with coordination.lock("lock_open", 1) as lease:
        assert lease.degraded
        proxy.accept()
        client.set("coordination:lock_open:1", "another", px=30_000)

    assert client.get("coordination:lock_open:1") == b"another"
