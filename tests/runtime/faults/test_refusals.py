"""A server that answers, but refuses: each refusal is told by its name, and ends by policy."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis

from redis_guard.runtime import CoordinationMistake, CoordinationUnavailable
from redis_guard.testing import Server
from redis_guard.testing.binary import version_of
from tests.runtime.faults.cells import CELLS, WITH_KEYS, every_cell
from tests.runtime.faults.conftest import Coordinate
from tests.runtime.faults.heard import Heard, in_background, until
from tests.runtime.proxy import Proxy

StartServer = Callable[..., Server]

LOCK = "coordination:lock_closed:1"
SIGNALS = tuple(name for name in CELLS if name.startswith("signal"))


@contextmanager
def set_to(client: redis.Redis, directive: str, value: str) -> Iterator[None]:
    before = client.config_get(directive)[directive]
    client.config_set(directive, value)
    try:
        yield
    finally:
        client.config_set(directive, before)


def test_full_memory_ends_by_policy(
    coordinate: Coordinate, server: Server, client: redis.Redis, heard: Heard
) -> None:
    coordination = coordinate(server.url)
    with set_to(client, "maxmemory", "1"):
        every_cell(coordination, heard, "oom", of=WITH_KEYS)
        assert not client.dbsize()


def test_full_memory_does_not_hinder_a_release(
    coordinate: Coordinate, server: Server, client: redis.Redis, heard: Heard
) -> None:
    coordination = coordinate(server.url)
    with coordination.lock("lock_closed", 1):
        client.config_set("maxmemory", "1")
    client.config_set("maxmemory", "0")

    assert not client.exists(LOCK)
    assert heard.outcomes("lock_closed") == ["acquired", "released"]


def test_full_memory_does_not_hinder_a_renewal(
    coordinate: Coordinate, server: Server, client: redis.Redis, heard: Heard
) -> None:
    coordination = coordinate(server.url)
    with coordination.lock("lock_renewed", 1) as lease:
        with set_to(client, "maxmemory", "1"):
            heard.wait_for("lock_renewed", "renewed")
        lease.check()


def test_full_memory_does_not_hinder_a_signal(
    coordinate: Coordinate, server: Server, client: redis.Redis
) -> None:
    coordination = coordinate(server.url)
    with set_to(client, "maxmemory", "1"):
        assert not coordination.signal("signal_closed").send("marker").degraded


def test_too_few_replicas_end_by_policy(
    coordinate: Coordinate, server: Server, client: redis.Redis, heard: Heard
) -> None:
    coordination = coordinate(server.url)
    with set_to(client, "min-replicas-to-write", "1"):
        every_cell(coordination, heard, "noreplicas", of=WITH_KEYS)
        assert not client.dbsize()


def test_too_few_replicas_at_the_exit_of_a_good_block_leave_the_lock_to_its_ttl(
    coordinate: Coordinate, server: Server, client: redis.Redis, heard: Heard
) -> None:
    coordination = coordinate(server.url)
    with coordination.lock("lock_closed", 1):
        client.config_set("min-replicas-to-write", "1")
    client.config_set("min-replicas-to-write", "0")

    assert 0 < client.pttl(LOCK) <= 30_000
    assert heard.classes("lock_closed") == [None, "noreplicas"]


def test_a_disk_that_fails_ends_by_policy(
    coordinate: Coordinate, start_server: StartServer, heard: Heard
) -> None:
    server = start_server(config={"save": "3600 1", "dbfilename": "taken"})
    # No snapshot can take the name of a folder.
    (server.folder / "taken").mkdir()
    with server.connect() as client:
        client.bgsave()
        until(lambda: client.info("persistence")["rdb_last_bgsave_status"] == "err")
        coordination = coordinate(server.url)

        every_cell(coordination, heard, "misconf", of=WITH_KEYS)

        assert not client.dbsize()


def test_a_replica_ends_by_policy(coordinate: Coordinate, start_server: StartServer, heard: Heard) -> None:
    server = start_server()
    coordination = coordinate(server.url)
    with server.connect() as client:
        # Nobody listens there: it is a replica that stays alone.
        client.replicaof(server.host, 1)

        every_cell(coordination, heard, "readonly", of=WITH_KEYS)


def test_a_replica_that_may_not_serve_ends_by_policy(
    coordinate: Coordinate, start_server: StartServer, heard: Heard
) -> None:
    server = start_server(config={"replica-serve-stale-data": "no"})
    coordination = coordinate(server.url)
    with server.connect() as client:
        client.replicaof(server.host, 1)

        every_cell(coordination, heard, "clusterdown", of=WITH_KEYS)


def test_a_server_that_became_a_replica_is_looked_for_anew_once(
    coordinate: Coordinate, proxy: Proxy, heard: Heard
) -> None:
    coordination = coordinate(proxy.url)
    opened = proxy.connections
    proxy.answer("evalsha", b"-READONLY You can't write against a read only replica.\r\n")

    with coordination.lock("lock_closed", 1) as lease:
        lease.check()
    proxy.answer("evalsha", b"-READONLY You can't write against a read only replica.\r\n")
    assert coordination.counter("counter_closed", 1).increment().value == 1

    assert proxy.connections == opened + 2
    assert heard.outcomes("lock_closed") == ["acquired", "released"]


def test_a_server_that_loads_its_data_ends_by_policy(
    coordinate: Coordinate, start_server: StartServer, heard: Heard, binary: Path | None
) -> None:
    if binary and version_of(binary) < ("Redis", (7,)):
        pytest.skip("while it loads it looks at its clients every two megabytes alone")
    slow = {
        "save": "3600 1",
        "rdbcompression": "no",
        "key-load-delay": "20000",
        "loading-process-events-interval-bytes": "1024",
    }
    server = start_server(config=slow)
    coordination = coordinate(server.url)
    with server.connect() as client:
        for number in range(100):
            client.set(f"key:{number}", "x" * 512)
    server.restart(loaded=False)

    every_cell(coordination, heard, "loading", of=WITH_KEYS)


def test_a_server_that_runs_a_long_script_ends_by_policy(
    coordinate: Coordinate, start_server: StartServer, heard: Heard
) -> None:
    server = start_server(config={"lua-time-limit": "10"})
    coordination = coordinate(server.url)

    def loop() -> None:
        with server.connect() as busy, pytest.raises(redis.ResponseError, match="killed"):
            busy.eval("while true do end", 0)

    with server.connect() as client, in_background(loop):
        until(lambda: is_busy(client))
        every_cell(coordination, heard, "busy")
        client.script_kill()


def is_busy(client: redis.Redis) -> bool:
    try:
        client.ping()
    except redis.ResponseError as error:
        return str(error).startswith("BUSY")
    return False


def test_no_room_for_another_client_ends_by_policy(
    coordinate: Coordinate, start_server: StartServer, heard: Heard
) -> None:
    server = start_server()
    coordination = coordinate(server.url, start=False)
    with server.connect() as client:
        client.config_set("maxclients", "1")

        for name, cell in CELLS.items():
            cell(coordination)
            # The server says why and hangs up at once: who is still writing then may not get to read it.
            assert heard.classes(name)[0] in ("maxclients", "connection")


def test_many_waiters_share_one_subscription(
    coordinate: Coordinate, server: Server, client: redis.Redis
) -> None:
    coordination = coordinate(server.url)
    for number in range(3):
        client.set(f"coordination:lock_closed:{number}", "another", px=300_000)

    def wait(number: int) -> None:
        with coordination.lock("lock_closed", number, wait=30):
            pass

    threads = [threading.Thread(target=wait, args=(number % 3,)) for number in range(12)]
    for thread in threads:
        thread.start()
    channels = [f"coordination:lock_closed:{number}:wake" for number in range(3)]
    until(lambda: all(count for _, count in client.pubsub_numsub(*channels)))

    # Those of other tests may take a moment to be gone.
    until(lambda: len(client.client_list(_type="pubsub")) == 1)

    for number, channel in enumerate(channels):
        client.delete(f"coordination:lock_closed:{number}")
        client.publish(channel, "")
    for thread in threads:
        thread.join()
    assert len(client.client_list(_type="pubsub")) == 1


WRONG_TYPES = {
    "lock_closed": lambda c: c.lock("lock_closed", 1).try_acquire(),
    "lock_open": lambda c: c.lock("lock_open", 1).try_acquire(),
    "lock_fenced_open": lambda c: c.lock("lock_fenced_open", 1).try_acquire(),
    "claim_open": lambda c: c.claim("claim_open", 1),
    "counter_open": lambda c: c.counter("counter_open", 1).increment(),
    "counter_fallback": lambda c: c.counter("counter_fallback", 1).increment(),
}


@pytest.mark.parametrize("name", list(WRONG_TYPES))
def test_a_key_of_another_type_is_a_mistake_under_any_policy(
    coordinate: Coordinate, server: Server, client: redis.Redis, heard: Heard, name: str
) -> None:
    coordination = coordinate(server.url)
    client.rpush(f"coordination:{name}:1", "an element")

    with pytest.raises(CoordinationMistake) as raised:
        WRONG_TYPES[name](coordination)

    assert raised.value.error_class == "wrongtype"
    assert (heard.outcomes(name), heard.classes(name)) == (["error"], ["wrongtype"])
    assert client.type(f"coordination:{name}:1") == b"list"


def test_a_counter_that_holds_no_number_is_a_mistake(
    coordinate: Coordinate, server: Server, client: redis.Redis
) -> None:
    coordination = coordinate(server.url)
    client.set("coordination:counter_fallback:1", "not a number")
    counter = coordination.counter("counter_fallback", 1)

    for act in (counter.increment, counter.value):
        with pytest.raises(CoordinationMistake, match="wrongtype"):
            act()


def test_a_fence_key_that_holds_no_fence_is_a_mistake_and_leaves_no_lock(
    coordinate: Coordinate, server: Server, client: redis.Redis
) -> None:
    coordination = coordinate(server.url)
    client.set("{coordination:lock_fenced_open:1}:fence", "not a number")

    with pytest.raises(CoordinationMistake, match="wrongtype"):
        coordination.lock("lock_fenced_open", 1).try_acquire()

    assert not client.exists("coordination:lock_fenced_open:1")


def test_a_refusal_is_not_ambiguous_and_needs_no_clean_up(coordinate: Coordinate, proxy: Proxy) -> None:
    coordination = coordinate(proxy.url)
    proxy.answer("evalsha", b"-OOM command not allowed when used memory > 'maxmemory'.\r\n")

    with pytest.raises(CoordinationUnavailable) as raised:
        coordination.lock("lock_closed", 1).try_acquire()

    assert raised.value.error_class == "oom"
    # Refused is not ambiguous: there was nothing to clean up.
    assert proxy.count("evalsha") == 1
