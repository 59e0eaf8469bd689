"""A `Coordination` belongs to one event loop, and leaves nothing there."""

import asyncio
import logging
import multiprocessing
import os

import pytest
import redis

from redis_guard.runtime import CoordinationUnavailable
from redis_guard.runtime.aio import Coordination, Lease
from redis_guard.runtime.core.limits import MOST_CONNECTIONS
from redis_guard.testing import Server
from tests.runtime.proxy import Proxy
from tests.runtime.worlds import registry

REGISTRY = registry(
    # Many tasks at once on a busy machine.
    {"deadline": "5s"},
    job_lock={"primitive": "lock", "ttl": "60s", "wait": "20s"},
    short_lock={"primitive": "lock", "ttl": "100ms", "failure": "open"},
    kept_lock={"primitive": "lock", "ttl": "300ms", "renew": True, "max_hold": "1m"},
    hits={"primitive": "counter"},
    news={"primitive": "signal"},
)


def test_another_loop_makes_one_of_its_own(server: Server) -> None:
    coordination = Coordination(REGISTRY, url=server.url)
    asyncio.run(count_and_close_nothing(coordination))

    async def elsewhere() -> None:
        with pytest.raises(RuntimeError, match="belongs to another event loop; make one for each"):
            await coordination.counter("hits", 1).increment()
        with pytest.raises(RuntimeError, match="belongs to another event loop"):
            await coordination.lock("job_lock", 1).try_acquire()
        with pytest.raises(RuntimeError, match="belongs to another event loop"):
            await anext(coordination.signal("news").listen())

    asyncio.run(elsewhere())


async def count_and_close_nothing(coordination: Coordination) -> None:
    assert (await coordination.counter("hits", 1).increment()).value == 1
    for pool in coordination._engine.nodes.pools():
        # The loop ends, and connections that are still open would be warned of.
        pool.clear()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_makes_one_of_its_own(server: Server) -> None:
    async def scenario() -> None:
        async with Coordination(REGISTRY, url=server.url) as coordination:
            await coordination.counter("hits", 1).increment()
            said = multiprocessing.get_context("fork").SimpleQueue()
            child = os.fork()
            if not child:
                try:
                    asyncio.events._set_running_loop(None)
                    asyncio.run(coordination.counter("hits", 1).increment())
                except RuntimeError as error:
                    said.put(str(error))
                finally:
                    os._exit(0)
            os.waitpid(child, 0)
            assert "before a fork" in said.get()

    asyncio.run(scenario())


def test_one_that_is_closed_says_so(server: Server) -> None:
    async def scenario() -> None:
        coordination = Coordination(REGISTRY, url=server.url)
        lease = await coordination.lock("job_lock", 1).try_acquire()
        assert lease is not None
        await coordination.aclose()
        await coordination.aclose()
        with pytest.raises(RuntimeError, match="closed"):
            await coordination.counter("hits", 1).value()
        with pytest.raises(CoordinationUnavailable, match="closed"):
            await lease.release()

    asyncio.run(scenario())


def test_one_that_was_never_used_can_be_closed(server: Server) -> None:
    asyncio.run(Coordination(REGISTRY, url=server.url).aclose())


def test_nothing_is_left_running_or_open(server: Server, client: redis.Redis) -> None:
    async def scenario() -> None:
        others = len(client.client_list())
        async with Coordination(REGISTRY, url=server.url) as coordination:
            kept = await coordination.lock("kept_lock", 1).try_acquire()
            wakes = coordination.signal("news").listen()
            assert (await anext(wakes)).reason == "start"
            assert (await anext(wakes)).reason == "subscribed"
            waiting = asyncio.create_task(anext(wakes, None))
            assert kept is not None
            await asyncio.sleep(0)
        assert await waiting is None
        assert asyncio.all_tasks() == {asyncio.current_task()}
        async with asyncio.timeout(5):
            while len(client.client_list()) > others:
                await asyncio.sleep(0.005)

    asyncio.run(scenario())


def test_a_waiter_is_told_of_the_end(server: Server, client: redis.Redis) -> None:
    async def scenario() -> None:
        client.set("coordination:job_lock:1", "another", px=60_000)
        coordination = Coordination(REGISTRY, url=server.url)
        waiter = asyncio.create_task(coordination.lock("job_lock", 1).__aenter__())
        async with asyncio.timeout(5):
            while not client.pubsub_channels():
                await asyncio.sleep(0.005)
        await coordination.aclose()
        with pytest.raises(CoordinationUnavailable, match="closed"):
            await waiter

    asyncio.run(scenario())


