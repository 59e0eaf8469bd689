"""A collection is deleted with DEL.

What: `delete()` of a key that is a list, set, sorted set, stream or open hash elsewhere in the project.
Why it hurts: DEL frees every element before it answers, and everybody waits. For millions of elements that is seconds.
Instead: `unlink()`, which takes the key away at once and frees it in the background.
Fix: `unlink()` in place of `delete()` (safe).
"""

from collections.abc import Iterator

from redis_guard.behaviour.collections import Collections, collections_of
from redis_guard.behaviour.families import speaks
from redis_guard.behaviour.telling import named
from redis_guard.project.model import Call, ProjectUses
from redis_guard.registry import Registry
from redis_guard.repairs.unlink import Unlink
from redis_guard.rule import NOTE, Example, OfProject, Report, Rule, at

_FIELDS = frozenset("HSET HMSET HSETNX HINCRBY HINCRBYFLOAT".split())


def check(project: ProjectUses, registry: Registry) -> Iterator[Report]:
    known = collections_of(project)
    for module in project.modules:
        for call in module.calls:
            if call.command == "DEL" and call.key is not None and speaks(call.key):
                put = _filled(call, known)
                if put is not None:
                    yield at(
                        call,
                        f"DEL of {named(call.key, registry)} frees every element before it answers; unlink() does it "
                        "in the background",
                        (put, "it is a collection"),
                        repair=Unlink(call),
                    )


def _filled(call: Call, known: Collections) -> Call | None:
    puts = known.written(call)
    if not puts or known.is_trimmed(call):
        return None
    if all(put.command in _FIELDS for put in puts) and not known.has_open_fields(call):
        return None
    return puts[0]


_SETUP = """
import redis

r = redis.Redis()
with r.pipeline() as pipe:
    pipe.sadd("seen:today", "7")
    pipe.expire("seen:today", 90_000)
    pipe.execute()
"""

RULE = Rule(
    code="RG705",
    name="blocking-delete",
    since="0.1.0",
    severity=NOTE,
    scope=OfProject(check),
    doc=__doc__,
    fix="safe",
    default=False,
    examples=(Example(bad='r.delete("seen:today")', good='r.unlink("seen:today")', setup=_SETUP.lstrip()),),
)
