"""How a test turns out when a variable has a given value.

Law of this file: both answers are possible unless the code settles it; no answer is possible where the test
would raise, or where a function judges the variable and nobody can see how.
"""

import operator
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from redis_guard.facts.model import Attr, Bin, Bool, Call, Compare, Const, Expr, Name, Seq, Unary, Walrus
from redis_guard.project.model import Constant
from redis_guard.project.walk import last_name


class Unknown(Enum):
    """Values that are not written down."""

    SOMETHING = 1
    """Anything but None."""
    ANYTHING = 2


Possible: TypeAlias = Constant | Unknown

_DEPTH = 12
EITHER = frozenset({True, False})
RAISES: frozenset[bool] = frozenset()
_ORDER = {"<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge}
_BUILT_IN = frozenset(
    ["int", "float", "str", "bytes", "bool", "timedelta", "datetime", "list", "tuple", "dict", "set"]
)


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable whose value is supposed."""

    name: str
    stands: Callable[[Expr], bool]
    """Whether a name or attribute is this variable, holding the same binding."""
    behind: Callable[[Name], Expr | None]
    """The test that another variable was assigned from, as `given = ttl is not None`."""


def outcomes(test: Expr, variable: Variable, value: Possible, depth: int = 0) -> frozenset[bool]:
    """The answers that `test` can give."""
    if depth > _DEPTH:
        return EITHER

    def inner(part: Expr) -> frozenset[bool]:
        return outcomes(part, variable, value, depth + 1)

    match test:
        case Const(value=known):
            return frozenset({bool(known)})
        case Name() | Attr() if variable.stands(test):
            return _truth(value)
        case Name():
            written = variable.behind(test)
            return EITHER if written is None else inner(written)
        case Walrus(name=name, value=given):
            return _truth(value) if name == variable.name else inner(given)
        case Unary(op="not", value=given):
            return frozenset(not answer for answer in inner(given))
        case Bool(op=op, left=left, right=right):
            decided = op == "or"
            first = inner(left)
            if (not decided) not in first:
                return first
            return (first & {decided}) | inner(right)
        case Compare(left=left, ops=ops, rights=rights):
            return _compared([left, *rights], ops, variable, value)
        case Call():
            return _called(test, variable, value)
    return EITHER


def _truth(value: Possible) -> frozenset[bool]:
    return EITHER if isinstance(value, Unknown) else frozenset({bool(value)})


def _compared(
    sides: list[Expr], ops: tuple[str, ...], variable: Variable, value: Possible
) -> frozenset[bool]:
    """A chain holds where all its links do."""
    answers = [_link(sides[n], op, sides[n + 1], variable, value) for n, op in enumerate(ops)]
    if RAISES in answers:
        return RAISES
    found = set()
    if all(True in answer for answer in answers):
        found.add(True)
    if any(False in answer for answer in answers):
        found.add(False)
    return frozenset(found)


def _link(left: Expr, op: str, right: Expr, variable: Variable, value: Possible) -> frozenset[bool]:
    if value is None and op in _ORDER and (_fails_on_none(left, variable) or _fails_on_none(right, variable)):
        return RAISES
    if op in ("in", "not in"):
        return _member(left, op, right, variable, value)
    ours, theirs = _value(left, variable, value), _value(right, variable, value)
    if op in ("is", "is not", "==", "!="):
        same = _same(ours, theirs)
        return same if op in ("is", "==") else frozenset(not answer for answer in same)
    if isinstance(ours, (int, float)) and isinstance(theirs, (int, float)) and op in _ORDER:
        return frozenset({bool(_ORDER[op](ours, theirs))})
    return EITHER


def _same(ours: Possible, theirs: Possible) -> frozenset[bool]:
    if Unknown.ANYTHING in (ours, theirs):
        return EITHER
    if Unknown.SOMETHING in (ours, theirs):
        return frozenset({False}) if None in (ours, theirs) else EITHER
    return frozenset({ours == theirs})


def _member(left: Expr, op: str, right: Expr, variable: Variable, value: Possible) -> frozenset[bool]:
    ours = _value(left, variable, value)
    if not isinstance(right, Seq) or isinstance(ours, Unknown):
        return EITHER
    answers = [_same(ours, _value(item, variable, value)) for item in right.items]
    found = frozenset({any(answer == {True} for answer in answers)}) if EITHER not in answers else EITHER
    return found if op == "in" else frozenset(not answer for answer in found)


def _value(expr: Expr, variable: Variable, value: Possible) -> Possible:
    match expr:
        case Const(value=known):
            return Unknown.ANYTHING if isinstance(known, complex) else known
        case Name() | Attr() if variable.stands(expr):
            return value
        case Walrus(name=name) if name == variable.name:
            return value
    return Unknown.ANYTHING


def _fails_on_none(expr: Expr, variable: Variable, depth: int = 0) -> bool:
    """Whether an order comparison with this side raises when the variable is None."""
    if depth > _DEPTH:
        return False

    def inner(part: Expr) -> bool:
        return _fails_on_none(part, variable, depth + 1)

    match expr:
        case Name() | Attr() if variable.stands(expr):
            return True
        case Walrus(name=name):
            return name == variable.name
        case Bin(left=left, right=right):
            return inner(left) or inner(right)
        case Attr(value=value) | Call(func=Attr(value=value)):
            return inner(value)
        case Call(func=Name(id="int" | "float" | "abs"), args=(only,)):
            return inner(only.value)
    return False


def _called(call: Call, variable: Variable, value: Possible) -> frozenset[bool]:
    given = [arg.value for arg in call.args]
    name = last_name(call.func)
    if given and variable.stands(given[0]):
        if name == "isinstance" and len(given) == 2:
            return _is_instance(given[1], value)
        if name == "bool":
            return _truth(value)
    judged = any(variable.stands(part) for part in given) or _fails_on_none(call, variable)
    if judged and not isinstance(value, Unknown) and not value:
        return RAISES
    return EITHER


def _is_instance(types: Expr, value: Possible) -> frozenset[bool]:
    items = types.items if isinstance(types, Seq) else (types,)
    names = {last_name(item) for item in items if isinstance(item, (Name, Attr))}
    if isinstance(value, Unknown) or len(names) < len(items):
        return EITHER
    if type(value).__name__ in names:
        return frozenset({True})
    return frozenset({False}) if value is None or names <= _BUILT_IN else EITHER
