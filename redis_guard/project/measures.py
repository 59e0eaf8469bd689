"""In which unit of time a number is, as far as the code says.

Law of this file: names, clocks and arithmetic speak; where two of them disagree, or one is silent that
matters, nothing is said.
"""

import math
from typing import Literal

from redis_guard.facts.model import Attr, Await, Bin, Bool, Call, Cond, Const, Expr, Name, Walrus
from redis_guard.project.arithmetic import (
    THOUSANDS,
    converted,
    difference,
    factors_of,
    same,
    summed,
    written_out,
)
from redis_guard.project.constants import Constants
from redis_guard.project.inference import Inference
from redis_guard.project.model import Measure, TimeUnit
from redis_guard.project.origins import Origins, leaves
from redis_guard.project.temporal import Temporal
from redis_guard.project.units import MILLISECONDS, said
from redis_guard.project.walk import every, last_name, text

_DEPTH = 10
_SAME = frozenset(["int", "float", "round", "abs", "str", "ceil", "floor", "trunc", "as_int", "Decimal"])
_CHOICES = frozenset({"max", "min"})
_CLOCKS: dict[str, tuple[Literal["instant", "monotonic"], TimeUnit | None]] = {
    "time.time": ("instant", "s"),
    "time.time_ns": ("instant", None),
    "time.monotonic": ("monotonic", "s"),
    "time.perf_counter": ("monotonic", "s"),
}


