"""A program played against a real server, before and after its migration.

Law of this file: what is compared is what a caller and the server see: results, errors, what was done meanwhile, and
the keys with their lifetimes after each step.
"""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import Any

import redis
import redis.asyncio

from redis_guard.runtime import Coordination, aio
from redis_guard.testing import Server
from tests.migrate.conftest import loaded_registry

Seen = list[object]

LIFETIME = 5
"""Seconds within which two lifetimes are the same on a busy machine."""


class Failed(Exception):
    """What the work ends with for the order "fail"."""


def keys(client: redis.Redis) -> dict[str, int]:
    """Every key, with its lifetime in steps of some seconds; -1 where it never ends."""
    found = {}
    for key in client.scan_iter():
        left = client.pttl(key)
        found[key.decode()] = left if left < 0 else -(-left // (1000 * LIFETIME))
    return dict(sorted(found.items()))


def play(text: str, steps: tuple[str, ...], server: Server) -> Seen:
    """What is seen of a program, step by step."""
    server.flush()
    with server.connect() as outside:
        if "async def" in text:
            return asyncio.run(_play_async(text, steps, server, outside))
        with server.connect() as client, Coordination(loaded_registry(), url=server.url) as coordination:
            seen: Seen = []

            def work(order: object) -> object:
                seen.append((order, keys(outside)))
                return _end(order)

            space = _space(text, seen, outside, r=client, coordination=coordination, work=work)
            for step in steps:
                _note(seen, outside, lambda step=step: eval(step, space))
            return seen


async def _play_async(text: str, steps: tuple[str, ...], server: Server, outside: redis.Redis) -> Seen:
    client = redis.asyncio.Redis.from_url(server.url)
    coordination = aio.Coordination(loaded_registry(), url=server.url)
    seen: Seen = []

    async def work(order: object) -> object:
        seen.append((order, keys(outside)))
        return _end(order)

    space = _space(text, seen, outside, r=client, coordination=coordination, work=work)
    try:
        for step in steps:
            await _note_async(seen, outside, lambda step=step: eval(step, space))
    finally:
        await client.aclose()
        await coordination.aclose()
    return seen


def _space(text: str, seen: Seen, outside: redis.Redis, **given: object) -> dict[str, Any]:
    space: dict[str, Any] = {"outside": outside, "done": [], **given}
    exec(compile(text, "program.py", "exec"), space)
    return space


def _end(order: object) -> object:
    if order == "fail":
        raise Failed
    return f"settled {order}"


def _note(seen: Seen, outside: redis.Redis, step: Callable[[], object]) -> None:
    try:
        seen.append(step())
    except Failed as error:
        seen.append(repr(error))
    seen.append(keys(outside))


async def _note_async(
    seen: Seen, outside: redis.Redis, step: Callable[[], object | Awaitable[object]]
) -> None:
    try:
        found = step()
        seen.append(await found if inspect.isawaitable(found) else found)
    except Failed as error:
        seen.append(repr(error))
    seen.append(keys(outside))
