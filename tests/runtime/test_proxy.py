"""The proxy does to a connection what its methods say, and only when it is told."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import redis
import redis.asyncio

from redis_guard.testing import Server
from tests.runtime.frames import Splitter, pushed, words
from tests.runtime.proxy import Proxy


@pytest.fixture
def through(proxy: Proxy) -> Iterator[redis.Redis]:
    with redis.Redis(proxy.host, proxy.port, retry=None, socket_timeout=0.05) as client:
        client.ping()
        yield client


def test_what_nobody_planned_passes_and_is_counted(proxy: Proxy, through: redis.Redis) -> None:
    through.set("key", "value")
    with through.pipeline(transaction=True) as pipe:
        assert pipe.incr("counter").get("key").execute() == [1, b"value"]

    assert proxy.count("set") == 1
    assert (b"GET", b"key") in proxy.commands
    assert proxy.connections == 1


@pytest.mark.parametrize("close", [False, True])
def test_a_dropped_reply_leaves_the_work_done(
    proxy: Proxy, through: redis.Redis, client: redis.Redis, close: bool
) -> None:
    dropped = proxy.drop_reply("INCRBY", nth=2, close=close)
    through.incr("key")
    assert not dropped.happened

    with pytest.raises(redis.ConnectionError if close else redis.TimeoutError):
        through.incr("key")

    dropped.wait()
    assert client.get("key") == b"2"
    assert through.incr("key") == 3


@pytest.mark.parametrize("close", [False, True])
def test_a_lost_request_does_nothing(
    proxy: Proxy, through: redis.Redis, client: redis.Redis, close: bool
) -> None:
    lost = proxy.lose("SET", close=close)

    with pytest.raises(redis.ConnectionError if close else redis.TimeoutError):
        through.set("key", "value")

    lost.wait()
    assert client.get("key") is None


def test_a_held_request_takes_effect_after_its_client_has_gone(
    proxy: Proxy, through: redis.Redis, client: redis.Redis
) -> None:
    held = proxy.hold("SET")
    with pytest.raises(redis.TimeoutError):
        through.set("key", "late")
    held.wait()
    through.close()
    through.set("key", "early")

    held.deliver()

    assert client.get("key") == b"late"


def test_a_held_reply_arrives_when_it_is_let_go(
    proxy: Proxy, through: redis.Redis, client: redis.Redis
) -> None:
    held = proxy.hold_reply("SET")
    with redis.Redis(proxy.host, proxy.port) as patient:
        thread = threading.Thread(target=patient.set, args=("key", "value"))
        thread.start()
        held.wait()
        assert client.get("key") == b"value"
        assert thread.is_alive()

        held.deliver()

        thread.join()


def test_an_answer_comes_in_the_servers_place(
    proxy: Proxy, through: redis.Redis, client: redis.Redis
) -> None:
    proxy.answer("SET", b"-MISCONF no disk\r\n")

    with pytest.raises(redis.ResponseError, match="MISCONF"):
        through.set("key", "value")

    assert client.get("key") is None


def test_a_lost_acknowledgement_of_a_subscription(proxy: Proxy, through: redis.Redis) -> None:
    dropped = proxy.drop_reply("subscribe")
    with through.pubsub() as messages:
        messages.subscribe("first", "second")
        dropped.wait()

        acknowledged = messages.get_message(timeout=5)

        assert acknowledged and acknowledged["channel"] == b"second"


def test_a_refused_connection_and_then_none_refused(proxy: Proxy, through: redis.Redis) -> None:
    proxy.refuse()
    assert through.ping(), "what is connected stays so"
    proxy.cut()
    with pytest.raises(redis.ConnectionError):
        through.ping()

    proxy.accept()

    assert through.ping()


def test_a_half_closed_connection_still_carries_requests(
    proxy: Proxy, through: redis.Redis, client: redis.Redis
) -> None:
    arrived = proxy.drop_reply("SET")
    connection = through.connection_pool.get_connection()
    proxy.half_close()

    connection.send_command("SET", "key", "value", check_health=False)

    arrived.wait()
    assert client.get("key") == b"value"
    with pytest.raises(redis.ConnectionError):
        connection.read_response()
    through.connection_pool.release(connection)


def test_in_a_black_hole_connections_open_and_nothing_comes_back(
    proxy: Proxy, through: redis.Redis, client: redis.Redis
) -> None:
    proxy.blackhole()
    for _ in range(2):
        with pytest.raises(redis.TimeoutError):
            through.set("key", "value")

    proxy.heal()

    assert through.get("key") is None
    assert client.get("key") is None


def test_a_server_that_is_away_ends_the_connection(start_server: Callable[..., Server]) -> None:
    server = start_server()
    with Proxy(server.host, server.port) as proxy, redis.Redis(proxy.host, proxy.port, retry=None) as through:
        through.ping()
        server.kill()
        with pytest.raises(redis.ConnectionError):
            through.ping()

        server.restart()

        assert through.ping()


def test_replication_passes_unread_and_can_be_cut_off(start_server: Callable[..., Server]) -> None:
    master = start_server(config={"repl-diskless-sync-delay": "0"})
    with Proxy(master.host, master.port, raw=True) as proxy:
        replica = start_server(config={"replicaof": f"{proxy.host} {proxy.port}"})
        with master.connect() as client, replica.connect() as other:
            while other.info("replication")["master_link_status"] != "up":
                time.sleep(0.005)
            client.set("key", "value")
            assert client.wait(1, 5000) == 1
            assert other.get("key") == b"value"

            proxy.blackhole()

            client.set("key", "other")
            assert client.wait(1, 50) == 0
            assert other.get("key") == b"value"


def test_a_plan_that_never_happened_fails_the_test(server: Server) -> None:
    with (
        pytest.raises(AssertionError, match="never came to it: drop incr"),
        Proxy(server.host, server.port) as proxy,
    ):
        proxy.drop_reply("INCR")


def test_an_asyncio_client_waits_for_the_same_plans(proxy: Proxy) -> None:
    async def scene() -> None:
        async with redis.asyncio.Redis(host=proxy.host, port=proxy.port) as client:
            await client.ping()
            held = proxy.hold_reply("SET")
            task = asyncio.create_task(client.set("key", "value"))
            await asyncio.to_thread(held.wait)
            assert not task.done()

            held.deliver()

            assert await task

    asyncio.run(scene())


def test_messages_are_cut_wherever_the_bytes_break() -> None:
    messages = [
        b"*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$4\r\n\r\n\r\n\r\n", b"+OK\r\n", b"$-1\r\n", b"*-1\r\n", b"_\r\n", b"*0\r\n",
        b"%1\r\n+key\r\n*2\r\n:1\r\n,1.5\r\n", b"|1\r\n+ttl\r\n:3\r\n$1\r\nv\r\n", b">2\r\n$7\r\nmessage\r\n+x\r\n",
    ]  # fmt: skip
    stream = b"".join(messages)
    for size in (1, 2, 7, len(stream)):
        splitter = Splitter()
        parts = [stream[at : at + size] for at in range(0, len(stream), size)]
        assert [message for part in parts for message in splitter.feed(part)] == messages

    assert words(messages[0]) == (b"SET", b"k", b"\r\n\r\n")
    assert [pushed(message) for message in messages if pushed(message)] == [b"message"]


def test_a_connection_that_came_as_the_proxy_ended_is_ended_too(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    accepted, ending = threading.Event(), threading.Event()
    connect = socket.create_connection

    def late(*to: Any) -> socket.socket:
        accepted.set()
        ending.wait()
        return connect(*to)

    with Proxy(server.host, server.port) as proxy:
        proxy.blackhole()
        monkeypatch.setattr("tests.runtime.proxy.socket.create_connection", late)
        with connect((proxy.host, proxy.port)) as client:
            accepted.wait()
            threading.Timer(0.05, ending.set).start()
            proxy.refuse()
            proxy.cut()
            assert not client.recv(1)
