"""A lifetime that stands in one call, as an option of another.

Law of this file: a lifetime is plain where the text alone shows that it is positive; nothing else is moved safely.
"""

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from redis_guard.fixes.program import Program
from redis_guard.project.model import Lifetime, Unit
from redis_guard.repairs.written import Written

OPTIONS: Mapping[Unit, str] = MappingProxyType({"s": "ex", "ms": "px", "s-at": "exat", "ms-at": "pxat"})
"""The options of SET and GETEX, by unit."""
_MILLISECONDS: dict[Unit, float] = {"s": 1000.0, "ms": 1.0}
_ARITHMETIC: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Given:
    """The one lifetime that a call gives."""

    time: ast.expr
    unit: Unit
    plain: bool
    """It is written in figures and positive."""

    @property
    def option(self) -> str:
        return OPTIONS[self.unit]

    def supported(self, program: Program) -> bool:
        """SET takes `exat` and `pxat` from Redis 6.2 on."""
        return not self.unit.endswith("-at") or program.target_server >= (6, 2)


def given_by(expiry: Written) -> Given | None:
    """What an EXPIRE gives to a key that a SET has just made; None where SET cannot be told the same."""
    call = expiry.call
    if len(call.lifetimes) != 1 or call.opaque or expiry.starred or call.lifetimes[0].of_field:
        return None
    lifetime = call.lifetimes[0]
    # NX asks for a key without a lifetime, which this one is
    if {name for name, _ in call.arguments} - {"name", lifetime.parameter, "nx"}:
        return None
    time = expiry.argument(lifetime.parameter)
    if time is None or _refused(lifetime, time):
        return None
    return Given(time, lifetime.unit, _plain(lifetime, time))


def _refused(lifetime: Lifetime, time: ast.expr) -> bool:
    """SET raises an error for it, or it cannot be evaluated elsewhere."""
    length = lifetime.argument.milliseconds
    cut = length is not None and length < _MILLISECONDS.get(lifetime.unit, 0)
    absent = lifetime.argument.kind in ("none", "float", "bool") or lifetime.argument.may_be_none
    return cut or absent or any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(time))


def _plain(lifetime: Lifetime, time: ast.expr) -> bool:
    if isinstance(time, ast.Call):
        arguments = (*time.args, *(keyword.value for keyword in time.keywords))
        return lifetime.argument.milliseconds is not None and all(
            figure(argument) is not None for argument in arguments
        )
    number = figure(time)
    return number is not None and number > 0


def figure(node: ast.expr) -> int | None:
    """`60`, `24 * 60 * 60`: the number, where the text is made of figures alone."""
    match node:
        case ast.Constant(value=int(number)) if not isinstance(number, bool):
            return number
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
            one, other = figure(left), figure(right)
            return None if one is None or other is None else _ARITHMETIC[type(op)](one, other)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            value = figure(operand)
            return None if value is None else -value
    return None


def as_argument(program: Program, node: ast.expr) -> str:
    """An expression as it can stand after `name=` or a comma."""
    text = program.source(node)
    bare = isinstance(node, ast.NamedExpr | ast.GeneratorExp) and not text.startswith("(")
    return f"({text})" if bare else text


def as_operand(program: Program, node: ast.expr) -> str:
    """An expression as it can stand beside `*`, `/` and `+`."""
    text = program.source(node)
    simple = ast.Name | ast.Attribute | ast.Call | ast.Constant | ast.Subscript | ast.Await
    product = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div | ast.FloorDiv)
    return text if isinstance(node, simple) or product else f"({text})"


def calls_something(written: Written, apart_from: ast.expr) -> bool:
    """Evaluating the call's receiver and its other arguments calls something, which may have effects."""
    function = written.node.func
    parts: list[ast.expr] = [function.value] if isinstance(function, ast.Attribute) else []
    parts += [each for each in written.node.args if each is not apart_from]
    parts += [keyword.value for keyword in written.node.keywords if keyword.value is not apart_from]
    pure = {"str", "int", "repr"}
    return any(
        isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in pure)
        for part in parts
        for node in ast.walk(part)
    )
