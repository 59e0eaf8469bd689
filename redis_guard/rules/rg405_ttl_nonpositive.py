"""A lifetime is zero, negative, or cut to zero.

What: the expiry argument is a constant that is not positive, or a timedelta or fraction below the unit of the call,
which redis-py cuts to 0.
Why it hurts: EXPIRE with 0 or less deletes the key at once; SET, SETEX and their kin raise ResponseError instead.
Instead: `delete()` or `unlink()` for a key that should go; no expiry argument, or `persist()`, for one that should
stay; `px=` or `pexpire()` for less than a second.
Fix: an EXPIRE that deletes becomes `delete()`, safe where its figures stand in the call; a timedelta or fraction below
a second goes into `px=` or `pexpire()`, unsafe. For SET with 0 there is none: "do not keep" and "keep for ever" are
opposite.
"""

from collections.abc import Iterator
from typing import NamedTuple

from redis_guard.behaviour.expiries import expiries, family, instead, is_lock, subject, written
from redis_guard.project.model import Argument, Call, Construction, Lifetime, ModuleUses, Unit
from redis_guard.registry import Registry
from redis_guard.repairs.deletion_in_words import DeletionInWords
from redis_guard.repairs.finer_unit import FinerUnit
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at

_SHORTEST: dict[Unit, float] = {"s": 1000.0, "ms": 1.0}
"""One of the unit, in milliseconds."""


class _Fault(NamedTuple):
    said: str
    """What the text alone does not say of the value; empty where it does."""
    fraction: bool
    """It is longer than nothing and shorter than the unit."""
    refused: bool
    """redis-py or the server refuses a number that is not whole."""


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for where, lifetime in expiries(module):
        least = _least(lifetime.argument)
        if is_lock(where):
            # none at all, 0 and less are the fault of a lock without a timeout
            if least is not None and 0 < least < 0.001:
                yield at(
                    where,
                    f"{written(where, lifetime)} is less than a millisecond: acquire() raises ResponseError",
                )
        elif family(where) != "copy" and (fault := _fault(lifetime, least)) is not None:
            repair = _repair(where, lifetime, fault)
            yield at(where, _message(where, lifetime, fault, registry), repair=repair)


def _least(argument: Argument) -> float | None:
    """The least of the values that the argument can have, where all are known."""
    numbers = [v for v in argument.constants or () if isinstance(v, (int, float)) and not isinstance(v, bool)]
    return min(numbers) if numbers else None


def _fault(lifetime: Lifetime, least: float | None) -> _Fault | None:
    argument = lifetime.argument
    if argument.milliseconds is not None and lifetime.unit in _SHORTEST:
        if argument.milliseconds <= 0:
            return _Fault("is not positive and ", False, False)
        if argument.milliseconds < _SHORTEST[lifetime.unit]:
            return _Fault("is cut to 0 and ", True, False)
    if least is None or least >= 1:
        return None
    if least > 0:
        return _Fault("is a fraction of one and ", True, True)
    plain = argument.text == repr(least)
    certain = argument.constants is not None and len(argument.constants) == 1
    return _Fault("" if plain else f"{'is' if certain else 'can be'} {least:g} and ", False, False)


def _repair(
    where: Call | Construction, lifetime: Lifetime, fault: _Fault
) -> DeletionInWords | FinerUnit | None:
    if isinstance(where, Construction):
        return None
    if fault.fraction:
        return FinerUnit(where, lifetime)
    constants = lifetime.argument.constants
    certain = lifetime.argument.milliseconds is not None or (constants is not None and len(constants) == 1)
    return DeletionInWords(where, lifetime) if certain and _deletes(where, fault) else None


def _deletes(where: Call | Construction, fault: _Fault) -> bool:
    return family(where) in ("expire", "field-expire") and not fault.refused


def _message(where: Call | Construction, lifetime: Lifetime, fault: _Fault, registry: Registry) -> str:
    deletes = _deletes(where, fault)
    what = f"{'the fields of ' * lifetime.of_field}{subject(where, registry)}"
    caused = f"deletes {what} at once" if deletes else "is refused with an error"
    finer = instead(where, "ms") if fault.fraction and lifetime.unit == "s" else None
    if finer is not None:
        advice = f"Use {finer} for less than a second"
    elif deletes:
        meant = "hdel()" if lifetime.of_field else "delete() or unlink()"
        advice = (
            f"Call {meant} if that is meant, {'hpersist' if lifetime.of_field else 'persist'}() to keep it"
        )
    else:
        advice = "Leave the expiry out to keep the value, or delete the key"
    return f"{written(where, lifetime)} {fault.said}{caused}. {advice}"


RULE = Rule(
    code="RG405",
    name="ttl-nonpositive",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    fix="both",
    examples=(
        Example(bad='r.expire("job:7", 0)', good='r.delete("job:7")'),
        Example(bad='r.set("job:7", "x", ex=0.5)', good='r.set("job:7", "x", px=500)'),
    ),
)
