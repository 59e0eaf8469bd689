"""A lifetime in another unit than its call takes.

Law of this file: one sentence where the code contradicts itself, None where it may be right. A bare number is
judged only where it makes sense in another unit and none in its own.
"""

from typing import Literal, NamedTuple

from redis_guard.behaviour.expiries import instead, is_lock, takes, written
from redis_guard.project.model import Argument, Call, Construction, Lifetime, Measure, TimeUnit, Unit

_NAMES = {
    "us": "microseconds", "ms": "milliseconds", "s": "seconds", "min": "minutes", "h": "hours", "d": "days",
}  # fmt: skip
_YEAR = 365 * 86_400
_HOUR_MS = 3_600_000
_HOURS = frozenset(3600 * hours for hours in (1, 2, 4, 6, 8, 12))
"""Lifetimes in seconds that nobody means in milliseconds."""
_ENDLESS = ("forever", "never", "infinite", "eternal", "unlimited", "maxsize", "maxint")
_EPOCH = 1_000_000_000
"""Unix time in seconds, September 2001: no instant that a key expires at lies before."""

_LARGEST = 1 << 63
"""Redis refuses it; as a float it may even be infinite."""


class UnitMistake(NamedTuple):
    """A sentence, and what the value is instead."""

    said: str
    unit: Unit | None = None
    """The unit that it is in; None where no call takes it as it is."""
    measured: TimeUnit | None = None
    """The unit that it counts by its name, its clock or its arithmetic, where it is a span."""
    part: bool = False
    """It is what an attribute of a timedelta leaves of it."""


def mistake(where: Call | Construction, lifetime: Lifetime) -> UnitMistake | None:
    """What is wrong with the unit, and what to write instead."""
    argument, unit = lifetime.argument, lifetime.unit
    found = _of_type(where, lifetime) or (
        None if argument.measure is None else _of_measure(where, lifetime, argument.measure)
    )
    if found is not None or argument.kind in ("timedelta", "datetime"):
        return found
    if (
        argument.measure is not None
        and argument.measure.why != "written"
        and argument.measure.unit == unit[:2].rstrip("-")
    ):
        return None
    return _of_constants(where, lifetime)


def _of_type(where: Call | Construction, lifetime: Lifetime) -> UnitMistake | None:
    at_instant = lifetime.unit.endswith("-at")
    if lifetime.argument.kind == "datetime" and not at_instant:
        return _instant(where, lifetime, "is an instant, not a span")
    if at_instant and (lifetime.argument.kind == "timedelta" or lifetime.argument.milliseconds is not None):
        return _span(where, lifetime, "is a span, not an instant")
    return None


def _of_measure(where: Call | Construction, lifetime: Lifetime, measure: Measure) -> UnitMistake | None:
    unit = lifetime.unit
    wanted = "ms" if unit.startswith("ms") else "s"
    match measure.kind:
        case "part":
            lost = "whole days" if measure.unit == "s" else "everything but the fraction of a second"
            return UnitMistake(f"{measure.text} leaves out {lost}. Pass the timedelta itself", part=True)
        case "mixed":
            return UnitMistake(f"{measure.text} adds seconds and milliseconds. Convert one of them")
        case "compounded":
            return UnitMistake(
                f"{lifetime.argument.text} is converted again with each turn of the loop ({measure.text}). "
                "Give the converted value a name of its own"
            )
        case "monotonic":
            return UnitMistake(
                f"{measure.text} counts from an arbitrary start, not from 1970. Pass a span, or use time.time()"
            )
        case "instant" if not unit.endswith("-at"):
            return _instant(where, lifetime, "is an instant, not a span", measure.unit)
        case "span" if unit.endswith("-at") and (measure.why != "written" or not _large(lifetime.argument)):
            return _span(where, lifetime, "is a span, not an instant", measure.unit)
    if measure.unit is None or measure.unit == wanted:
        return None
    said = f"is in {_NAMES[measure.unit]}" if measure.why != "name" or measure.text == lifetime.argument.text else (
        f"is in {_NAMES[measure.unit]} by the name {measure.text}"
    )  # fmt: skip
    return _other(where, lifetime, said, measure.unit)


def _of_constants(where: Call | Construction, lifetime: Lifetime) -> UnitMistake | None:
    argument = lifetime.argument
    for value in argument.some if argument.constants is None else argument.constants:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < _LARGEST:
            continue
        if (said := _of_number(lifetime.unit, value, argument, lock=is_lock(where))) is not None:
            what, other = said
            if other == "instant":
                return _instant(where, lifetime, what)
            return _span(where, lifetime, what) if other == "span" else _other(where, lifetime, what, other)
    return None


