"""EXPIRE comes before the write that makes the key.

What: EXPIRE or one of its kin on a key, and then a write that gives no lifetime, with no EXPIRE after it.
Why it hurts: EXPIRE on a missing key does nothing, and SET takes away the lifetime of one that was there: the
key stays for ever.
Instead: give the lifetime with the value (`set(key, value, ex=60)`), or queue the write and then the EXPIRE
in one MULTI pipeline.
Fix: the lifetime moves into the SET that follows; in one MULTI the EXPIRE moves behind a write of another kind. Unsafe,
since it may have been meant for the key as it was.
"""

from collections.abc import Iterator

from redis_guard.behaviour.pairs import early_expiries
from redis_guard.behaviour.telling import command_of, named
from redis_guard.behaviour.writes import replaces
from redis_guard.project.model import ModuleUses
from redis_guard.registry import Registry
from redis_guard.repairs.lifetime_into_later_write import LifetimeIntoLaterWrite
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for pair in early_expiries(module):
        write = pair.seconds[0]
        command = command_of(write)
        lost = "removes the lifetime again" if replaces(write) else "makes the key only afterwards"
        message = (
            f"the EXPIRE of {named(pair.key, registry)} comes before the {command}, which {lost}: "
            "the key never expires. Write first and expire in the same step"
        )
        repair = LifetimeIntoLaterWrite(pair.first, write)
        yield at(pair.first, message, (write, f"the {command}"), repair=repair)


RULE = Rule(
    code="RG206",
    name="expire-before-write",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    fix="unsafe",
    examples=(
        Example(bad='r.expire("page:7", 60)\nr.set("page:7", "x")', good='r.set("page:7", "x", ex=60)'),
    ),
)