class Measures:
    """Answers over one project."""

    def __init__(self, inf: Inference, origins: Origins, constants: Constants, temporal: Temporal) -> None:
        self._inf = inf
        self._origins = origins
        self._constants = constants
        self._temporal = temporal
        self._known: dict[int, Measure | None] = {}

    def of(self, path: str, scope: int, expr: Expr, depth: int = 0) -> Measure | None:
        if id(expr) not in self._known:
            if depth > _DEPTH:
                return None
            self._known[id(expr)] = None  # a value made of itself
            self._known[id(expr)] = self._of(path, scope, expr, depth)
        return self._known[id(expr)]

    def _of(self, path: str, scope: int, expr: Expr, depth: int) -> Measure | None:
        def inner(part: Expr) -> Measure | None:
            return self.of(path, scope, part, depth + 1)

        match expr:
            case Await(value=value) | Walrus(value=value):
                return inner(value)
            case Name() | Attr():
                return self._variable(path, scope, expr, depth)
            case Cond(body=body, orelse=orelse):
                return self._agreed(path, scope, [body, orelse], depth)
            case Bool(op="or", left=left, right=right):
                return self._agreed(path, scope, [left, right], depth)
            case Bin(op="*"):
                return self._product(path, scope, expr, depth)
            case Bin(op="/" | "//", left=left, right=right):
                return converted(inner(left), self._constants.number(path, scope, right), expr, divided=True)
            case Bin(op="+", left=left, right=right):
                return summed(inner(left), inner(right), expr)
            case Bin(op="-", left=left, right=right):
                return difference(inner(left), inner(right))
            case Call(args=args):
                name = last_name(expr.func) or ""
                if name in _SAME and args and not isinstance(expr.func, Call):
                    return inner(args[0].value)
                if name in _CHOICES and len(args) > 1:
                    return self._agreed(path, scope, [arg.value for arg in args], depth)
                return self._call(path, scope, expr, name)
        return None

    # -- names

    def _variable(self, path: str, scope: int, expr: Name | Attr, depth: int) -> Measure | None:
        name = expr.id if isinstance(expr, Name) else expr.name
        if isinstance(expr, Name) and (again := self._compounded(path, scope, expr)) is not None:
            return again
        if isinstance(expr, Attr) and (part := self._part(path, scope, expr)) is not None:
            return part
        found = said(name)
        if found.unit is not None and not (found.coarse and self._is_label(path, scope, expr, found.unit)):
            return Measure(found.kind, found.unit, "name", name)
        sources = self._origins.sources(path, scope, expr).found
        measures = []
        for source in sources:
            if source.expr is not None:
                if isinstance(source.expr, Const):
                    continue
                measures.append(self.of(source.path, source.scope, source.expr, depth + 1))
            elif source.definition is not None and source.definition.kind == "parameter":
                default = source.definition.value
                around = self._inf.index.modules[source.path].scopes[source.scope].parent
                measures.append(None if default is None else self.of(source.path, around, default, depth + 1))
            else:
                measures.append(None)
        agreed = same(measures)
        if agreed is None and found.kind == "instant" and all(source.expr is None for source in sources):
            return Measure("instant", None, "name", name)
        return agreed

    def _compounded(self, path: str, scope: int, expr: Name) -> Measure | None:
        """`ttl = ttl * 1000` in a loop that comes round to it again before `ttl` is set anew."""
        facts = self._inf.index.modules[path].scopes[scope]
        for number in leaves(facts, expr.defs):
            made = facts.defs[number]
            for node in every(made.value) if made.value is not None else ():
                if not (isinstance(node, Bin) and node.op in ("*", "/", "//")):
                    continue
                for side, other in ((node.left, node.right), (node.right, node.left)):
                    again = isinstance(side, Name) and number in leaves(facts, side.defs)
                    if again and self._constants.number(path, scope, other) in THOUSANDS:
                        return Measure("compounded", None, "arithmetic", text(node))
        return None

    def _is_label(self, path: str, scope: int, expr: Expr, unit: TimeUnit) -> bool:
        """`CACHE_DAYS = 604800`: a constant longer than any number of days that one keeps things for."""
        known = [v for v in self._constants.of(path, scope, expr).values if isinstance(v, (int, float))]
        return any(value * 1000 >= MILLISECONDS[unit] for value in known)

    def _part(self, path: str, scope: int, expr: Attr) -> Measure | None:
        """`.seconds` of a timedelta is what is left over after whole days."""
        if expr.name not in ("seconds", "microseconds", "days"):
            return None
        subtracted = isinstance(expr.value, Bin) and expr.value.op == "-"
        if not subtracted and self._temporal.of(path, scope, expr.value) != "timedelta":
            return None
        if expr.name == "days":
            return Measure("span", "d", "call", text(expr))
        length = self._constants.milliseconds(path, scope, expr.value)
        if expr.name == "seconds" and length is not None and 0 <= length < MILLISECONDS["d"]:
            return Measure("span", "s", "call", text(expr))
        return Measure("part", "s" if expr.name == "seconds" else "us", "call", text(expr))

    # -- calls

    def _call(self, path: str, scope: int, call: Call, name: str) -> Measure | None:
        if name == "total_seconds":
            return Measure("span", "s", "call", text(call))
        for value in self._inf.values(path, scope, call.func):
            clock = _CLOCKS.get(getattr(value.object, "name", ""))
            if clock is not None:
                return Measure(*clock, "clock", text(call))
        if name == "timestamp" and isinstance(call.func, Attr) and not call.args:
            return Measure("instant", "s", "clock", text(call))
        if name in ("ttl", "pttl") and self._temporal.is_redis(path, scope, call.func):
            return Measure("span", "s" if name == "ttl" else "ms", "call", text(call))
        found = said(name, of_function=True)
        if found.unit is not None and not found.coarse and isinstance(call.func, (Name, Attr)):
            return Measure(found.kind, found.unit, "name", name)
        return None

    # -- arithmetic

    def _product(self, path: str, scope: int, expr: Bin, depth: int) -> Measure | None:
        factors = factors_of(expr)
        measures = [self.of(path, scope, factor, depth + 1) for factor in factors]
        numbers = [self._constants.number(path, scope, factor) for factor in factors]
        speaking = [place for place, measure in enumerate(measures) if measure is not None]
        if not speaking:
            return written_out([number for number in numbers if number is not None], expr)
        # days * SECONDS_PER_DAY: the one that varies is what is measured, the other converts it
        place = next((place for place in speaking if numbers[place] is None), speaking[0])
        others = [number for other, number in enumerate(numbers) if other != place]
        if None in others:
            return measures[place] if len(speaking) == 1 and numbers[place] is not None else None
        return converted(
            measures[place], math.prod(number for number in others if number is not None), expr, divided=False
        )

    def _agreed(self, path: str, scope: int, parts: list[Expr], depth: int) -> Measure | None:
        """What all alternatives say that say anything; a plain number goes with any of them."""
        asked = [part for part in parts if not isinstance(part, Const)]
        return same([self.of(path, scope, part, depth + 1) for part in asked])
