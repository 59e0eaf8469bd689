"""What is known of an argument: its constants, whether it may be None, what it was made from.

Law of this file: only what the code itself says. A caller's value that nobody wrote down is unknown, not None.
"""

from itertools import islice, product

from redis_guard.facts.model import Attr, Await, Bin, Bool, Call, Cond, Const, Expr, Name, Sub, Unary, Walrus
from redis_guard.project.inference import Inference
from redis_guard.project.model import Argument, Constant
from redis_guard.project.narrowing import never_none
from redis_guard.project.origins import Origin, trail
from redis_guard.project.templates import Templates
from redis_guard.project.values import Library, LibraryInstance, Plain, Wrapped
from redis_guard.project.walk import dotted, every, last_name, text

_WIDTH = 8
_OPERATIONS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "**": lambda a, b: a**b if abs(b) < 64 else None,
}
_CONVERSIONS = {"int": int, "float": float, "round": round, "abs": abs, "str": str}
_UNITS = {"days": 86_400_000, "seconds": 1000, "microseconds": 0.001, "milliseconds": 1, "minutes": 60_000,
          "hours": 3_600_000, "weeks": 604_800_000}  # fmt: skip
_SPAN_ORDER = ("days", "seconds", "microseconds", "milliseconds", "minutes", "hours", "weeks")


