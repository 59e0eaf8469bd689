"""A lifetime in another unit than its call takes: the call is made to take it, or the number is converted.

Law of this file: that a value is in this unit or that is a reading of its name; only a timedelta cut by its own
attribute is put right safely.
"""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from redis_guard.finding import Fix
from redis_guard.fixes.draft import Draft
from redis_guard.fixes.program import Program
from redis_guard.project.model import Call, Construction, Lifetime, TimeUnit, Unit
from redis_guard.repairs.lifetimes import as_argument, as_operand, figure
from redis_guard.repairs.unit_taken import take_in
from redis_guard.repairs.written import Written, find

_NAMES: Mapping[Unit, str] = MappingProxyType(
    {
        "s": "in seconds",
        "ms": "in milliseconds",
        "s-at": "a Unix time in seconds",
        "ms-at": "a Unix time in milliseconds",
    }
)
_COARSE: Mapping[TimeUnit, tuple[str, int]] = MappingProxyType(
    {"min": ("in minutes", 60), "h": ("in hours", 3600), "d": ("in days", 86_400)}
)


@dataclass(frozen=True, slots=True)
class OtherUnit:
    """The lifetime of `where` is given in the unit that it is in."""

    where: Call | Construction
    lifetime: Lifetime
    unit: Unit | None
    measured: TimeUnit | None
    part: bool
    lock: bool

    def fix(self, program: Program) -> Fix | None:
        if isinstance(self.where, Call) and (self.where.opaque or self.where.lent_by is not None):
            return None
        time = self._time(program)
        if time is None or any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(time)):
            return None
        if self.part:
            return self._whole(program, time)
        if not _of_one_unit(time):
            return None
        if self.lock or self.unit is None:
            return self._converted(program, time)
        call = find(program, self.where) if isinstance(self.where, Call) else None
        return None if call is None else self._taken(program, call, time, self.unit)

    def _time(self, program: Program) -> ast.expr | None:
        if isinstance(self.where, Call):
            call = find(program, self.where)
            return None if call is None else call.argument(self.lifetime.parameter)
        node = program.call(self.where.span)
        return None if node is None else next((k.value for k in node.keywords if k.arg == "timeout"), None)

    def _whole(self, program: Program, time: ast.expr) -> Fix | None:
        """`KEEP.seconds` becomes `KEEP`."""
        if not isinstance(time, ast.Attribute) or self.lifetime.unit.endswith("-at"):
            return None
        draft = Draft(program)
        if self.lock:
            draft.rewrite(time, f"{as_operand(program, time.value)}.total_seconds()")
        else:
            draft.rewrite(time, as_argument(program, time.value))
        made = self.lifetime.argument.calls == {"datetime.timedelta"} and not self.lifetime.argument.operators
        certain = time.attr == "seconds" and made and not self.lock
        title = "Pass the whole timedelta"
        if certain:
            return draft.fix(title, "safe")
        return draft.fix(f"{title}; assumes that it is never negative", "unsafe")

    def _converted(self, program: Program, time: ast.expr) -> Fix | None:
        """`timeout=wait_ms` becomes `timeout=wait_ms / 1000`, `ex=days` becomes `ex=days * 86_400`."""
        draft, number = Draft(program), figure(time)
        if isinstance(time, ast.BinOp):
            return None  # there may be half a conversion in it
        if self.measured is not None and self.measured in _COARSE:
            unit, factor = _COARSE[self.measured]
            factor *= 1000 if self.lifetime.unit == "ms" else 1
            text = f"{as_operand(program, time)} * {factor if factor < 10_000 else f'{factor:_}'}"
            whole = self.lock or self.lifetime.argument.kind != "float"
            draft.rewrite(time, text if whole else f"int({text})")
        elif self.lock and self.measured == "ms":
            unit = "in milliseconds"
            if isinstance(time, ast.Constant) and number is not None:
                draft.rewrite(time, f"{number // 1000 if number % 1000 == 0 else number / 1000}")
            else:
                draft.rewrite(time, f"{as_operand(program, time)} / 1000")
        else:
            return None
        return draft.fix(f"Convert the lifetime; assumes that {program.source(time)} is {unit}", "unsafe")

    def _taken(self, program: Program, call: Written, time: ast.expr, unit: Unit) -> Fix | None:
        draft, text = Draft(program), None
        delta = _timedelta_of(time)
        if delta is not None and not unit.endswith("-at"):
            text = program.source(delta)
        elif self.lifetime.argument.kind == "float" or _is_float(time):
            text = f"int({program.source(time)})"
        taken = take_in(draft, call, self.lifetime, unit, text)
        if taken is None:
            return None
        said = "an instant" if self.lifetime.argument.kind == "datetime" else _NAMES[unit]
        return draft.fix(f"Use {taken}; assumes that {program.source(time)} is {said}", "unsafe")


def _of_one_unit(time: ast.expr) -> bool:
    """No number stands beside the one that shows its unit, as in `ttl_ms or 5`."""
    if isinstance(time, ast.Call):
        return not (isinstance(time.func, ast.Name) and time.func.id in ("max", "min"))
    return not isinstance(time, ast.BoolOp | ast.IfExp | ast.NamedExpr)


def _is_float(time: ast.expr) -> bool:
    """`time.time()` or `x.timestamp()`, or a sum with one of them."""
    if isinstance(time, ast.BinOp):
        return _is_float(time.left) or _is_float(time.right)
    if not isinstance(time, ast.Call) or not isinstance(time.func, ast.Attribute):
        return False
    return time.func.attr in ("time", "timestamp")


def _timedelta_of(time: ast.expr) -> ast.expr | None:
    """`KEEP` of `KEEP.total_seconds()`."""
    match time:
        case ast.Call(func=ast.Attribute(value=value, attr="total_seconds"), args=[], keywords=[]):
            return value
    return None
