"""Constant values of expressions: those that are certain to occur, and whether they are all.

Law of this file: arithmetic on what is written down; a value that a test rules out before the use does not count.
"""

import operator
from collections.abc import Callable, Iterable
from itertools import islice, product
from typing import NamedTuple

from redis_guard.facts.model import Attr, Bin, Bool, Call, Cond, Const, Expr, Name, Unary, Walrus
from redis_guard.project.model import Constant
from redis_guard.project.narrowing import Narrowing
from redis_guard.project.origins import Origins, Source
from redis_guard.project.walk import last_name

_DEPTH = 12
_WIDTH = 8
_PAIRS = 16
_OPERATIONS: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
}
_CONVERSIONS: dict[str, Callable[[float | str], Constant]] = {
    "int": int,
    "float": float,
    "round": lambda value: round(float(value)),
    "abs": lambda value: abs(float(value)),
    "str": str,
}
NUMBERS_OF = frozenset(_CONVERSIONS)
"""Built-in functions that give a value and never None."""
_MILLISECONDS = {
    "days": 86_400_000.0, "seconds": 1000.0, "microseconds": 0.001, "milliseconds": 1.0, "minutes": 60_000.0,
    "hours": 3_600_000.0, "weeks": 604_800_000.0,
}  # fmt: skip
"""In the order of timedelta's parameters. Source: Python documentation, datetime."""


class Known(NamedTuple):
    """Values that are certain to occur, and whether there are no others."""

    values: tuple[Constant, ...]
    complete: bool


_NOTHING = Known((), False)


