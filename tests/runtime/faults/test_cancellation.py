"""A task that is cancelled: the cancellation goes on, and nothing is left behind. In the world of asyncio alone."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import pytest
import redis

from redis_guard.runtime import aio
from tests.runtime.faults.heard import until
from tests.runtime.faults.registered import PATIENT, registry
from tests.runtime.proxy import Proxy

LOCK = "coordination:lock_closed:1"
CLAIM = "coordination:claim_closed:1"

Scenario = Callable[[aio.Coordination], Coroutine[Any, Any, None]]


def play(proxy: Proxy, scenario: Scenario) -> None:
    async def whole() -> None:
        async with aio.Coordination(registry(), url=proxy.url) as coordination:
            await coordination.start()
            await scenario(coordination)

    asyncio.run(whole())


async def happens(condition: Callable[[], object]) -> None:
    await asyncio.to_thread(until, condition)


async def cancelled_when(condition: Callable[[], object], work: Awaitable[object]) -> None:
    """Cancel `work` once the condition holds; the cancellation comes out of it."""
    task = asyncio.ensure_future(work)
    await happens(condition)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.parametrize("name", ["lock_closed", "lock_fenced"])
def test_cancelled_while_the_reply_to_an_acquire_is_awaited_leaves_no_lock(
    proxy: Proxy, client: redis.Redis, name: str
) -> None:
    async def scenario(coordination: aio.Coordination) -> None:
        reply = proxy.hold_reply("evalsha")
        await cancelled_when(
            lambda: reply.happened and client.exists(f"coordination:{name}:1"),
            coordination.lock(name, 1).try_acquire(),
        )
        assert not client.exists(f"coordination:{name}:1")
        lease = await coordination.lock(name, 1).try_acquire()
        assert lease is not None
        await lease.release()

    play(proxy, scenario)


def test_cancelled_before_the_request_arrives_leaves_no_lock_when_it_does(
    proxy: Proxy, client: redis.Redis
) -> None:
    requests = []

    async def scenario(coordination: aio.Coordination) -> None:
        requests.append(proxy.hold("evalsha"))
        await cancelled_when(lambda: requests[0].happened, coordination.lock("lock_closed", 1).try_acquire())
        requests[0].deliver()

    # The clean-up that came first is repeated, at the latest when one is done with coordinating.
    play(proxy, scenario)

    assert not client.exists(LOCK)


def test_cancelled_while_the_reply_to_a_claim_is_awaited_leaves_no_claim(
    proxy: Proxy, client: redis.Redis
) -> None:
    async def scenario(coordination: aio.Coordination) -> None:
        reply = proxy.hold_reply("evalsha")
        await cancelled_when(
            lambda: reply.happened and client.exists(CLAIM), coordination.claim("claim_closed", 1)
        )
        assert not client.exists(CLAIM)

    play(proxy, scenario)


def test_cancelled_while_a_lock_is_given_back_gives_it_back(proxy: Proxy, client: redis.Redis) -> None:
    async def scenario(coordination: aio.Coordination) -> None:
        lease = await coordination.lock("lock_closed", 1).try_acquire()
        assert lease is not None
        request = proxy.lose("evalsha")
        await cancelled_when(lambda: request.happened, lease.release())
        assert not client.exists(LOCK)

    play(proxy, scenario)


def test_cancelled_in_the_block_gives_the_lock_back(proxy: Proxy, client: redis.Redis) -> None:
    async def scenario(coordination: aio.Coordination) -> None:
        async def hold() -> None:
            async with coordination.lock("lock_closed", 1):
                await asyncio.Event().wait()

        await cancelled_when(lambda: client.exists(LOCK), hold())
        assert not client.exists(LOCK)

    play(proxy, scenario)


def test_a_release_that_fails_does_not_hide_a_cancellation(proxy: Proxy) -> None:
    async def scenario(coordination: aio.Coordination) -> None:
        entered = asyncio.Event()

        async def hold() -> None:
            async with coordination.lock("lock_closed", 1):
                entered.set()
                await asyncio.Event().wait()

        task = asyncio.create_task(hold())
        await entered.wait()
        proxy.refuse()
        proxy.cut()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    play(proxy, scenario)


def test_cancelled_during_a_wait_lets_the_next_one_wait(proxy: Proxy, client: redis.Redis) -> None:
    client.set(LOCK, "another", px=300_000)

    async def scenario(coordination: aio.Coordination) -> None:
        first = asyncio.create_task(coordination.lock("lock_closed", 1, wait=60).try_acquire())
        await happens(lambda: client.pubsub_numsub(f"{LOCK}:wake")[0][1])
        second = asyncio.create_task(coordination.lock("lock_closed", 1, wait=60).try_acquire())
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        client.delete(LOCK)
        client.publish(f"{LOCK}:wake", "")

        lease = await second

        assert lease is not None
        await lease.release()

    play(proxy, scenario)


def test_a_timeout_around_an_acquire_is_kept_and_leaves_no_lock(proxy: Proxy, client: redis.Redis) -> None:
    async def scenario(coordination: aio.Coordination) -> None:
        reply = proxy.hold_reply("evalsha")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await coordination.lock("lock_closed", 1).try_acquire()
        assert reply.happened
        assert not client.exists(LOCK)

    play(proxy, scenario)


def test_cancelled_while_a_lease_is_adopted_leaves_the_lock_to_nobody(
    proxy: Proxy, client: redis.Redis
) -> None:
    async def scenario(coordination: aio.Coordination) -> None:
        lease = await coordination.lock("lock_closed", 1).try_acquire()
        assert lease is not None
        token = lease.token.encode()
        text = lease.export()
        reply = proxy.hold_reply("evalsha")
        await cancelled_when(lambda: reply.happened and client.get(LOCK) != token, coordination.adopt(text))
        assert not client.exists(LOCK)

    play(proxy, scenario)


def test_a_clean_up_that_nobody_answers_is_bounded(proxy: Proxy) -> None:
    async def scenario(coordination: aio.Coordination) -> None:
        reply = proxy.hold_reply("evalsha")
        task = asyncio.create_task(coordination.lock("lock_closed", 1).try_acquire())
        await happens(lambda: reply.happened)
        proxy.blackhole()
        task.cancel()
        # The clean-up has a quarter of the deadline.
        async with asyncio.timeout(2 * PATIENT):
            await asyncio.wait((task,))
        assert task.cancelled()

    play(proxy, scenario)
