"""A server that is gone, stands still, or is new: the caller is told in time, and nothing is done behind his back."""

from collections.abc import Callable

import pytest
import redis

from redis_guard.runtime import CoordinationUnavailable, LockLost
from redis_guard.testing import Server
from tests.runtime.faults.cells import CELLS
from tests.runtime.faults.conftest import Coordinate
from tests.runtime.faults.heard import Heard, in_background, quickest, until
from tests.runtime.faults.registered import SHORT
from tests.runtime.proxy import Proxy

StartServer = Callable[..., Server]

CLOSED = ("lock_closed", "claim_closed", "counter_closed", "signal_closed")
EACH_PRIMITIVE = pytest.mark.parametrize("cell", CLOSED)
LOCK = "coordination:lock_closed:1"
CLAIM = "coordination:claim_closed:1"


def calls(client: redis.Redis, command: str) -> int:
    """How often the server has carried it out."""
    stats = client.info("commandstats").get(f"cmdstat_{command}", {"calls": 0})
    return int(stats["calls"])


@EACH_PRIMITIVE
def test_a_stopped_server_is_told_within_the_deadline(
    coordinate: Coordinate, start_server: StartServer, cell: str
) -> None:
    server = start_server()
    coordination = coordinate(server.url, deadline=SHORT, connect_deadline=SHORT)
    server.pause()

    quickest(lambda: CELLS[cell](coordination), below=3 * SHORT)

    server.resume()


@EACH_PRIMITIVE
def test_a_server_that_refuses_is_told_without_waiting_for_the_deadline(
    coordinate: Coordinate, proxy: Proxy, cell: str
) -> None:
    coordination = coordinate(proxy.url)
    proxy.refuse()
    proxy.cut()

    quickest(lambda: CELLS[cell](coordination), below=0.2)


@EACH_PRIMITIVE
def test_a_first_connection_to_a_stopped_server_is_bounded_by_its_own_deadline(
    coordinate: Coordinate, start_server: StartServer, cell: str
) -> None:
    server = start_server()
    coordination = coordinate(server.url, deadline=30, connect_deadline=SHORT, start=False)
    server.pause()

    quickest(lambda: CELLS[cell](coordination), below=3 * SHORT)

    server.resume()


def test_an_outage_in_the_middle_of_a_wait_ends_it(coordinate: Coordinate, start_server: StartServer) -> None:
    server = start_server()
    coordination = coordinate(server.url, deadline=SHORT, connect_deadline=SHORT)
    with server.connect() as client:
        client.set(LOCK, "another", px=300_000)
        wait = coordination.lock("lock_closed", 1, wait=60)

        def wait_in_vain() -> None:
            with pytest.raises(CoordinationUnavailable), wait:
                pytest.fail("the body ran")

        with in_background(wait_in_vain):
            until(lambda: client.pubsub_numsub(f"{LOCK}:wake")[0][1])
            server.kill()


def test_an_acquire_queued_at_a_stopped_server_is_declined_when_it_resumes(
    coordinate: Coordinate, start_server: StartServer
) -> None:
    server = start_server()
    coordination = coordinate(server.url, deadline=SHORT, connect_deadline=SHORT)
    server.pause()
    with pytest.raises(CoordinationUnavailable), coordination.lock("lock_closed", 1):
        pytest.fail("the body ran")

    server.resume()

    with server.connect() as client:
        until(lambda: calls(client, "evalsha"))
        assert not client.exists(LOCK)


def test_a_claim_queued_at_a_stopped_server_is_declined_when_it_resumes(
    coordinate: Coordinate, start_server: StartServer
) -> None:
    server = start_server()
    coordination = coordinate(server.url, deadline=SHORT, connect_deadline=SHORT)
    server.pause()
    with pytest.raises(CoordinationUnavailable):
        coordination.claim("claim_closed", 1, by="job:7")

    server.resume()

    with server.connect() as client:
        until(lambda: calls(client, "evalsha"))
        assert not client.exists(CLAIM)


def test_a_count_queued_at_a_stopped_server_is_declined_when_it_resumes(
    coordinate: Coordinate, start_server: StartServer
) -> None:
    server = start_server()
    coordination = coordinate(server.url, deadline=SHORT, connect_deadline=SHORT)
    server.pause()
    with pytest.raises(CoordinationUnavailable, match="ambiguous"):
        coordination.counter("counter_closed", 1).increment()

    server.resume()

    with server.connect() as client:
        until(lambda: calls(client, "evalsha"))
        assert not client.exists("coordination:counter_closed:1")


