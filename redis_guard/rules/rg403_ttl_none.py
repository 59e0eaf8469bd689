"""A lifetime is or may be None.

What: the expiry argument is None, or can become None by a way in the code: an optional parameter that is handed
through, a lookup without a default, a branch.
Why it hurts: `set(key, value, ex=None)` stores the value for ever without a word; `expire(key, None)` and
`setex(key, None, value)` raise DataError.
Instead: decide the lifetime before the call, and write keys that are meant to stay in a call of their own. A test
for None before the call is seen, and so is a keyspace of the registry with `ttl: none`.
Fix: none; the lifetime is a decision.
"""

from collections.abc import Iterator

from redis_guard.behaviour.expiries import RAISING, family, subject, written
from redis_guard.project.model import Call, Lifetime, ModuleUses
from redis_guard.registry import Keyspace, Registry
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at

_ASKED = frozenset({"lock", "lock-extend", "read"})
"""Locks have a rule of their own; GETEX without an expiry only reads."""


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for call in module.calls:
        if not call.lifetimes or call.opaque or family(call) in _ASKED or _keeps(call):
            continue
        # where two are given, one that is something is enough
        nothing = all(lifetime.argument.may_be_none for lifetime in call.lifetimes)
        if nothing and (_raises(call) or not _may_stay(call, registry)):
            yield at(call, _message(call, call.lifetimes[0], registry))


def _raises(call: Call) -> bool:
    return call.method in RAISING or family(call) in ("expire", "field-expire")


def _may_stay(call: Call, registry: Registry) -> bool:
    entry = None if call.key is None else registry.entry_for_key(call.key.template)
    return isinstance(entry, Keyspace) and entry.ttl == "none"


def _keeps(call: Call) -> bool:
    keepttl = call.argument("keepttl")
    return keepttl is not None and keepttl.constants != (False,)


def _message(call: Call, lifetime: Lifetime, registry: Registry) -> str:
    certain = lifetime.argument.constants == (None,)
    given = written(call, lifetime) if certain else lifetime.argument.text
    if _raises(call):
        said = "" if certain else f"may be None, and {call.method}() then "
        return f"{given} {said}raises DataError. Decide the lifetime before the call"
    what = "the fields of " * lifetime.of_field + subject(call, registry)
    stays = (
        f"{given} stores {what} for ever"
        if certain
        else f"{given} may be None, and {what} is then stored for ever"
    )
    return f"{stays}. Give it a lifetime, or write what is meant to stay in a call of its own"


RULE = Rule(
    code="RG403",
    name="ttl-none",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    examples=(
        Example(
            bad="def put(name: str, value: str, ttl: int | None = None) -> None:\n    r.set(name, value, ex=ttl)",
            good="def put(name: str, value: str, ttl: int = 3600) -> None:\n    r.set(name, value, ex=ttl)",
        ),
        Example(
            bad='TTLS = {"short": 60, "long": 3600}\n\n\ndef put(name: str, value: str, tier: str) -> None:\n'
            "    r.set(name, value, ex=TTLS.get(tier))",
            good='TTLS = {"short": 60, "long": 3600}\n\n\ndef put(name: str, value: str, tier: str) -> None:\n'
            "    r.set(name, value, ex=TTLS.get(tier, 60))",
        ),
    ),
)
