"""A blocking client is used inside `async def`.

What: a call that waits for the server, a `with` on a blocking lock, or a loop over `scan_iter`, directly in a
coroutine; code that is handed to a thread is not meant.
Why it hurts: the event loop stands still until Redis answers, and every other request with it.
Instead: use the client of `redis.asyncio`, or hand the work to `asyncio.to_thread`.
Fix: none; another client has to be at hand.
"""

from collections.abc import Iterator

from redis_guard.behaviour.network import waits
from redis_guard.behaviour.wording import on_subject, written
from redis_guard.project.model import Call, ModuleUses
from redis_guard.registry import Registry
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for call in module.calls:
        if call.function.asynchronous and _blocks(call):
            yield at(call, _message(call))


def _blocks(call: Call) -> bool:
    """What is awaited does not block, whatever its annotation says; a fake client has no server to wait for."""
    known = call.confidence != "guessed" and not call.type.startswith("fakeredis")
    return known and not call.asynchronous and not call.result.awaited and waits(call)


def _message(call: Call) -> str:
    return (
        f"{written(call)}{on_subject(call)} blocks the event loop until Redis answers; "
        "use redis.asyncio, or asyncio.to_thread"
    )


RULE = Rule(
    code="RG802",
    name="sync-in-async",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    examples=(
        Example(
            bad='async def view(name):\n    return r.get(f"page:{name}")',
            good='async def view(name):\n    return await asyncio.to_thread(r.get, f"page:{name}")',
            setup="import asyncio\n\nimport redis\n\nr = redis.Redis()\n",
        ),
    ),
)
