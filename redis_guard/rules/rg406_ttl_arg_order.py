"""SETEX or PSETEX is given the value where the time belongs.

What: the second argument is text, or named like a value, and the third is a lifetime. redis-py takes
`setex(name, time, value)`; before version 3 the class `redis.Redis` took `setex(name, value, time)`.
Why it hurts: the call raises, or stores the lifetime as the value for as long as the value says.
Instead: `set(name, value, ex=time)`, which cannot be mixed up.
Fix: `set()` with the lifetime by name: safe where the value is text in quotes and the lifetime a number, else unsafe.
"""

import re
from collections.abc import Iterator

from redis_guard.behaviour.expiries import subject
from redis_guard.project.model import Argument, Call, ModuleUses
from redis_guard.registry import Registry
from redis_guard.repairs.swapped_setex import SwappedSetex
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at

_TIMES = {"setex": "time", "psetex": "time_ms"}
_KEYWORDS = {"setex": "ex", "psetex": "px"}
_LIFETIME = re.compile(
    r"(^|_)(ttl|timeout|expir\w*|lifetime|seconds|secs|ms|lease|duration|max_?age)(_|$)|timedelta"
)
_VALUE = re.compile(r"^(value|val|v|data|payload|body|content|json|text|message|msg|serialized|dumps)$")


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for call in module.calls:
        time, value = call.argument(_TIMES.get(call.method, "")), call.argument("value")
        if time is not None and value is not None and not call.opaque and _swapped(time, value):
            repair = SwappedSetex(call, _TIMES[call.method], _KEYWORDS[call.method])
            yield at(call, _message(call, time, value, registry), repair=repair)


def _swapped(time: Argument, value: Argument) -> bool:
    if _is_number(time) or _named_lifetime(time) or not _may_be_lifetime(value):
        return False
    if time.kind in ("str", "bytes"):
        # "60" may be a time that came from a setting; beside a number it is the value
        return _plausible(value) or not (time.constants and all(str(v).isdecimal() for v in time.constants))
    if value.kind == "timedelta" or _named_lifetime(value):
        return True
    return bool(_VALUE.search(_last_word(time))) and _plausible(value)


def _is_number(argument: Argument) -> bool:
    return argument.kind in ("int", "float", "timedelta") or argument.measure is not None


def _may_be_lifetime(argument: Argument) -> bool:
    if argument.kind == "timedelta":
        return True
    return (argument.kind in ("int", "float", "unknown") and _named_lifetime(argument)) or _plausible(
        argument
    )


def _plausible(argument: Argument) -> bool:
    """A constant that looks like a lifetime and not like a mark that something happened."""
    numbers = [v for v in argument.constants or () if isinstance(v, (int, float)) and not isinstance(v, bool)]
    return bool(numbers) and min(numbers) > 1


def _named_lifetime(argument: Argument) -> bool:
    return argument.measure is not None or bool(_LIFETIME.search(_last_word(argument)))


def _last_word(argument: Argument) -> str:
    """`SESSION_TTL` for `settings.SESSION_TTL`, in lower case; empty for what is no name."""
    return argument.text.rpartition(".")[2].lower() if re.fullmatch(r"[\w.]+", argument.text) else ""


def _message(call: Call, time: Argument, value: Argument, registry: Registry) -> str:
    return (
        f"{call.method}() takes the time before the value: {subject(call, registry)} is given {time.text} for a "
        f"lifetime. Write set(…, {time.text}, {_KEYWORDS[call.method]}={value.text})"
    )


RULE = Rule(
    code="RG406",
    name="ttl-arg-order",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    fix="both",
    examples=(
        Example(
            bad='def keep(code: str) -> None:\n    r.setex("otp:7", code, 300)',
            good='def keep(code: str) -> None:\n    r.set("otp:7", code, ex=300)',
        ),
    ),
)
