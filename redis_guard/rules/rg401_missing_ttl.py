"""A write makes a key, and no expiry is in sight.

What: SET, SETNX or MSET without an expiry, INCR and its kin, HSET, SADD, LPUSH, ZADD and other writes that
can make a key, where nothing in the project gives that key a lifetime.
Why it hurts: what nobody removes stays. Memory fills until Redis refuses writes or evicts what is needed, and
nobody can tell which keys may go.
Instead: give the lifetime with the write (`ex=`), in one MULTI pipeline with EXPIRE, or through a registered
use case. A key that is meant to stay is declared: a keyspace of the registry with `ttl: none` and a reason.
Fix: none; the lifetime is a decision.
"""

from collections.abc import Iterator

from redis_guard.behaviour.endless import endless_writes
from redis_guard.behaviour.telling import named
from redis_guard.project.keys import Key
from redis_guard.project.model import Call, ProjectUses
from redis_guard.registry import Registry, UseCase
from redis_guard.rule import ERROR, Example, OfProject, Report, Rule, at

_REMEDIES = {
    "set": "Pass `ex=`",
    "setnx": "Use `set(…, nx=True, ex=…)`",
    "counter": "Start its window in the same MULTI, or use a registered counter",
}


def check(project: ProjectUses, registry: Registry) -> Iterator[Report]:
    for call, key in endless_writes(project):
        if key is None or not _meant(key, registry):
            yield at(call, _message(call, key, registry))


def _meant(key: Key, registry: Registry) -> bool:
    """The registry says that the key may stay, or a use case looks after it."""
    entry = registry.entry_for_key(key.template)
    return entry is not None and (isinstance(entry, UseCase) or entry.ttl == "none")


def _message(call: Call, key: Key | None, registry: Registry) -> str:
    facts = call.facts
    family = facts.family if facts is not None and facts.stored_as == "string" else ""
    remedy = _REMEDIES.get(family, "Queue an EXPIRE in the same MULTI")
    return (
        f"{named(key, registry)} is written without a lifetime, and none is in sight: it stays until somebody "
        f"deletes it. {remedy}, or declare a keyspace with `ttl: none`"
    )


RULE = Rule(
    code="RG401",
    name="missing-ttl",
    since="0.1.0",
    severity=ERROR,
    scope=OfProject(check),
    doc=__doc__,
    examples=(Example(bad='r.set("greeting:7", "hello")', good='r.set("greeting:7", "hello", ex=3600)'),),
)
