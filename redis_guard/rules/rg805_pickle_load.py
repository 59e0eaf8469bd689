"""A value read from Redis is unpickled.

What: `pickle`, `dill`, `cloudpickle` or `joblib` loads what a client has read.
Why it hurts: a pickle is a program. Whoever can write to that Redis, or to that key, runs code of their choice in
every process that reads it; a Redis inside the network has often one password for all, or none.
Instead: store JSON or msgpack and build the objects from it; where it must be a pickle, sign it (`hmac`,
`itsdangerous`) and check the signature before loading.
Tests, which write what they read, are not judged.
Fix: none; the values that are stored already must be migrated.
"""

from collections.abc import Iterator
from dataclasses import replace

from redis_guard.behaviour.wording import on_subject, written
from redis_guard.finding import Span
from redis_guard.project.model import Call, ModuleUses
from redis_guard.registry import Registry
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at

_PICKLES = frozenset({"pickle", "_pickle", "cPickle", "pickle5", "dill", "cloudpickle", "joblib"})
_LOADERS = frozenset({"load", "loads", "Unpickler"})
_UNCHANGED = ("itself", "part", "converted")
"""What came through an unknown function may have been checked by it."""


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    seen: set[Span] = set()
    signed = {
        (handed.scope, taken.order)
        for handed in module.handed
        if handed.to == "library" and handed.callee.startswith("hmac.")
        for taken in handed.takes
    }
    for handed in module.handed:
        if handed.to != "library" or not _unpickles(handed.callee):
            continue
        span = Span(*handed.span)
        calls = {call.place.order: call for call in module.calls if call.function.scope == handed.scope}
        for taken in handed.takes:
            call = calls.get(taken.order)
            trusted = taken.way not in _UNCHANGED or (handed.scope, taken.order) in signed
            if call is not None and not trusted and span not in seen:
                seen.add(span)
                yield replace(at(call, _message(handed.callee, call)), span=span)


def _unpickles(callee: str) -> bool:
    package, _, name = callee.rpartition(".")
    return name in _LOADERS and not _PICKLES.isdisjoint(package.split("."))


def _message(callee: str, call: Call) -> str:
    return (
        f"{callee}() loads what {written(call)}{on_subject(call)} has read: whoever can write it runs code here; "
        "store JSON, or check a signature before loading"
    )


RULE = Rule(
    code="RG805",
    name="pickle-load",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    examples=(
        Example(
            bad='basket = pickle.loads(r.get("basket:7"))',
            good='basket = json.loads(r.get("basket:7"))',
            setup="import json\nimport pickle\n\nimport redis\n\nr = redis.Redis()\n",
        ),
    ),
)
