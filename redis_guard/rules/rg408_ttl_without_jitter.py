"""Many cache keys are given one and the same lifetime at one time.

What: a loop writes keys, each with the same constant lifetime.
Why it hurts: what was filled together ends together. In the same second every reader misses, and all of them go to the
database.
Instead: add some chance to each lifetime: `ex=3600 + random.randrange(360)`.
Fix: `ex=3600 + random.randrange(360)`, unsafe, since entries live up to a tenth longer. Not for `set_many`, which gives
one lifetime to all.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from redis_guard.behaviour.holding import takes_if_absent
from redis_guard.behaviour.telling import named
from redis_guard.project.keys import Hole, Key
from redis_guard.project.model import Argument, CacheCall, Call, Constant, ModuleUses
from redis_guard.registry import Registry, UseCase
from redis_guard.repairs.jitter import Jitter
from redis_guard.rule import NOTE, Example, OfModule, Report, Rule, at

LEAST_SECONDS = 60
"""What ends sooner is filled again before it can pile up."""
_PER_SECOND = {"s": 1, "ms": 1000}
_OVER_TIME = re.compile(
    r"stream|listen|subscri|consum|queue|socket|poll|watch|tail|follow|events?\b", re.IGNORECASE
)
"""A loop over what arrives bit by bit: its keys do not begin together."""


class _Given(NamedTuple):
    parameter: str
    argument: Argument
    seconds: float


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    seen: set[tuple[int, int | None]] = set()
    calls: tuple[Call | CacheCall, ...] = (*module.calls, *module.cache_calls)
    for call in calls:
        loop = _batch(call)
        given = _given(call)
        if given is None or loop is None or not _is_cache(call, registry):
            continue
        if (call.place.function.scope, loop) not in seen:
            seen.add((call.place.function.scope, loop))
            message = _message(named(call.key, registry, "each entry"), given.seconds)
            yield at(call, message, repair=Jitter(call, given.parameter, given.argument))


def _batch(call: Call | CacheCall) -> int | None:
    """What writes many keys at one time: the outermost loop, or the statement; None where nothing does."""
    if isinstance(call, CacheCall) and call.method == "set_many" and call.key is None:
        return -1 - call.place.statement
    turning = [piece.turns for piece in _pieces(call.key) if isinstance(piece, Hole) and piece.turns]
    loops = [arm for arm in call.place.path if arm.kind in ("for", "while") and arm.arm == 0]
    collected = not loops and (call.result.use == "collected" or call.method == "set_many")
    # in a `while` the batch comes round again, and renews what it wrote
    if (
        not turning
        or any(arm.kind == "while" for arm in loops)
        or any(_OVER_TIME.search(over) for over in turning)
    ):
        return None
    if collected:
        return -1 - call.place.statement
    return loops[0].construct if loops else None


def _pieces(key: Key | None) -> tuple[str | Hole, ...]:
    return () if key is None else key.pieces


def _is_cache(call: Call | CacheCall, registry: Registry) -> bool:
    """It keeps what has to be made again when it ends; a mark (`1`, a name that the key has already) is not missed."""
    if isinstance(call, Call):
        if call.facts is None or call.facts.family != "set" or takes_if_absent(call):
            return False
    elif call.method not in ("set", "set_many"):
        return False
    value = call.argument("value")
    if value is not None and (value.constants is not None or set(value.key.pieces) <= set(_pieces(call.key))):
        return False
    entry = None if call.key is None else registry.entry_for_key(call.key.template)
    return not isinstance(entry, UseCase) and (entry is None or entry.key_class == "cache")


def _given(call: Call | CacheCall) -> _Given | None:
    """The first lifetime that is a number in plain sight, if it is long enough to matter."""
    given: list[tuple[str, Argument, int]] = []
    if isinstance(call, Call):
        given = [
            (each.parameter, each.argument, _PER_SECOND[each.unit])
            for each in call.lifetimes
            if each.unit in _PER_SECOND
        ]
    elif (timeout := call.argument("timeout")) is not None:
        given = [("timeout", timeout, 1)]
    for parameter, argument, per_second in given:
        length = argument.milliseconds
        number = _number(argument.constants)
        seconds = length / 1000 if length is not None else None if number is None else number / per_second
        if seconds is not None:
            return _Given(parameter, argument, seconds) if seconds >= LEAST_SECONDS else None
    return None


def _number(constants: tuple[Constant, ...] | None) -> float | None:
    if constants is None or len(constants) != 1 or isinstance(constants[0], bool):
        return None
    return constants[0] if isinstance(constants[0], int | float) else None


def _message(what: str, seconds: float) -> str:
    return (
        f"{what} is written in one go with others, each with the same {seconds:g} seconds to live, so all of them end "
        "at once; add some chance to each lifetime"
    )


RULE = Rule(
    code="RG408",
    name="ttl-without-jitter",
    since="0.1.0",
    severity=NOTE,
    scope=OfModule(check),
    doc=__doc__,
    fix="unsafe",
    default=False,
    examples=(
        Example(
            bad='for page in range(100):\n    r.set(f"page:{page}", f"page {page}", ex=3600)',
            good="for page in range(100):\n"
            '    r.set(f"page:{page}", f"page {page}", ex=3600 + random.randrange(360))',
            setup="import random\n\nimport redis\n\nr = redis.Redis()\n",
        ),
    ),
)