def _of_number(
    unit: Unit, value: float, argument: Argument, *, lock: bool
) -> tuple[str, TimeUnit | Literal["instant", "span"]] | None:
    """What a bare number more likely is: a sentence, and its true unit, `instant` or `span`."""
    match unit:
        case "s-at" if value < _EPOCH:
            return "lies before the year 2002: it is a span, not an instant", "span"
        case "s-at" if value >= 100 * _EPOCH:
            return "is an instant in milliseconds", "ms"
        case "ms-at" if value < _EPOCH:
            return "lies in January 1970: it is a span, not an instant", "span"
        case "ms-at" if value < 10 * _EPOCH:
            return "is an instant in seconds", "s"
        case "s" if value > 10 * _YEAR and not _endless(value, argument):
            if value < 4 * _EPOCH and value >= _EPOCH:
                return f"is {value / _YEAR:.0f} years, or an instant", "instant"
            return f"is {value / _YEAR:.0f} years as seconds", "ms"
        case "s" if not lock and value >= _HOUR_MS and value % _HOUR_MS == 0 and _odd_days(value):
            return (
                f"is {value / 86_400:.0f} days as seconds, and a round number of hours as milliseconds",
                "ms",
            )
        case "ms" if value > 10 * _YEAR * 1000 and not _endless(value, argument):
            return f"is {value / _YEAR / 1000:.0f} years, or an instant", "instant"
        case "ms" if (value % 86_400 == 0 and value % 60_000) or value in _HOURS:
            return f"is {value / 1000:g} seconds as milliseconds, and a round number of hours as seconds", "s"
    return None


def _odd_days(seconds: float) -> bool:
    """Not a whole number of days, or whole thousands of them."""
    return seconds % 86_400 != 0 or seconds % 86_400_000 == 0


def _endless(value: float, argument: Argument) -> bool:
    """A number that is meant to be as good as for ever."""
    power = int(value) + 1
    years = value % _YEAR == 0 or value % (_YEAR * 1000) == 0
    named = any(word in name.replace("_", "") for name in argument.words for word in _ENDLESS)
    return power & (power - 1) == 0 or years or named


def _large(argument: Argument) -> bool:
    return any(isinstance(value, (int, float)) and value >= _EPOCH for value in argument.some)


def _instant(
    where: Call | Construction, lifetime: Lifetime, what: str, measured: TimeUnit | None = None
) -> UnitMistake:
    own: Unit = "ms-at" if lifetime.unit == "ms" else "s-at"
    other = instead(where, own)
    advice = "subtract the present time" if other is None else f"use {other}, or subtract the present time"
    known: dict[TimeUnit | None, Unit] = {None: own, "ms": "ms-at", "s": "s-at"}
    return UnitMistake(_sentence(where, lifetime, what, advice), known.get(measured))


def _span(
    where: Call | Construction, lifetime: Lifetime, what: str, measured: TimeUnit | None = None
) -> UnitMistake:
    own: Unit = "ms" if lifetime.unit == "ms-at" else "s"
    other = instead(where, own)
    advice = "add the present time" if other is None else f"use {other}, or add the present time"
    known: dict[TimeUnit | None, Unit] = {None: own, "ms": "ms", "s": "s"}
    return UnitMistake(_sentence(where, lifetime, what, advice), known.get(measured))


def _other(where: Call | Construction, lifetime: Lifetime, what: str, given: TimeUnit) -> UnitMistake:
    wanted = "ms" if lifetime.unit.startswith("ms") else "s"
    convert = "convert it"
    if (wanted, given) == ("s", "ms"):
        convert = "divide by 1000" if is_lock(where) else "divide by 1000 (with //)"
    elif (wanted, given) == ("ms", "s"):
        convert = "multiply by 1000"
    at_instant = lifetime.unit.endswith("-at")
    units: dict[TimeUnit, Unit] = {
        "s": "s-at" if at_instant else "s",
        "ms": "ms-at" if at_instant else "ms",
    }
    unit = units.get(given)
    other = None if unit is None else instead(where, unit)
    advice = convert if other is None else f"use {other}, or {convert}"
    return UnitMistake(_sentence(where, lifetime, what, advice), unit, measured=None if at_instant else given)


def _sentence(where: Call | Construction, lifetime: Lifetime, what: str, advice: str) -> str:
    return f"{takes(where, lifetime)}, and {written(where, lifetime)} {what}: {advice}"