def test_before_the_servers_time_is_known_a_queued_acquire_costs_nothing_at_all(
    coordinate: Coordinate, start_server: StartServer
) -> None:
    server = start_server()
    coordination = coordinate(server.url, deadline=SHORT, connect_deadline=SHORT, start=False)
    server.pause()
    with pytest.raises(CoordinationUnavailable), coordination.lock("lock_closed", 1):
        pytest.fail("the body ran")

    server.resume()

    # A connection asks for the time before it carries anything else.
    with server.connect() as client:
        assert coordination.lock("lock_closed", 2).try_acquire()
        assert not client.exists(LOCK)


def test_a_sleeping_server_is_told_and_declines_what_is_queued(
    coordinate: Coordinate, start_server: StartServer
) -> None:
    server = start_server()
    coordination = coordinate(server.url, deadline=SHORT, connect_deadline=SHORT)
    with server.connect() as client, server.connect(socket_timeout=0.05, retry=None) as hasty:
        with in_background(lambda: client.execute_command("DEBUG", "SLEEP", "0.6")):
            until(lambda: not answers(hasty))
            with pytest.raises(CoordinationUnavailable), coordination.lock("lock_closed", 1):
                pytest.fail("the body ran")
        until(lambda: calls(client, "evalsha"))
        assert not client.exists(LOCK)


def test_a_server_that_keeps_clients_waiting_is_told_and_forgets_who_went_away(
    coordinate: Coordinate, start_server: StartServer
) -> None:
    server = start_server()
    coordination = coordinate(server.url, deadline=SHORT, connect_deadline=SHORT)
    with server.connect() as client:
        client.client_pause(600, all=True)
        with pytest.raises(CoordinationUnavailable), coordination.lock("lock_closed", 1):
            pytest.fail("the body ran")
        # Answered when the pause is over.
        assert not client.exists(LOCK)


