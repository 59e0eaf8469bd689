"""Whoever is cancelled leaves nothing behind, at whatever moment it happens."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
import redis

from redis_guard.runtime.aio import Coordination, Lease
from redis_guard.testing import Server
from tests.runtime.proxy import Proxy
from tests.runtime.worlds import registry

REGISTRY = registry(
    {"deadline": "1s"},
    job_lock={"primitive": "lock", "ttl": "60s", "wait": "20s"},
    fenced_lock={"primitive": "lock", "ttl": "60s", "fencing": True},
    batch_claim={"primitive": "claim"},
    hits={"primitive": "counter"},
)
KEY = "coordination:job_lock:1"
CLAIM = "coordination:batch_claim:1"
MOMENTS = range(50)
"""Rounds of the loop after which a task is cancelled; an operation on this machine takes fewer."""


async def gone(client: redis.Redis, key: str) -> None:
    async with asyncio.timeout(5):
        while client.exists(key):
            await asyncio.sleep(0.005)


async def cancelled_after(rounds: int, work: Coroutine[Any, Any, Any]) -> Any:
    """The result if the work was done before, None otherwise."""
    task = asyncio.create_task(work)
    for _ in range(rounds):
        await asyncio.sleep(0)
    task.cancel()
    try:
        return await task
    except asyncio.CancelledError:
        return None


async def nobody_is_left() -> None:
    async with asyncio.timeout(5):
        while len(asyncio.all_tasks()) > 1:
            await asyncio.sleep(0.005)


@pytest.mark.parametrize("warm", [True, False])
def test_no_lock_is_left_behind_wherever_its_taking_is_cancelled(
    server: Server, client: redis.Redis, warm: bool
) -> None:
    async def scenario() -> None:
        for rounds in MOMENTS if warm else MOMENTS[::4]:
            async with Coordination(REGISTRY, url=server.url) as coordination:
                if warm:
                    await coordination.start()
                lease: Lease | None = await cancelled_after(
                    rounds, coordination.lock("job_lock", 1).try_acquire()
                )
                if lease is not None:
                    await lease.release()
                await gone(client, KEY)
                async with coordination.lock("job_lock", 1, wait=0):
                    pass
            await nobody_is_left()

    asyncio.run(scenario())


def test_no_lock_is_left_behind_wherever_its_block_is_cancelled(server: Server, client: redis.Redis) -> None:
    async def block(coordination: Coordination) -> None:
        async with coordination.lock("job_lock", 1):
            await asyncio.sleep(0)

    async def scenario() -> None:
        async with Coordination(REGISTRY, url=server.url) as coordination:
            await coordination.start()
            for rounds in MOMENTS:
                await cancelled_after(rounds, block(coordination))
                await gone(client, KEY)

    asyncio.run(scenario())


def test_no_claim_is_left_behind_that_nobody_knows_of(server: Server, client: redis.Redis) -> None:
    async def scenario() -> None:
        async with Coordination(REGISTRY, url=server.url) as coordination:
            await coordination.start()
            for rounds in MOMENTS:
                if await cancelled_after(rounds, coordination.claim("batch_claim", 1)):
                    client.delete(CLAIM)
                await gone(client, CLAIM)

    asyncio.run(scenario())


def test_a_lease_that_was_handed_on_ends_with_the_adoption_that_is_cancelled(
    server: Server, client: redis.Redis
) -> None:
    async def scenario() -> None:
        async with (
            Coordination(REGISTRY, url=server.url) as giver,
            Coordination(REGISTRY, url=server.url) as taker,
        ):
            await taker.start()
            for rounds in MOMENTS:
                lease = await giver.lock("job_lock", 1).try_acquire()
                assert lease is not None
                text = lease.export()
                adopted: Lease | None = await cancelled_after(rounds, taker.adopt(text))
                if adopted is not None:
                    await adopted.release()
                # Cancelled before it began, the adoption can be tried again.
                elif client.get(KEY) == lease.token.encode():
                    await (await taker.adopt(text)).release()
                await gone(client, KEY)

    asyncio.run(scenario())


def test_a_waiter_that_is_cancelled_gives_its_turn_to_the_next(server: Server, client: redis.Redis) -> None:
    async def take(coordination: Coordination) -> None:
        async with coordination.lock("job_lock", 1):
            pass

    async def scenario() -> None:
        async with (
            Coordination(REGISTRY, url=server.url) as holder,
            Coordination(REGISTRY, url=server.url) as waiters,
        ):
            for rounds in (1, 5, 20, 40, 80):
                async with holder.lock("job_lock", 1):
                    first = asyncio.create_task(take(waiters))
                    second = asyncio.create_task(take(waiters))
                    for _ in range(rounds):
                        await asyncio.sleep(0)
                    first.cancel()
                    with pytest.raises(asyncio.CancelledError):
                        await first
                await asyncio.wait_for(second, 5)
                await gone(client, KEY)

    asyncio.run(scenario())


@pytest.mark.parametrize("second_too", [False, True])
def test_a_lock_whose_reply_is_held_back_is_undone_even_if_the_clean_up_is_cancelled_too(
    server: Server, client: redis.Redis, proxy: Proxy, second_too: bool
) -> None:
    async def scenario() -> None:
        async with Coordination(REGISTRY, url=proxy.url) as coordination:
            await coordination.start()
            reply = proxy.hold_reply("evalsha")
            clean_up = proxy.hold("evalsha", nth=2) if second_too else None
            task = asyncio.create_task(coordination.lock("job_lock", 1).try_acquire())
            await happened(lambda: client.exists(KEY))
            task.cancel()
            if clean_up is not None:
                await happened(lambda: proxy.count("evalsha") == 2)
                task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            if clean_up is not None:
                assert client.exists(KEY)
                clean_up.deliver()
            await gone(client, KEY)
            reply.deliver()

    asyncio.run(scenario())


def test_a_request_that_arrives_after_its_clean_up_is_undone_as_well(
    server: Server, client: redis.Redis, proxy: Proxy
) -> None:
    async def scenario() -> None:
        async with Coordination(REGISTRY, url=proxy.url) as coordination:
            await coordination.start()
            request = proxy.hold("evalsha")
            task = asyncio.create_task(coordination.lock("job_lock", 1).try_acquire())
            await happened(lambda: proxy.count("evalsha") == 1)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            request.deliver()
            await nobody_waits(coordination)
            await gone(client, KEY)

    asyncio.run(scenario())


def test_a_coroutine_that_is_closed_in_the_middle_leaves_nothing(
    server: Server, client: redis.Redis, proxy: Proxy
) -> None:
    async def scenario() -> None:
        async with Coordination(REGISTRY, url=proxy.url) as coordination:
            await coordination.start()
            work = coordination.lock("job_lock", 1).try_acquire()
            work.send(None)
            await happened(lambda: client.exists(KEY))
            work.close()
            await gone(client, KEY)

    asyncio.run(scenario())


@pytest.mark.parametrize("limit", [asyncio.timeout, None])
def test_a_time_limit_around_a_call_holds_and_leaves_nothing(
    server: Server,
    client: redis.Redis,
    proxy: Proxy,
    limit: Callable[[float], Any] | None,
) -> None:
    async def limited(work: Coroutine[Any, Any, Any]) -> None:
        if limit is None:
            await asyncio.wait_for(work, 0.05)
        else:
            async with limit(0.05):
                await work

    async def scenario() -> None:
        async with Coordination(REGISTRY, url=proxy.url) as coordination:
            await coordination.start()
            reply = proxy.hold_reply("evalsha")
            with pytest.raises(TimeoutError):
                await limited(coordination.lock("job_lock", 1).try_acquire())
            await gone(client, KEY)
            reply.deliver()
            current = asyncio.current_task()
            assert current is not None
            assert not current.cancelling()

    asyncio.run(scenario())


def test_a_reply_that_comes_late_is_nobodys_answer(server: Server, proxy: Proxy) -> None:
    async def scenario() -> None:
        async with Coordination(REGISTRY, url=proxy.url) as coordination:
            await coordination.start()
            reply = proxy.hold_reply("evalsha")
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.05):
                    await coordination.counter("hits", 1).increment(by=5)
            reply.deliver()
            assert (await coordination.counter("hits", 2).increment()).value == 1

    asyncio.run(scenario())


def test_a_loop_that_ends_takes_its_locks_along(server: Server, client: redis.Redis) -> None:
    async def hold(coordination: Coordination, number: int) -> None:
        async with coordination.lock("job_lock", number):
            await asyncio.Event().wait()

    async def service() -> None:
        async with Coordination(REGISTRY, url=server.url) as coordination, asyncio.TaskGroup() as group:
            for number in range(5):
                group.create_task(hold(coordination, number))
            # Waits for a lock, so that there is a hub as well.
            group.create_task(hold(coordination, 0))

    async def main() -> None:
        tasks.append(asyncio.create_task(service()))
        await happened(lambda: len(client.keys("coordination:job_lock:*")) == 5)
        await happened(lambda: client.pubsub_channels())

    tasks: list[asyncio.Task[None]] = []
    asyncio.run(main())

    assert tasks[0].cancelled()
    assert not client.keys("coordination:job_lock:*")


async def happened(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(5):
        while not condition():
            await asyncio.sleep(0.001)


async def nobody_waits(coordination: Coordination) -> None:
    """Back when no clean-up is under way."""
    await coordination._engine.wire.aclose()