class Arguments:
    """Describes expressions over one project."""

    def __init__(self, inf: Inference, templates: Templates) -> None:
        self._inf = inf
        self._templates = templates

    def describe(self, path: str, scope: int, expr: Expr) -> Argument:
        found = trail(self._inf, path, scope, expr)
        nullable = self._may_be_none(path, scope, expr, 0)
        some = self._constants(path, scope, expr, 0)
        complete = self._complete(path, scope, expr, 0)
        if nullable is False:
            some = tuple(value for value in some if value is not None)
        words, calls, operators = self._ingredients(path, scope, expr, found.origins)
        return Argument(
            text(expr),
            some if complete and some else None,
            some,
            bool(nullable),
            words,
            calls,
            self._kind(path, scope, expr, some if complete else ()),
            self._span(path, scope, expr, 0),
            self._last_attribute(expr, found.origins),
            operators,
            self._templates.key(path, scope, expr),
        )

    # -- constants

    def _constants(self, path: str, scope: int, expr: Expr, depth: int) -> tuple[Constant, ...]:
        """Values that the expression can certainly have."""
        if depth > 6:
            return ()
        match expr:
            case Const(value=value):
                return () if isinstance(value, complex) else (value,)
            case Name() | Attr() | Walrus():
                values: list[Constant] = []
                for origin in trail(self._inf, path, scope, expr).origins:
                    if origin.parameter is not None:
                        default = origin.parameter.value
                        if isinstance(default, Const) and not isinstance(default.value, complex):
                            values.append(default.value)
                    elif origin.expr is not None and origin.expr is not expr:
                        values.extend(self._constants(origin.path, origin.scope, origin.expr, depth + 1))
                return _distinct(values)
            case Cond():
                return _distinct(
                    [
                        *self._constants(path, scope, expr.body, depth + 1),
                        *self._constants(path, scope, expr.orelse, depth + 1),
                    ]
                )
            case Bool(op="or"):
                left = [v for v in self._constants(path, scope, expr.left, depth + 1) if v]
                return _distinct([*left, *self._constants(path, scope, expr.right, depth + 1)])
            case Bin(op=op, left=left, right=right):
                pairs = product(
                    self._constants(path, scope, left, depth + 1), self._constants(path, scope, right, depth + 1)
                )
                return _distinct([v for a, b in islice(pairs, 16) if (v := _calculated(op, a, b)) is not None])
            case Unary(op="-", value=value):
                return tuple(-v for v in self._constants(path, scope, value, depth + 1) if isinstance(v, (int, float)))
            case Call(func=Name(id=name), args=(only,)) if name in _CONVERSIONS:
                return _distinct(
                    [
                        v
                        for given in self._constants(path, scope, only.value, depth + 1)
                        if (v := _converted(name, given)) is not None
                    ]
                )
            case Call(func=Attr(value=base, name="total_seconds"), args=()):
                span = self._span(path, scope, base, depth + 1)
                return () if span is None else (span / 1000,)
        return ()

    def _complete(self, path: str, scope: int, expr: Expr, depth: int) -> bool:
        """Whether `_constants` are all the values there are."""
        if depth > 6:
            return False
        match expr:
            case Const(value=value):
                return not isinstance(value, complex)
            case Name() | Attr() | Walrus():
                found = trail(self._inf, path, scope, expr)
                return found.complete and all(
                    origin.expr is not None
                    and origin.expr is not expr
                    and self._complete(origin.path, origin.scope, origin.expr, depth + 1)
                    for origin in found.origins
                )
            case Cond():
                return self._complete(path, scope, expr.body, depth + 1) and self._complete(
                    path, scope, expr.orelse, depth + 1
                )
            case Bin(left=left, right=right) | Bool(left=left, right=right):
                return self._complete(path, scope, left, depth + 1) and self._complete(path, scope, right, depth + 1)
            case Unary(op="-", value=value):
                return self._complete(path, scope, value, depth + 1)
            case Call(func=Name(id=name), args=(only,)) if name in _CONVERSIONS:
                return self._complete(path, scope, only.value, depth + 1)
            case Call(func=Attr(value=base, name="total_seconds"), args=()):
                return self._span(path, scope, base, depth + 1) is not None
        return False

    # -- None

    def _may_be_none(self, path: str, scope: int, expr: Expr, depth: int) -> bool | None:
        """True on a way to None, False where the code rules it out, None where nothing is said."""
        if depth > 6:
            return None
        match expr:
            case Const(value=value):
                return value is None
            case Walrus(value=value) | Await(value=value):
                return self._may_be_none(path, scope, value, depth + 1)
            case Name() | Attr():
                if never_none(self._inf, path, scope, expr):
                    return False
                return self._any(
                    [
                        self._origin_none(origin, expr, depth)
                        for origin in trail(self._inf, path, scope, expr).origins
                    ]
                )
            case Cond(test=test, body=body, orelse=orelse):
                ruled = (text(test), f"{text(test)} is not None")
                kept = [orelse] if text(body) in ruled or f"{text(body)} is not None" == text(test) else [body, orelse]
                if text(test) in (f"{text(orelse)} is None", f"not {text(orelse)}"):
                    kept = [body]
                return self._any([self._may_be_none(path, scope, part, depth + 1) for part in kept])
            case Bool(op="or", right=right):
                return self._may_be_none(path, scope, right, depth + 1)
            case Bin() | Unary():
                return False
            case Call(func=Attr(value=base, name="get"), args=(_,)):
                return True if self._is_mapping(path, scope, base) else None
            case Call(func=Name(id=name)) if name in _CONVERSIONS:
                return False
        return None

    def _any(self, answers: list[bool | None]) -> bool | None:
        if any(answers):
            return True
        return False if answers and all(answer is False for answer in answers) else None

    def _origin_none(self, origin: Origin, expr: Expr, depth: int) -> bool | None:
        made = origin.parameter
        if made is None:
            if origin.expr is None or origin.expr is expr:
                return None
            return self._may_be_none(origin.path, origin.scope, origin.expr, depth + 1)
        if isinstance(made.value, Const):
            return made.value.value is None or None
        if made.annotation is not None and made.value is None:
            return True if _optional(made.annotation) else None
        return None

    def _is_mapping(self, path: str, scope: int, base: Expr) -> bool:
        if dotted(base) == "os.environ":
            return True
        values = self._inf.values(path, scope, base)
        return bool(values) and all(
            (isinstance(v.object, Wrapped) and v.object.how == "mapping")
            or (isinstance(v.object, Plain) and v.object.type in ("dict", "Mapping"))
            for v in values
        )

    # -- what it is made of

    def _ingredients(
        self, path: str, scope: int, expr: Expr, origins: tuple[Origin, ...]
    ) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
        words: set[str] = set()
        calls: set[str] = set()
        operators: set[str] = set()
        sources = [(path, scope, expr)]
        sources += [(o.path, o.scope, o.expr) for o in origins if o.expr is not None and o.expr is not expr]
        for where, here, source in sources[:_WIDTH]:
            for node in every(source):
                if isinstance(node, Name):
                    words.add(node.id.lower())
                    if source is expr and node is not expr:
                        self._through_one_binding(where, here, node, calls)
                elif isinstance(node, Attr):
                    words.add(node.name.lower())
                elif isinstance(node, Bin):
                    operators.add(node.op)
                elif isinstance(node, Call):
                    calls.add(self._callee(where, here, node))
        for origin in origins:
            if origin.parameter is not None:
                words.add(origin.parameter.name.lower())
        return frozenset(words), frozenset(calls - {""}), frozenset(operators)

    def _through_one_binding(self, path: str, scope: int, node: Name, calls: set[str]) -> None:
        for origin in trail(self._inf, path, scope, node).origins[:_WIDTH]:
            if origin.expr is not None and origin.expr is not node:
                calls.update(
                    self._callee(origin.path, origin.scope, part) for part in every(origin.expr) if isinstance(part, Call)
                )

    def _callee(self, path: str, scope: int, call: Call) -> str:
        for value in self._inf.values(path, scope, call.func):
            if isinstance(value.object, (Library, LibraryInstance)):
                return value.object.name
        if isinstance(call.func, Attr):
            for value in self._inf.values(path, scope, call.func.value):
                if isinstance(value.object, LibraryInstance):
                    return f"{value.object.name}.{call.func.name}"
        return dotted(call.func) or last_name(call.func) or ""

    def _last_attribute(self, expr: Expr, origins: tuple[Origin, ...]) -> str | None:
        for node in (expr, *(origin.expr for origin in origins if origin.expr is not None)):
            while isinstance(node, Call) and isinstance(node.func, Name) and node.func.id in _CONVERSIONS and node.args:
                node = node.args[0].value
            if isinstance(node, Attr):
                return node.name
            if isinstance(node, Call) and isinstance(node.func, Attr):
                return node.func.name
        return None

    def _kind(self, path: str, scope: int, expr: Expr, known: tuple[Constant, ...]) -> str:  # narrowed by the model
        kinds = {"none" if value is None else type(value).__name__ for value in known}
        if len(kinds) == 1:
            return kinds.pop()
        names = {_kind_of(value.object) for value in self._inf.values(path, scope, expr)}
        return names.pop() if len(names) == 1 and None not in names else "unknown"  # type: ignore[return-value]  # checked

    def _span(self, path: str, scope: int, expr: Expr, depth: int) -> float | None:
        """A constant timedelta in milliseconds."""
        if depth > 6:
            return None
        match expr:
            case Name() | Attr():
                found = trail(self._inf, path, scope, expr)
                if found.complete and len(found.origins) == 1 and (origin := found.origins[0]).expr is not None:
                    if origin.expr is not expr and origin.expr is not None:
                        return self._span(origin.path, origin.scope, origin.expr, depth + 1)
                return None
            case Bin(op="*", left=left, right=right):
                span, factor = self._span(path, scope, left, depth + 1), self._constants(path, scope, right, depth + 1)
                if span is None:
                    span, factor = self._span(path, scope, right, depth + 1), self._constants(path, scope, left, depth + 1)
                numbers = [value for value in factor if isinstance(value, (int, float))]
                return span * numbers[0] if span is not None and len(numbers) == 1 else None
            case Call(func=func) if (last_name(func) == "timedelta"):
                total = 0.0
                for number, arg in enumerate(expr.args):
                    unit = arg.keyword or (_SPAN_ORDER[number] if number < len(_SPAN_ORDER) else "")
                    values = self._constants(path, scope, arg.value, depth + 1)
                    if unit not in _UNITS or len(values) != 1 or not self._complete(path, scope, arg.value, depth + 1):
                        return None
                    value = values[0]
                    if not isinstance(value, (int, float)):
                        return None
                    total += value * _UNITS[unit]
                return total
        return None


