"""What an observed client is: the same client."""

import asyncio
import gc
from typing import Any

import pytest
import redis
import redis.asyncio
import redis.cluster

from redis_guard.registry import EMPTY_REGISTRY, Registry
from redis_guard.runtime.observing import observe
from redis_guard.runtime.telemetry import NoTelemetry


class Shop(redis.Redis):
    """A client as people make them: with a prefix, a default, and something of its own."""

    __slots__ = ("till",)

    def execute_command(self, *args: Any, **options: Any) -> Any:
        return super().execute_command(*args, **options)

    def greet(self) -> str:
        return "hello"


def test_it_is_an_instance_of_the_clients_class_and_the_client_is_left_alone(
    socket: str, registry: Registry, told: Any
) -> None:
    with Shop(unix_socket_path=socket) as plain:
        plain.till = 5
        seen = observe(plain, registry, told)
        plain.incr("visits")

        assert isinstance(seen, Shop)
        assert type(plain) is Shop
        assert (seen.greet(), seen.till, seen.connection_pool) == ("hello", 5, plain.connection_pool)
        assert told.lines == []

        assert seen.incr("visits") == 2
        assert told.short() == [("visits", "counted")]


def test_what_is_set_on_the_one_is_set_on_the_other() -> None:
    plain = Shop()
    seen = observe(plain, EMPTY_REGISTRY, NoTelemetry())

    seen.till = 7
    seen.set_response_callback("PING", lambda reply: "pong!")
    seen.extra = "more"  # type: ignore[attr-defined]

    assert (plain.till, plain.response_callbacks["PING"]("PONG"), vars(plain)["extra"]) == (
        7,
        "pong!",
        "more",
    )
    del seen.till
    assert not hasattr(plain, "till")


def test_the_client_stays_connected_when_its_observed_twin_goes(
    socket: str, registry: Registry, told: Any
) -> None:
    with redis.Redis(unix_socket_path=socket) as plain:
        before = plain.client_id()
        seen = observe(plain, registry, told)
        assert seen.client_id() == before
        del seen
        gc.collect()

        assert plain.client_id() == before


def test_the_twin_stays_connected_when_nobody_else_knows_the_client(
    socket: str, registry: Registry, told: Any
) -> None:
    seen = observe(redis.Redis(unix_socket_path=socket), registry, told)
    before = seen.client_id()
    gc.collect()

    assert seen.client_id() == before
    seen.close()


def test_closing_it_closes_the_client(socket: str, registry: Registry, told: Any) -> None:
    plain = redis.Redis(unix_socket_path=socket, single_connection_client=True)
    plain.ping()
    with observe(plain, registry, told) as seen:
        assert seen.connection is plain.connection is not None

    assert plain.connection is None


def test_a_client_made_by_an_observed_one_is_observed(socket: str, registry: Registry, told: Any) -> None:
    with redis.Redis(unix_socket_path=socket) as plain, observe(plain, registry, told).client() as single:
        single.incr("visits")

    assert told.short() == [("visits", "counted")]


def test_scripts_and_subscriptions_work_as_ever(socket: str, registry: Registry, told: Any) -> None:
    with redis.Redis(unix_socket_path=socket) as plain:
        seen = observe(plain, registry, told)
        script = seen.register_script("return redis.call('INCR', KEYS[1])")
        with seen.pubsub() as subscription:
            subscription.subscribe("flags:shop")
            assert subscription.get_message(timeout=5)["type"] == "subscribe"
            assert script(keys=["visits"]) == 1
            assert seen.publish("flags:shop", "x") == 1
            assert subscription.get_message(timeout=5)["data"] == b"x"

    assert told.short() == [("flags", "sent")]


def test_observing_twice_is_observing_once(socket: str, registry: Registry, told: Any) -> None:
    with redis.Redis(unix_socket_path=socket) as plain:
        seen = observe(observe(plain, registry, told), registry, told)
        seen.incr("visits")

        with pytest.raises(ValueError, match="observed already"):
            observe(seen, registry, NoTelemetry())

    assert told.short() == [("visits", "counted")]


def test_a_sink_that_fails_costs_no_reply(
    socket: str, registry: Registry, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken:
        def bind(self, labels: Any) -> Any:
            return self

        def operation(self, *_: object) -> None:
            raise OSError("disk full")

        lock_wait = lock_held = leases = operation

    with redis.Redis(unix_socket_path=socket) as plain:
        seen = observe(plain, registry, Broken())
        assert [seen.incr("visits") for _ in range(3)] == [1, 2, 3]

    assert len(caplog.records) == 1


def test_a_reply_that_cannot_be_judged_is_handed_on(
    socket: str, registry: Registry, told: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with redis.Redis(unix_socket_path=socket) as plain:
        plain.set_response_callback("INCRBY", lambda reply: f"no. {reply}")
        seen = observe(plain, registry, told)
        assert [seen.incr("login:ann:tries") for _ in range(2)] == ["no. 1", "no. 2"]

    assert told.lines == []
    assert ["told once" in record.getMessage() for record in caplog.records] == [True]


@pytest.mark.parametrize(
    "thing",
    [
        object(),
        redis.Redis().pipeline(),
        redis.asyncio.Redis().pipeline(),
        redis.Redis,
        redis.Redis().lock("a", timeout=1),
    ],
    ids=lambda thing: type(thing).__name__,
)
def test_what_is_no_client_is_refused(thing: object) -> None:
    with pytest.raises(TypeError, match=r"observe\(\) takes a client of redis-py, not a"):
        observe(thing, EMPTY_REGISTRY, NoTelemetry())


def test_the_state_of_an_asyncio_cluster_client_is_shared_too() -> None:
    async def check() -> None:
        plain = redis.asyncio.RedisCluster(host="localhost")
        seen = observe(plain, EMPTY_REGISTRY, NoTelemetry())

        assert isinstance(seen, redis.asyncio.RedisCluster)
        assert seen.nodes_manager is plain.nodes_manager
        plain.reinitialize_counter = 3
        assert seen.reinitialize_counter == 3
        seen.reinitialize_counter = 4
        assert plain.reinitialize_counter == 4
        pipe = seen.pipeline()
        assert isinstance(pipe, redis.asyncio.cluster.ClusterPipeline)
        assert pipe.incr("a") is pipe
        assert len(pipe) == 1

    asyncio.run(check())
