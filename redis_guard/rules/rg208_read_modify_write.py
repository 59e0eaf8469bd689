"""A value is read, changed in Python, and written back.

What: the value of a key, or of a field, is read, something is computed from it, and the result is written to the
same place, with neither WATCH nor a lock nor a script.
Why it hurts: whoever writes between the two is overwritten. Two that do it at once both begin with the old value,
and one of the two changes is lost, silently.
Instead: let the server do it in one step (`incrby`, `hincrby`, `zincrby`, `append`, a Lua script), or put WATCH before
the read and MULTI around the write, and try again on `WatchError` (`client.transaction()` does that).
Fix: none is offered yet.
"""

from collections.abc import Iterator

from redis_guard.behaviour.atomicity import one_step, protected
from redis_guard.behaviour.lookups import same_field, says_value, sources
from redis_guard.behaviour.telling import command_of, named
from redis_guard.finding import Span
from redis_guard.project.model import Call, ModuleUses
from redis_guard.registry import Registry
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at

_PUT_BACK = frozenset("SET SETEX PSETEX GETSET HSET HMSET LSET ZADD JSON.SET MSET".split())
_NOT_VALUES = ("name", "key", "index", "path", "ex", "px", "exat", "pxat", "time", "time_ms")


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    reported: set[Span] = set()
    for write in module.calls:
        if write.command not in _PUT_BACK:
            continue
        calls = module.of_function(write.function)
        for read in _changed(calls, write):
            again = read.span in reported
            if not again and not one_step(calls, read, write) and not protected(calls, read, write):
                reported.add(read.span)
                yield at(read, _message(read, write, registry), (write, f"the {command_of(write)}"))


def _changed(calls: tuple[Call, ...], write: Call) -> Iterator[Call]:
    """The reads of the same place from which the written value is computed."""
    for name, argument in write.arguments:
        # the name of a field is `key` for HSET, the value goes by other names
        if name in _NOT_VALUES:
            continue
        for read, taken in sources(calls, argument.takes):
            if taken.way == "changed" and says_value(read) and _same_place(read, write):
                yield read


def _same_place(read: Call, write: Call) -> bool:
    return bool(set(read.keys) & set(write.keys)) and same_field(read, write)


def _message(read: Call, write: Call, registry: Registry) -> str:
    instead = {"HSET": "HINCRBY", "ZADD": "ZINCRBY"}.get(command_of(write), "INCRBY")
    return (
        f"{named(read.key, registry)} is read here, changed in Python, and written back: a write in between is lost. "
        f"Use one step ({instead} for a number, else a Lua script), or WATCH before the read and MULTI around the write"
    )


RULE = Rule(
    code="RG208",
    name="read-modify-write",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    examples=(
        Example(
            bad='stock = int(r.get("stock:7") or 0)\nr.set("stock:7", stock - 1, keepttl=True)',
            good='r.decr("stock:7")',
            setup='import redis\n\nr = redis.Redis()\nr.set("stock:7", 40, ex=3600)\n',
        ),
    ),
)
