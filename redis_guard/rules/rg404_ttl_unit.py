"""Seconds, milliseconds and instants are mixed up.

What: the expiry argument says, by its name, its clock or its arithmetic, that it is in another unit than the call
takes, or an instant where a span belongs, or the other way round; `timedelta.seconds` counts too, which leaves out
whole days.
Why it hurts: the key lives a thousand times too long or too short, for decades, or goes at once.
Instead: pass a timedelta (or a datetime for an instant), which redis-py converts itself; or use the argument of the
unit at hand: `ex`, `px`, `exat`, `pxat`.
Fix: the call takes the unit that the value is in (`px` for `ex`, `expireat()` for `expire()`), or the value is
converted: unsafe, since names can lie. Safe is `KEEP` for `KEEP.seconds`.
"""

from collections.abc import Iterator

from redis_guard.behaviour.expiries import expiries, is_lock
from redis_guard.behaviour.unit_mistakes import mistake
from redis_guard.project.model import ModuleUses
from redis_guard.registry import Registry
from redis_guard.repairs.other_unit import OtherUnit
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for where, lifetime in expiries(module):
        if (found := mistake(where, lifetime)) is not None:
            repair = OtherUnit(where, lifetime, found.unit, found.measured, found.part, is_lock(where))
            yield at(where, found.said, repair=repair)


RULE = Rule(
    code="RG404",
    name="ttl-unit",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    fix="both",
    examples=(
        Example(
            bad='ONE_DAY_SECONDS = 24 * 60 * 60\nr.pexpire("job:7", ONE_DAY_SECONDS)',
            good='ONE_DAY_SECONDS = 24 * 60 * 60\nr.expire("job:7", ONE_DAY_SECONDS)',
        ),
        Example(
            bad='r.set("ban:7", 1, ex=int(time.time()) + 60)',
            good='r.set("ban:7", 1, exat=int(time.time()) + 60)',
            setup="import time\n\nimport redis\n\nr = redis.Redis()\n",
        ),
    ),
)
