"""What becomes of results: which calls take part in a value, a test, a comparison.

Law of this file: plain values. A call is named by its `Place.order`; it stands in the same function.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Way = Literal["itself", "part", "converted", "changed"]
"""How much of a result arrives.

itself: the very result
part: an item, an attribute, a turn of a loop
converted: written otherwise, the content as it was: `int(x)`, `x.decode()`, `json.loads(x)`
changed: computed from it
"""

WAYS: tuple[Way, ...] = ("itself", "part", "converted", "changed")
"""From the least to the most that has happened to it."""


@dataclass(frozen=True, slots=True, order=True)
class Taken:
    """A value is made with the result of the call at `order`."""

    order: int
    way: Way


@dataclass(frozen=True, slots=True)
class Guard:
    """A test that decides whether a place is reached."""

    takes: tuple[Taken, ...]
    operators: frozenset[str]
    """Comparisons in it, as written; `not` among them."""
    met: bool
    """The place is reached when the test holds; False: when it does not."""
    order: int
    """When the test is made."""
    text: str
    construct: int | None = None
    """The compound statement around the place whose test it is; None for one that is left before, and within one."""


@dataclass(frozen=True, slots=True)
class Context:
    """A `with` that is open around a place."""

    text: str
    name: str
    """The dotted name of the foreign class or function that makes it, or the last name as written."""
    kind: str
    """Of a Redis object: lock, pipeline …; else empty."""


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop over what a call gives."""

    caught: frozenset[str]
    """Last names of the exception classes that are caught around it, or around calls of its function."""
    gives_back: bool
    """A value is returned from inside: it waits for an answer."""


@dataclass(frozen=True, slots=True)
class Operand:
    """One side of a comparison."""

    text: str
    takes: tuple[Taken, ...]
    constants: tuple[object, ...] | None
    """Every value it can have, where all are known."""
    kind: str
    """str, bytes, int …, or unknown."""
    kinds: frozenset[str] = frozenset()
    """Of a list, tuple or set that is written out: the kinds of its items."""
    item: str = ""
    """The name that it was taken from a mapping by: `data` for `message["data"]`."""
    some: tuple[object, ...] = ()
    """Values it can certainly have: a default beside the result."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """`left operator right`, where a result takes part in one of them."""

    scope: int
    span: tuple[int, int, int, int]
    operator: str
    left: Operand
    right: Operand


@dataclass(frozen=True, slots=True)
class Handed:
    """A result is handed on."""

    scope: int
    span: tuple[int, int, int, int]
    callee: str
    """Dotted where it is of a library, `pickle.loads`; else as written; empty where it is the caller."""
    takes: tuple[Taken, ...]
    to: Literal["library", "function", "caller"] = "library"
    """function: one of the project's own, a built-in, or one that nobody knows. caller: it is returned or yielded."""


def least(found: Iterable[Taken], way: Way = "itself") -> frozenset[Taken]:
    """The same calls, with at least that having happened to each."""
    floor = WAYS.index(way)
    return frozenset(one if WAYS.index(one.way) >= floor else Taken(one.order, way) for one in found)
