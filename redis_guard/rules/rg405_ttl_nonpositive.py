"""A lifetime is zero, negative, or cut to zero.

What: the expiry argument is a constant that is not positive, or a timedelta or fraction below the unit of the call,
which redis-py cuts to 0.
Why it hurts: EXPIRE with 0 or less deletes the key at once; SET, SETEX and their kin raise ResponseError instead.
Instead: `delete()` or `unlink()` for a key that should go; no expiry argument, or `persist()`, for one that should
stay; `px=` or `pexpire()` for less than a second.
Fix: none yet.
"""

from collections.abc import Iterator

from redis_guard.behaviour.expiries import Expiry, expiries, family, instead, is_lock, subject, written
from redis_guard.project.model import Argument, Unit
from redis_guard.project.model import ModuleUses
from redis_guard.registry import Registry
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at

_SHORTEST: dict[Unit, float] = {"s": 1000.0, "ms": 1.0}
"""One of the unit, in milliseconds."""


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for expiry in expiries(module):
        where, lifetime = expiry
        if is_lock(where):
            if (worst := _least(lifetime.argument)) is not None and 0 < worst < 0.001:
                yield at(where, _of_lock(expiry))
        elif family(where) != "copy" and (fault := _fault(expiry)) is not None:
            yield at(where, f"{fault}{_advice(expiry, registry)}")


def _least(argument: Argument) -> float | None:
    """The least of the values that the argument can have, where all are known."""
    numbers = [v for v in argument.constants or () if isinstance(v, (int, float)) and not isinstance(v, bool)]
    return min(numbers) if numbers else None


def _fault(expiry: Expiry) -> str | None:
    """What is wrong with the number, up to what it causes."""
    where, lifetime = expiry
    given = written(where, lifetime)
    length = lifetime.argument.milliseconds
    least = _least(lifetime.argument)
    if length is not None and lifetime.unit in _SHORTEST and length < _SHORTEST[lifetime.unit]:
        return f"{given} is not positive, it" if length <= 0 else f"{given} is cut to 0, it"
    if least is None:
        return None
    if least <= 0:
        return f"{given} {'is' if lifetime.argument.text == str(least) else 'can be'} {least:g}, it"
    if least < 1:
        return f"{given} is a fraction below 1, it"
    return None


def _advice(expiry: Expiry, registry: Registry) -> str:
    where, lifetime = expiry
    length, least = lifetime.argument.milliseconds, _least(lifetime.argument)
    finer = instead(where, "ms") if lifetime.unit == "s" else None
    positive = (length is not None and length > 0) or (least is not None and least > 0)
    what = subject(where, registry)
    ends = family(where) in ("expire", "field-expire") and not (least is not None and least > 0)
    fields = lifetime.of_field
    if ends:
        caused = f" deletes {'the fields of ' * fields}{what} at once. "
        other = f"Use {finer} for less than a second" if positive and finer else (
            "Call hdel() if that is meant" if fields else "Call delete() or unlink() if that is meant, persist() to keep it"
        )  # fmt: skip
        return caused + other
    if positive and finer:
        return f" is refused with an error. Use {finer} for less than a second"
    return " is refused with ResponseError. Leave the expiry out to keep the value, or delete the key"


def _of_lock(expiry: Expiry) -> str:
    return f"{written(*expiry)} is less than a millisecond, acquire() raises ResponseError. Give the lock a longer timeout"


RULE = Rule(
    code="RG405",
    name="ttl-nonpositive",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    examples=(
        Example(bad='r.expire("job:7", 0)', good='r.delete("job:7")'),
        Example(bad='r.set("job:7", "x", ex=0)', good='r.set("job:7", "x", ex=60)'),
    ),
)
