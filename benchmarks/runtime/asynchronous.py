"""The operations that are compared, for asyncio.

Law of this file: both sides do the same work on the same server, with a token of 16 random bytes each time.
"""

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import count

import redis.asyncio

from benchmarks.runtime.scripts import COUNT, RELEASE
from benchmarks.runtime.sync import REGISTRY
from redis_guard.runtime.aio import Coordination
from redis_guard.runtime.telemetry.prometheus import PrometheusTelemetry

Operation = Callable[[], Awaitable[object]]


@asynccontextmanager
async def operations(url: str) -> AsyncIterator[dict[str, Operation]]:
    """The operations by name, connected and warm."""
    client = redis.asyncio.Redis.from_url(url)
    release, add = await client.script_load(RELEASE), await client.script_load(COUNT)
    numbers = count()

    async def bare_lock() -> None:
        token = os.urandom(16).hex()
        await client.set("bench:bare:1", token, nx=True, px=30_000)
        await client.evalsha(release, 1, "bench:bare:1", token)

    async def redis_py_lock() -> None:
        async with client.lock("bench:redis-py:1", timeout=30):
            pass

    async def bare_claim() -> None:
        await client.set(f"bench:bare-claim:{next(numbers)}", os.urandom(16).hex(), nx=True, ex=900)

    async def bare_counter() -> None:
        await client.evalsha(add, 1, "bench:bare-counter", 1, 600_000)

    async with Coordination.from_file(REGISTRY, url=url, telemetry=PrometheusTelemetry()) as coordination:
        await coordination.start()

        async def lock() -> None:
            async with coordination.lock("plain", 1):
                pass

        async def fenced() -> None:
            async with coordination.lock("fenced", 1):
                pass

        yield {
            "bare_lock": bare_lock,
            "redis_py_lock": redis_py_lock,
            "bare_claim": bare_claim,
            "bare_counter": bare_counter,
            "lock": lock,
            "fenced": fenced,
            "claim": lambda: coordination.claim("once", next(numbers)),
            "counter": lambda: coordination.counter("hits", 1).increment(),
        }
    await client.aclose()