def answers(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.TimeoutError:
        return False


def test_after_an_outage_the_next_call_works(coordinate: Coordinate, start_server: StartServer) -> None:
    server = start_server()
    coordination = coordinate(server.url, deadline=0.4, connect_deadline=SHORT)
    server.pause()
    for cell in CLOSED:
        CELLS[cell](coordination)

    server.resume()

    with server.connect() as client:
        # What was queued has been declined by then.
        client.ping()
    until(lambda: coordination.counter("counter_open", 1).increment().value == 1)
    with coordination.lock("lock_closed", 1) as lease:
        lease.check()


def test_a_black_hole_is_left_for_a_new_connection(coordinate: Coordinate, proxy: Proxy) -> None:
    coordination = coordinate(proxy.url, deadline=0.4)
    proxy.blackhole()
    with pytest.raises(CoordinationUnavailable), coordination.lock("lock_closed", 1):
        pytest.fail("the body ran")

    proxy.heal()

    with coordination.lock("lock_closed", 1) as lease:
        lease.check()


def test_a_half_closed_connection_is_left_before_anything_is_sent_on_it(
    coordinate: Coordinate, proxy: Proxy, client: redis.Redis
) -> None:
    coordination = coordinate(proxy.url)
    opened = proxy.connections
    proxy.half_close()

    # A count could not be repeated.
    assert coordination.counter("counter_closed", 1).increment().value == 1

    assert proxy.connections == opened + 1
    assert client.get("coordination:counter_closed:1") == b"1"


def test_a_connection_half_closed_in_the_middle_of_an_exchange_is_replaced(
    coordinate: Coordinate, proxy: Proxy
) -> None:
    coordination = coordinate(proxy.url, deadline=0.6)
    held = proxy.hold_reply("evalsha")

    def close() -> None:
        held.wait()
        proxy.half_close()

    with in_background(close), coordination.lock("lock_closed", 1) as lease:
        lease.check()


def test_a_slow_reply_within_the_deadline_is_an_answer_like_any_other(
    coordinate: Coordinate, proxy: Proxy, heard: Heard
) -> None:
    coordination = coordinate(proxy.url, deadline=30)
    slow = proxy.hold_reply("evalsha")

    def deliver() -> None:
        slow.wait()
        slow.deliver()

    with in_background(deliver):
        assert coordination.counter("counter_closed", 1).increment().value == 1
    assert heard.outcomes("counter_closed") == ["counted"]


def test_a_reply_that_comes_too_late_is_nobody_elses_answer(coordinate: Coordinate, proxy: Proxy) -> None:
    coordination = coordinate(proxy.url, deadline=0.4)
    counter = coordination.counter("counter_closed", 1)
    late = proxy.hold_reply("evalsha")
    with pytest.raises(CoordinationUnavailable, match="ambiguous"):
        counter.increment(100)
    late.deliver()

    assert coordination.counter("counter_closed", 2).increment().value == 1
    assert counter.value() == 100


def test_a_flushed_script_is_sent_again_without_anybody_noticing(
    coordinate: Coordinate, proxy: Proxy, client: redis.Redis, heard: Heard
) -> None:
    coordination = coordinate(proxy.url)
    renewed = coordination.lock("lock_renewed", 1).try_acquire()
    assert renewed is not None
    counter = coordination.counter("counter_closed", 1)
    client.script_flush()
    heard.wait_for("lock_renewed", "renewed")
    for act in (
        lambda: counter.increment(),
        lambda: counter.value(),
        lambda: counter.reset(),
        lambda: coordination.claim("claim_closed", 1),
        lambda: coordination.adopt(renewed.export()).release(),
    ):
        client.script_flush()
        sent = proxy.count("eval")
        act()
        assert proxy.count("eval") > sent
    client.script_flush()
    with coordination.lock("lock_closed", 1) as lease:
        client.script_flush()
        lease.check()

    assert counter.increment().value == 1
    assert {told.error_class for told in heard.told} == {None}


def test_a_script_is_sent_whole_once_and_then_known(coordinate: Coordinate, proxy: Proxy) -> None:
    coordination = coordinate(proxy.url, start=False)
    for _ in range(3):
        coordination.counter("counter_closed", 1).increment()

    assert (proxy.count("eval"), proxy.count("evalsha")) == (1, 3)


@EACH_PRIMITIVE
def test_a_restart_between_two_calls_is_not_noticed(
    coordinate: Coordinate, start_server: StartServer, heard: Heard, cell: str
) -> None:
    server = start_server()
    coordination = coordinate(server.url)
    acts: dict[str, Callable[[], object]] = {
        "lock_closed": lambda: coordination.lock("lock_closed", 1).__enter__().release(),
        "claim_closed": lambda: coordination.claim("claim_closed", 1),
        "counter_closed": lambda: coordination.counter("counter_closed", 1).increment(),
        "signal_closed": lambda: coordination.signal("signal_closed").send(),
    }
    acts[cell]()

    server.kill()
    server.restart()

    acts[cell]()
    assert {told.error_class for told in heard.told} == {None}


def test_a_lock_that_a_restart_has_lost_is_told_at_its_exit(
    coordinate: Coordinate, start_server: StartServer, heard: Heard
) -> None:
    server = start_server()
    coordination = coordinate(server.url)
    with pytest.raises(LockLost), coordination.lock("lock_closed", 1):
        server.kill()
        server.restart()

    assert heard.outcomes("lock_closed") == ["acquired", "lost"]


def test_a_flushed_lock_is_told_by_the_next_renewal(
    coordinate: Coordinate, client: redis.Redis, server: Server, heard: Heard
) -> None:
    coordination = coordinate(server.url)
    told: list[str] = []
    lease = coordination.lock("lock_renewed", 1, on_lost=told.append).try_acquire()
    assert lease is not None

    client.flushall()

    assert lease.lost.wait(10)
    with pytest.raises(LockLost):
        lease.check()
    until(lambda: told)
    assert len(told) == 1
    assert not client.exists("coordination:lock_renewed:1")


def test_a_claim_may_repeat_after_a_flush(
    coordinate: Coordinate, client: redis.Redis, server: Server
) -> None:
    coordination = coordinate(server.url)
    assert coordination.claim("claim_closed", 1)

    client.flushall()

    assert coordination.claim("claim_closed", 1)


def test_a_server_that_keeps_its_data_keeps_locks_and_claims_over_a_crash(
    coordinate: Coordinate, start_server: StartServer
) -> None:
    server = start_server(config={"appendonly": "yes", "appendfsync": "always"})
    coordination = coordinate(server.url)
    with coordination.lock("lock_closed", 1) as lease:
        assert coordination.claim("claim_closed", 1)
        server.kill()
        server.restart()
        lease.check()

    assert not coordination.claim("claim_closed", 1)
