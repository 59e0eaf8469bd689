"""What is known of values: arguments, lifetimes, units of time.

Law of this file: what is not known says so; `constants is None` is ignorance, not absence.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from redis_guard.project.keys import Key
from redis_guard.project.taken import Taken

Constant: TypeAlias = str | bytes | int | float | bool | None

Unit = Literal["s", "ms", "s-at", "ms-at"]

Kind = Literal["none", "bool", "int", "float", "str", "bytes", "timedelta", "datetime", "unknown"]

TimeUnit = Literal["us", "ms", "s", "min", "h", "d"]


@dataclass(frozen=True, slots=True)
class Measure:
    """What a number measures, as far as names, clocks and arithmetic say."""

    kind: Literal["span", "instant", "unsaid", "monotonic", "part", "mixed", "compounded"]
    """unsaid: a unit, but not whether it counts a span or from 1970. monotonic: an instant of a clock that starts
    anywhere. part: what `timedelta.seconds` leaves over. mixed: a sum of two units. compounded: converted again
    with each turn of a loop."""
    unit: TimeUnit | None
    why: Literal["name", "clock", "call", "written", "arithmetic"]
    """written: the number is written as a product, `24 * 60 * 60`."""
    text: str
    """The name, call or arithmetic that says so."""


@dataclass(frozen=True, slots=True)
class Argument:
    """What is known of one argument's value."""

    text: str
    """As written, shortened."""
    constants: tuple[Constant, ...] | None
    """Every value it can have, where all of them are known; else None."""
    some: tuple[Constant, ...]
    """Values it can certainly have (a default, one branch), known or not what else."""
    may_be_none: bool
    """A way through the code (a default, an Optional annotation, `.get()`, a branch) gives it None."""
    words: frozenset[str]
    """Names that take part in it, and in what it was assigned from; lower case."""
    calls: frozenset[str]
    """Dotted names of foreign functions called on the way: `time.time`, `datetime.timedelta`, `uuid.uuid4`."""
    kind: Kind
    milliseconds: float | None
    """A constant timedelta's length."""
    attribute: str | None
    """`seconds` for `KEEP.seconds`: the attribute or method that the value was taken by last."""
    operators: frozenset[str]
    """Arithmetic operators between the names: `+` tells an instant from a span."""
    key: Key
    """The value as a key template."""
    measure: Measure | None = None
    """The unit of time it is in."""
    takes: tuple[Taken, ...] = ()
    """The calls of its function whose results take part in it."""


@dataclass(frozen=True, slots=True)
class Lifetime:
    """An argument that gives a lifetime."""

    parameter: str
    unit: Unit
    argument: Argument
    of_field: bool
    """The lifetime of hash fields, not of the key."""
