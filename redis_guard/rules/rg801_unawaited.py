"""A command of an asyncio client is not awaited.

What: the call, of a client or of the runtime for asyncio, is a statement of its own, or its result is tested, compared,
computed with or returned from an `async def` as if it were the reply.
Why it hurts: the command is never sent; the coroutine that stands in for the reply is always true.
Instead: put `await` before it; several at a time go into `asyncio.gather`.
Fix: `await` before the call, `async` before the loop (safe), where the function around it is one of asyncio.
"""

from collections.abc import Iterator

from redis_guard.behaviour.awaiting import Fault, fault_of, fault_of_result
from redis_guard.behaviour.wording import on_subject, written
from redis_guard.project.model import ModuleUses
from redis_guard.registry import Registry
from redis_guard.repairs.awaited import Awaited
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at

_CONSEQUENCES: dict[Fault, str] = {
    "dropped": "so it is never sent; write `await` before it",
    "always true": "so the test is always true and nothing is sent; write `await` before it",
    "used": "so a coroutine is used in place of the reply and nothing is sent; write `await` before it",
    "returned": "so the caller's `await` gives a coroutine in place of the reply; write `await` before it",
    "iterated": "and a plain loop cannot wait for it; write `async for`",
}


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for call in module.calls:
        if call.confidence != "guessed" and not call.either and (fault := fault_of(call)) is not None:
            message = _message(f"{written(call)}{on_subject(call)}", fault)
            yield at(call, message, repair=Awaited(call.span, fault == "iterated"))
    for step in module.runtime_steps:
        if (fault := fault_of_result(step.result, step.place.function)) is not None:
            yield Report(
                step.path,
                step.span,
                _message(f"{step.text}()", fault),
                step.place.function.qualname,
                repair=Awaited(step.span),
            )


def _message(what: str, fault: Fault) -> str:
    return f"{what} is not awaited, {_CONSEQUENCES[fault]}"


RULE = Rule(
    code="RG801",
    name="unawaited",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    fix="safe",
    examples=(
        Example(
            bad='async def seen(visitor):\n    r.set(f"seen:{visitor}", 1, ex=60)',
            good='async def seen(visitor):\n    await r.set(f"seen:{visitor}", 1, ex=60)',
            setup="from redis.asyncio import Redis\n\nr = Redis()\n",
        ),
    ),
)
