"""The same of asyncio clients."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import redis
import redis.asyncio
from redis.asyncio.client import Pipeline

from redis_guard.registry import Registry
from redis_guard.runtime.observing import observe

Scenario = Callable[[redis.asyncio.Redis], Awaitable[None]]


@pytest.fixture
def play(socket: str, registry: Registry, told: Any) -> Callable[[Scenario], None]:
    """Run a scenario with an observed client."""

    async def run(scenario: Scenario) -> None:
        async with observe(redis.asyncio.Redis(unix_socket_path=socket), registry, told) as client:
            assert isinstance(client, redis.asyncio.Redis)
            await scenario(client)

    return lambda scenario: asyncio.run(run(scenario))


def test_commands_are_told_once_they_are_answered(play: Callable[[Scenario], None], told: Any) -> None:
    async def scenario(client: redis.asyncio.Redis) -> None:
        waiting = client.set("lock:mail:7", "me", nx=True, ex=30)
        assert told.lines == []
        assert await waiting is True
        assert await client.setnx("lock:mail:7", 1) is False
        assert await client.incr(b"login:ann:tries", 3) == 3
        assert await client.get("lock:mail:7") == b"me"
        assert await client.publish("flags:shop", "x") == 0

    play(scenario)

    assert told.lines == [
        ("lock", "batch_lock", "acquired", None, ("mail", "7")),
        ("lock", "batch_lock", "contended", None, ("mail", "7")),
        ("counter", "logins", "exceeded", None, ("ann",)),
        ("signal", "flags", "sent", None, ("shop",)),
    ]


def test_the_lock_of_redis_py_is_seen(play: Callable[[Scenario], None], told: Any) -> None:
    async def scenario(client: redis.asyncio.Redis) -> None:
        async with client.lock("lock:mail:7", timeout=30):
            assert await client.lock("lock:mail:7", timeout=30).acquire(blocking=False) is False

    play(scenario)

    assert told.short() == [("batch_lock", "acquired"), ("batch_lock", "contended")]


def test_errors_are_told_and_raised(play: Callable[[Scenario], None], told: Any) -> None:
    async def scenario(client: redis.asyncio.Redis) -> None:
        await client.hset("login:ann:tries", "a", "b")
        with pytest.raises(redis.ResponseError, match="WRONGTYPE"):
            await client.incr("login:ann:tries")

    play(scenario)

    assert told.lines == [("counter", "logins", "error", "wrongtype", ("ann",))]


def test_a_cancelled_command_is_cancelled_and_has_no_outcome(
    play: Callable[[Scenario], None], told: Any
) -> None:
    async def scenario(client: redis.asyncio.Redis) -> None:
        task = asyncio.ensure_future(client.incr("visits"))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    play(scenario)

    assert told.lines == []


@pytest.mark.parametrize("transaction", [True, False])
def test_a_pipeline_tells_each_command_with_its_own_reply(
    transaction: bool, play: Callable[[Scenario], None], told: Any
) -> None:
    async def scenario(client: redis.asyncio.Redis) -> None:
        async with client.pipeline(transaction=transaction) as pipe:
            assert isinstance(pipe, Pipeline)
            assert pipe.incr("visits") is pipe
            pipe.expire("visits", 600)
            assert await pipe.set("invoice:42", "a", nx=True) is pipe
            pipe.set("invoice:42", "b", nx=True)
            assert told.lines == []
            assert await pipe.execute() == [1, True, True, None]

    play(scenario)

    assert told.short() == [
        ("visits", "counted"),
        ("invoice_claim", "accepted"),
        ("invoice_claim", "duplicate"),
    ]


@pytest.mark.parametrize("transaction", [True, False])
def test_an_error_that_a_pipeline_raises_hides_no_other_reply(
    transaction: bool, play: Callable[[Scenario], None], told: Any
) -> None:
    async def scenario(client: redis.asyncio.Redis) -> None:
        await client.hset("login:ann:tries", "a", "b")
        pipe = (
            client.pipeline(transaction=transaction)
            .incr("visits")
            .incr("login:ann:tries")
            .setnx("invoice:42", 1)
        )
        with pytest.raises(redis.ResponseError, match="WRONGTYPE"):
            await pipe.execute()

    play(scenario)

    assert told.short() == [("visits", "counted"), ("logins", "error"), ("invoice_claim", "accepted")]


def test_what_was_never_executed_is_never_told(play: Callable[[Scenario], None], told: Any) -> None:
    async def scenario(client: redis.asyncio.Redis) -> None:
        pipe = client.pipeline().incr("visits")
        await pipe.reset()
        assert await pipe.get("session:1").incr("login:ann:tries").execute() == [None, 1]

    play(scenario)

    assert told.short() == [("logins", "counted")]


def test_a_transaction_may_watch_look_and_then_do(play: Callable[[Scenario], None], told: Any) -> None:
    async def scenario(client: redis.asyncio.Redis) -> None:
        meddle = iter([True, False])

        async def work(pipe: Pipeline) -> None:
            assert await pipe.incr("login:ann:tries") > 0
            if next(meddle):
                await client.set("seen", "x")
            pipe.multi()
            pipe.setnx("invoice:42", 1)

        assert await client.transaction(work, "seen") == [True]

    play(scenario)

    assert told.short() == [("logins", "counted"), ("logins", "counted"), ("invoice_claim", "accepted")]


def test_a_single_connection_is_shared_with_the_client(socket: str, registry: Registry, told: Any) -> None:
    async def run() -> None:
        plain = redis.asyncio.Redis(unix_socket_path=socket, single_connection_client=True)
        seen = await observe(plain, registry, told)
        assert seen.connection is plain.connection is not None
        await seen.incr("visits")
        await seen.aclose()
        assert plain.connection is None

    asyncio.run(run())

    assert told.short() == [("visits", "counted")]