def _kind_of(thing: object) -> str | None:
    if isinstance(thing, Plain) and thing.type in ("int", "float", "str", "bytes", "bool"):
        return thing.type
    if isinstance(thing, Plain) and thing.type in ("timedelta", "datetime"):
        return thing.type
    if isinstance(thing, LibraryInstance):
        last = thing.name.rsplit(".", 1)[-1]
        if last in ("timedelta", "datetime"):
            return last
        if thing.name.startswith("datetime.datetime.") or thing.name.startswith("django.utils.timezone."):
            return "datetime"
        if thing.name in ("time.time", "time.monotonic"):
            return "float"
    return None


def _optional(annotation: Expr) -> bool:
    match annotation:
        case Bin(op="|", left=left, right=right):
            return any(isinstance(side, Const) and side.value is None or _optional(side) for side in (left, right))
        case Sub(value=value):
            return last_name(value) == "Optional"
    return False


def _distinct(values: list[Constant]) -> tuple[Constant, ...]:
    seen: dict[tuple[type, Constant], Constant] = {}
    for value in values:
        seen.setdefault((type(value), value), value)
    return tuple(seen.values())[:_WIDTH]


def _calculated(op: str, a: Constant, b: Constant) -> Constant:
    if not (isinstance(a, (int, float)) and isinstance(b, (int, float))):
        return a + b if op == "+" and isinstance(a, str) and isinstance(b, str) else None
    try:
        result = _OPERATIONS[op](a, b) if op in _OPERATIONS else None
    except (ArithmeticError, ValueError):
        return None
    return result if isinstance(result, (int, float)) else None


def _converted(name: str, value: Constant) -> Constant:
    try:
        converted = _CONVERSIONS[name](value)  # type: ignore[arg-type]  # what cannot be converted raises
    except (TypeError, ValueError, OverflowError):
        return None
    return converted if isinstance(converted, (int, float, str)) else None