def test_more_tasks_than_connections_take_turns(server: Server, proxy: Proxy) -> None:
    async def scenario() -> None:
        async with Coordination(REGISTRY, url=proxy.url) as coordination:
            counts = await asyncio.gather(
                *(coordination.counter("hits", 1).increment() for _ in range(4 * MOST_CONNECTIONS))
            )
        assert sorted(count.value for count in counts) == list(range(1, 4 * MOST_CONNECTIONS + 1))
        assert proxy.connections <= MOST_CONNECTIONS

    asyncio.run(scenario())


def test_tasks_that_gave_up_waiting_for_a_connection_take_none_with_them(server: Server) -> None:
    async def scenario() -> None:
        async with Coordination(REGISTRY, url=server.url) as coordination:
            for rounds in range(30):
                tasks = [
                    asyncio.create_task(coordination.counter("hits", 1).increment())
                    for _ in range(2 * MOST_CONNECTIONS)
                ]
                for _ in range(rounds):
                    await asyncio.sleep(0)
                for task in tasks[::2]:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
            (pool,) = coordination._engine.nodes.pools()
            assert pool._open == len(pool._idle) <= MOST_CONNECTIONS
            assert not pool._waiting

    asyncio.run(scenario())


def test_waiters_of_one_loop_get_a_lock_in_the_order_of_their_coming(server: Server) -> None:
    async def scenario() -> None:
        order: list[int] = []

        async def take(coordination: Coordination, number: int) -> None:
            async with coordination.lock("job_lock", 1):
                order.append(number)

        async with (
            Coordination(REGISTRY, url=server.url) as holder,
            Coordination(REGISTRY, url=server.url) as waiters,
        ):
            async with holder.lock("job_lock", 1):
                tasks = []
                for number in range(10):
                    tasks.append(asyncio.create_task(take(waiters, number)))
                    async with asyncio.timeout(5):
                        while len(waiters._engine.hub._board._queues.everybody()) <= number:
                            await asyncio.sleep(0)
            await asyncio.gather(*tasks)
        assert order == list(range(10))

    asyncio.run(scenario())


def test_a_lost_lease_sets_its_event_and_calls_plain_functions_and_coroutines(
    server: Server, client: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario() -> None:
        called: list[str] = []

        async def later(reason: str) -> None:
            await asyncio.sleep(0)
            called.append(f"later: {reason}")

        async def badly(reason: str) -> None:
            raise ValueError(reason)

        async with Coordination(REGISTRY, url=server.url) as coordination:
            leases: list[Lease] = []
            for number, on_lost in enumerate((called.append, later, badly)):
                lease = await coordination.lock("kept_lock", number, on_lost=on_lost).try_acquire()
                assert lease is not None
                leases.append(lease)
            assert not any(lease.lost for lease in leases)
            client.flushall()
            async with asyncio.timeout(5):
                for lease in leases:
                    await lease.lost.wait()
                while len(called) < 2:
                    await asyncio.sleep(0)
            assert all(lease.lost for lease in leases)
            assert len(called) == 2
            assert sum(call.startswith("later: ") for call in called) == 1

    with caplog.at_level(logging.ERROR):
        asyncio.run(scenario())
    assert [record.message for record in caplog.records] == ['on_lost of use case "kept_lock" failed']


def test_a_lease_that_is_not_renewed_tells_its_end_to_whoever_asks(server: Server) -> None:
    async def scenario() -> None:
        async with Coordination(REGISTRY, url=server.url) as coordination:
            lease = await coordination.lock("short_lock", 1).try_acquire()
            assert lease is not None
            async with asyncio.timeout(5):
                await lease.lost.wait()
            assert lease.remaining == 0

    asyncio.run(scenario())


def test_a_lease_that_is_dropped_is_renewed_no_more(server: Server, client: redis.Redis) -> None:
    async def scenario() -> None:
        async with Coordination(REGISTRY, url=server.url) as coordination:
            lease = await coordination.lock("kept_lock", 1).try_acquire()
            assert lease is not None
            async with asyncio.timeout(5):
                renewed = client.info("commandstats")["cmdstat_evalsha"]["calls"]
                while client.info("commandstats")["cmdstat_evalsha"]["calls"] == renewed:
                    await asyncio.sleep(0.01)
                del lease
                while client.exists("coordination:kept_lock:1"):
                    await asyncio.sleep(0.01)
            again = await coordination.lock("kept_lock", 1).try_acquire()
            assert again is not None
            await again.release()

    asyncio.run(scenario())
