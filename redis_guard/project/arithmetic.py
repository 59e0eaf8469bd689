"""Units of time through arithmetic: what a product, a sum or a difference of measures measures.

Law of this file: measures and numbers in, a measure out; None where the parts contradict each other.
"""

import math
from itertools import chain

from redis_guard.facts.model import Bin, Expr
from redis_guard.project.model import Measure
from redis_guard.project.units import MILLISECONDS
from redis_guard.project.walk import text

_TIME_FACTORS = frozenset({24, 60, 3600, 86_400, 1440})
THOUSANDS = frozenset({1000, 60_000, 3_600_000, 86_400_000})
_CONVERTERS = frozenset({60, 3600, 86_400, 1_000_000}) | THOUSANDS


def converted(measure: Measure | None, factor: float | None, expr: Expr, *, divided: bool) -> Measure | None:
    """A unit after multiplication: 1000 makes seconds milliseconds, 2 leaves them seconds."""
    if measure is None or measure.kind == "part" or not factor:
        return None
    if measure.unit is None:
        return None
    scale = MILLISECONDS[measure.unit]
    wanted = scale * factor if divided else scale / factor
    for unit, length in MILLISECONDS.items():
        if math.isclose(length, wanted) and factor != 1:
            return Measure(measure.kind, unit, "arithmetic", text(expr))
    if factor in _CONVERTERS or measure.kind in ("instant", "monotonic"):
        return None
    return measure


def factors_of(expr: Expr) -> list[Expr]:
    found: list[Expr] = []
    while isinstance(expr, Bin) and expr.op == "*":
        found.append(expr.right)
        expr = expr.left
    nested = [
        factors_of(part) if isinstance(part, Bin) and part.op == "*" else [part] for part in (*found, expr)
    ]
    return list(chain.from_iterable(reversed(nested)))


def written_out(known: list[float], expr: Expr) -> Measure | None:
    """`24 * 60 * 60` is seconds, and milliseconds with a thousand in it."""
    times = [factor for factor in known if factor in _TIME_FACTORS]
    thousands = [factor for factor in known if factor in THOUSANDS]
    others = [factor for factor in known if factor not in _TIME_FACTORS | THOUSANDS]
    if not {60, 3600, 86_400} & set(times) or len(known) < 2 or any(factor >= 1000 for factor in others):
        return None
    return Measure("span", "ms" if thousands else "s", "written", text(expr))


def same(measures: list[Measure | None]) -> Measure | None:
    if not measures or None in measures:
        return None
    first = measures[0]
    assert first is not None
    same = all(m is not None and (m.kind, m.unit) == (first.kind, first.unit) for m in measures)
    return first if same else None


def summed(ours: Measure | None, theirs: Measure | None, expr: Expr) -> Measure | None:
    if ours is None or theirs is None:
        return ours or theirs
    kinds = {ours.kind, theirs.kind}
    if "part" in kinds:
        return ours if ours.kind == "part" else theirs
    certain = "written" not in (ours.why, theirs.why)
    if ours.unit != theirs.unit and {ours.unit, theirs.unit} <= {"s", "ms"} and certain:
        return Measure("mixed", None, "arithmetic", text(expr))
    if ours.unit != theirs.unit:
        return None
    later = next((m for m in (ours, theirs) if m.kind in ("instant", "monotonic")), ours)
    return Measure(later.kind, later.unit, later.why, text(expr))


def difference(ours: Measure | None, theirs: Measure | None) -> Measure | None:
    """Two instants are a span apart; who takes an instant from something unsaid means that."""
    if theirs is not None and theirs.kind in ("instant", "monotonic"):
        if ours is not None and ours.unit not in (None, theirs.unit):
            return None
        return Measure("span", theirs.unit, "arithmetic", theirs.text) if theirs.unit else None
    if ours is None or ours.kind in ("instant", "monotonic", "part", "mixed"):
        return None
    return ours if theirs is None or theirs.unit == ours.unit else None
