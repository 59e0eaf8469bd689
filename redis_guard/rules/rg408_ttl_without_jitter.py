"""Many cache keys are given one and the same lifetime at one time.

What: a loop writes keys, each with the same constant lifetime.
Why it hurts: what was filled together ends together. In the same second every reader misses, and all of them go to the
database.
Instead: add some chance to each lifetime: `ex=3600 + random.randrange(600)`.
Fix: none is offered yet.
"""

from collections.abc import Iterator

from redis_guard.behaviour.holding import takes_if_absent
from redis_guard.behaviour.telling import named
from redis_guard.project.flow import innermost_loop
from redis_guard.project.keys import Hole
from redis_guard.project.model import Call, ModuleUses
from redis_guard.registry import Registry
from redis_guard.rule import NOTE, Example, OfModule, Report, Rule, at

LEAST_SECONDS = 60
"""What ends sooner is filled again before it can pile up."""
_PER_SECOND = {"s": 1, "ms": 1000}


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    if module.test:
        return
    seen: set[tuple[int, int]] = set()
    for call in module.calls:
        loop = innermost_loop(call.place)
        if loop is None or (call.function.scope, loop) in seen or not _many(call):
            continue
        if (seconds := _constant(call)) is not None:
            seen.add((call.function.scope, loop))
            yield at(call, _message(named(call.key, registry), seconds))
    for entry in module.cache_calls:
        timeout = entry.argument("timeout")
        if entry.method == "set_many" and timeout is not None and (seconds := _number(timeout.constants)):
            yield at(entry, _message("the entries", seconds))


def _many(call: Call) -> bool:
    if call.facts is None or call.facts.family != "set" or takes_if_absent(call) or call.key is None:
        return False
    return any(isinstance(piece, Hole) for piece in call.key.pieces)


def _constant(call: Call) -> float | None:
    for lifetime in call.lifetimes:
        if lifetime.unit in _PER_SECOND and (number := _number(lifetime.argument.constants)):
            seconds = number / _PER_SECOND[lifetime.unit]
            return seconds if seconds >= LEAST_SECONDS else None
    return None


def _number(constants: tuple[object, ...] | None) -> float | None:
    if constants is None or len(constants) != 1 or isinstance(constants[0], bool):
        return None
    return constants[0] if isinstance(constants[0], int | float) else None


def _message(what: str, seconds: float) -> str:
    return (
        f"{what} is written again and again with the same {seconds:g} seconds to live, so all of them end at once; "
        "add some chance to each lifetime"
    )


RULE = Rule(
    code="RG408",
    name="ttl-without-jitter",
    since="0.1.0",
    severity=NOTE,
    scope=OfModule(check),
    doc=__doc__,
    default=False,
    examples=(
        Example(
            bad='for page in range(100):\n    r.set(f"page:{page}", "text", ex=3600)',
            good="import random\n\nfor page in range(100):\n"
            '    r.set(f"page:{page}", "text", ex=3600 + random.randrange(600))',
        ),
    ),
)
