"""A whole database is emptied.

What: FLUSHALL, FLUSHDB, or the `clear` of Django's cache, which sends FLUSHDB when Redis is behind it.
Why it hurts: locks, sessions, queues and counters of everybody who shares the server go with the cache.
Instead: delete the keys that are meant (`scan_iter`, UNLINK), or give the cache a version in its keys.
Fix: none; which keys are meant is a decision.
"""

from collections.abc import Iterator

from redis_guard.behaviour.wording import written
from redis_guard.project.model import ModuleUses
from redis_guard.registry import Registry
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at

_OTHERS = "other people's locks, sessions and queues too"
_INSTEAD = "delete the keys that are meant"


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for call in module.calls:
        if call.facts is not None and (
            call.facts.family == "flush" or call.command in ("FLUSHALL", "FLUSHDB")
        ):
            whole = "the whole server" if call.command == "FLUSHALL" else "the whole database"
            yield at(call, f"{written(call)} empties {whole}, {_OTHERS}; {_INSTEAD}")
    for entry in module.cache_calls:
        if entry.method == "clear":
            wrong = f"{entry.receiver}.clear() empties the whole database behind the cache, {_OTHERS}"
            yield at(entry, f"{wrong}; {_INSTEAD}")


RULE = Rule(
    code="RG702",
    name="flush",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    examples=(Example(bad="r.flushdb()", good='r.unlink("ranking:week")'),),
)