class Constants:
    """Answers over one project."""

    def __init__(self, origins: Origins, narrowing: Narrowing, parents: Callable[[str, int], int]) -> None:
        """`parents` gives the scope around a scope: defaults are evaluated there."""
        self._origins = origins
        self._narrowing = narrowing
        self._parents = parents
        self._known: dict[int, Known] = {}

    def of(self, path: str, scope: int, expr: Expr, depth: int = 0) -> Known:
        if id(expr) not in self._known:
            if depth > _DEPTH:
                return _NOTHING
            self._known[id(expr)] = _NOTHING  # a value made of itself
            self._known[id(expr)] = self._of(path, scope, expr, depth)
        return self._known[id(expr)]

    def _of(self, path: str, scope: int, expr: Expr, depth: int) -> Known:
        def inner(part: Expr) -> Known:
            return self.of(path, scope, part, depth + 1)

        match expr:
            case Const(value=value):
                return _NOTHING if isinstance(value, complex) else Known((value,), True)
            case Name() | Attr() | Walrus():
                return self._variable(path, scope, expr, depth)
            case Cond():
                return _both(inner(expr.body), inner(expr.orelse))
            case Bool(op="or", left=left, right=right):
                first, second = inner(left), inner(right)
                true = tuple(value for value in first.values if value)
                if first.complete and len(true) == len(first.values):
                    return first
                return _both(Known(true, first.complete), second)
            case Bin(op=op, left=left, right=right):
                ours, theirs = inner(left), inner(right)
                pairs = islice(product(ours.values, theirs.values), _PAIRS)
                return _made([_calculated(op, a, b) for a, b in pairs], ours.complete and theirs.complete)
            case Unary(op="-", value=value):
                found = inner(value)
                negative = [-v if isinstance(v, (int, float)) else None for v in found.values]
                return _made(negative, found.complete)
            case Call(func=Name(id=name), args=(only,)) if name in _CONVERSIONS:
                found = inner(only.value)
                return _made([_converted(name, value) for value in found.values], found.complete)
            case Call(func=Attr(value=base, name="total_seconds"), args=()):
                span = self.milliseconds(path, scope, base, depth + 1)
                return _NOTHING if span is None else Known((span / 1000,), True)
        return _NOTHING

    def number(self, path: str, scope: int, expr: Expr, depth: int = 0) -> float | None:
        """The one number that an expression is."""
        found = self.of(path, scope, expr, depth)
        if not found.complete or len(found.values) != 1:
            return None
        value = found.values[0]
        return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None

    def milliseconds(self, path: str, scope: int, expr: Expr, depth: int = 0) -> float | None:
        """The length of a constant timedelta."""
        if depth > _DEPTH:
            return None
        match expr:
            case Name() | Attr():
                found = self._origins.trail(path, scope, expr)
                if not found.complete or len(found.origins) != 1:
                    return None
                origin = found.origins[0]
                if origin.expr is None or isinstance(origin.expr, (Name, Attr)):
                    return None
                return self.milliseconds(origin.path, origin.scope, origin.expr, depth + 1)
            case Bin(op="*", left=left, right=right):
                for side, other in ((left, right), (right, left)):
                    span = self.milliseconds(path, scope, side, depth + 1)
                    factor = self.number(path, scope, other, depth + 1)
                    if span is not None and factor is not None:
                        return span * factor
            case Bin(op="+" | "-" as op, left=left, right=right):
                first = self.milliseconds(path, scope, left, depth + 1)
                second = self.milliseconds(path, scope, right, depth + 1)
                if first is not None and second is not None:
                    return first + second if op == "+" else first - second
            case Call(func=func) if last_name(func) == "timedelta" and not isinstance(func, Call):
                return self._timedelta(path, scope, expr, depth)
        return None

    def _timedelta(self, path: str, scope: int, call: Call, depth: int) -> float | None:
        order = list(_MILLISECONDS)
        total = 0.0
        for place, arg in enumerate(call.args):
            unit = arg.keyword or (order[place] if place < len(order) and not arg.star else "")
            value = self.number(path, scope, arg.value, depth + 1)
            if unit not in _MILLISECONDS or value is None:
                return None
            total += value * _MILLISECONDS[unit]
        return total

    def _variable(self, path: str, scope: int, expr: Name | Attr | Walrus, depth: int) -> Known:
        given = self._origins.sources(path, scope, expr)
        values: list[Constant] = []
        complete = given.complete
        for source in given.found:
            known = self._source(source, depth)
            complete = complete and known.complete
            values.extend(
                value
                for value in known.values
                if self._narrowing.passes(
                    path, scope, expr, value, source.number if source.path == path else -1
                )
            )
        return Known(_distinct(values), complete)

    def _source(self, source: Source, depth: int) -> Known:
        if source.expr is not None:
            return self.of(source.path, source.scope, source.expr, depth + 1)
        made = source.definition
        if made is not None and made.kind == "parameter" and made.value is not None:
            around = self._parents(source.path, source.scope)
            return Known(self.of(source.path, around, made.value, depth + 1).values, False)
        return _NOTHING


def _both(one: Known, other: Known) -> Known:
    return Known(_distinct([*one.values, *other.values]), one.complete and other.complete)


def _made(results: Iterable[Constant], complete: bool) -> Known:
    """The results of a calculation; None stands for one that could not be made."""
    made = list(results)
    kept = [value for value in made if value is not None]
    return Known(_distinct(kept), complete and len(kept) == len(made))


def _distinct(values: Iterable[Constant]) -> tuple[Constant, ...]:
    seen: dict[tuple[type, Constant], Constant] = {}
    for value in values:
        seen.setdefault((type(value), value), value)
    return tuple(seen.values())[:_WIDTH]


def _calculated(op: str, a: Constant, b: Constant) -> Constant:
    if op == "+" and isinstance(a, str) and isinstance(b, str):
        return a + b
    if not (isinstance(a, (int, float)) and isinstance(b, (int, float))) or op not in _OPERATIONS:
        return None
    if op == "**" and (abs(a) > 10_000 or abs(b) > 100):
        return None
    try:
        result = _OPERATIONS[op](a, b)
    except (ArithmeticError, ValueError):
        return None
    return result if isinstance(result, (int, float)) and abs(result) < 10**30 else None


def _converted(name: str, value: Constant) -> Constant:
    if not isinstance(value, (int, float, str)):
        return None
    try:
        return _CONVERSIONS[name](value)
    except (ValueError, OverflowError):
        return None
