"""A value is set, and its lifetime follows in a second round trip.

What: SET, MSET, GETSET or an item assignment makes a key, and EXPIRE or one of its kin gives it a lifetime
later, outside one MULTI or script.
Why it hurts: a crash, a timeout or a cancelled task between the two leaves the key without a lifetime, for
ever.
Instead: give the lifetime with the value, `set(key, value, ex=60)`; for several keys, SET with `ex` in one
MULTI pipeline.
Fix: the lifetime moves into the SET (GETSET and item assignments become one): safe where it is written in figures and
the EXPIRE follows directly, else unsafe. Where the EXPIRE is reached on other ways too, it stays.
"""

from collections.abc import Iterator

from redis_guard.behaviour.pairs import Pair, late_expiries, nature, overwritten
from redis_guard.behaviour.telling import named, others, second_step
from redis_guard.fixes.repair import Repair
from redis_guard.project.model import ModuleUses
from redis_guard.registry import Registry
from redis_guard.repairs.lifetime_of_arms import LifetimeOfArms
from redis_guard.repairs.lifetime_with_value import LifetimeWithValue
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for pair in late_expiries(module):
        if nature(pair.first) == "set":
            message = (
                f"{named(pair.key, registry)} is set without a lifetime, and {second_step(pair)}: "
                "if it never comes, the key stays for ever. Give the lifetime with the value (`ex=`)"
            )
            yield at(pair.first, message, *others(pair), repair=_repair(module, pair))


def _repair(module: ModuleUses, pair: Pair) -> Repair | None:
    if overwritten(module, pair):
        return None
    if len(pair.seconds) > 1:
        return LifetimeOfArms(pair.first, pair.seconds)
    return LifetimeWithValue(pair.first, pair.seconds[0])


RULE = Rule(
    code="RG201",
    name="set-then-expire",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    fix="both",
    examples=(
        Example(
            bad='r.set("session:7", "ada")\nr.expire("session:7", 1800)',
            good='r.set("session:7", "ada", ex=1800)',
        ),
    ),
)
