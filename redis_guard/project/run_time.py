"""Whether a part of a text is decided by data: what a caller, a loop or a foreign object gives while the program runs.

Law of this file: numbers, constants, chosen constants and settings are not; what nobody can tell is not either.
"""

from collections.abc import Callable

from redis_guard.facts.model import Attr, Await, Bin, Bool, Call, Cond, Const, Def, Expr, Name, Sub, Walrus
from redis_guard.project.inference import Inference
from redis_guard.project.origins import Origin, Origins
from redis_guard.project.spelled import Here, Said
from redis_guard.project.spellings import Spellings
from redis_guard.project.values import Function, Library, LibraryInstance, Plain
from redis_guard.project.walk import dotted, last_name

_DEPTH = 6
_NUMBERS = frozenset({"int", "float", "bool", "complex", "timedelta"})
_NUMERIC_CALLS = frozenset(
    "int float bool len round abs sum hash ord id time time_ns monotonic total_seconds".split()
)
_NUMERIC_ITERABLES = frozenset({"range", "enumerate", "count"})
_ENVIRONMENT = frozenset({"os", "environ", "getenv", "settings", "config", "conf", "platform", "socket"})


class RunTime:
    """Answers over one project."""

    def __init__(self, inf: Inference, origins: Origins, is_test: Callable[[str], bool]) -> None:
        self._inf = inf
        self._origins = origins
        self._spellings = Spellings(inf, origins, is_test)

    def decides(self, path: str, scope: int, expr: Expr, depth: int = 0) -> bool:
        """Whether data decides what `expr` is."""
        if depth > _DEPTH or self._is_number(path, scope, expr):
            return False
        if self._of_handed_in(path, scope, expr):
            return True
        if self._spelled(path, scope, expr):
            return False
        match expr:
            case Name() | Walrus():
                found = self._origins.trail(path, scope, expr).origins
                return any(self._at_end(origin, expr, depth) for origin in found) or self._loops(
                    path, scope, expr, depth
                )
            case Attr(value=value):
                return self._of_holder(path, scope, expr, value, depth)
            case Sub(value=value):
                return self.decides(path, scope, value, depth + 1)
            case Await(value=value):
                return self.decides(path, scope, value, depth + 1)
            case Cond(body=left, orelse=right) | Bool(left=left, right=right):
                return any(self.decides(path, scope, side, depth + 1) for side in (left, right))
            case Bin(op="+" | "%" | "*", left=left, right=right):
                return any(self.decides(path, scope, side, depth + 1) for side in (left, right))
            case Call():
                return self._call(path, scope, expr, depth)
        return False

    def _spelled(self, path: str, scope: int, expr: Expr) -> bool:
        """Whether it is one of texts that are all written in the project."""
        self._spellings.begin()
        found = self._spellings.of(Here(path, scope, Said(path, scope, (0, 0, 0, 0))), expr)
        return bool(found.texts) and not found.dynamic and not found.unseen

    def _of_handed_in(self, path: str, scope: int, expr: Expr) -> bool:
        """`self.job_class.prefix`, where somebody may hand in another class than those of the project."""
        if not isinstance(expr, Attr) or not isinstance(expr.value, Attr) or expr.name == "value":
            return False
        return self._is_handed_in(path, scope, expr.value, 0)

    def _is_handed_in(self, path: str, scope: int, expr: Expr, depth: int) -> bool:
        if depth > _DEPTH:
            return False
        match expr:
            case Name() | Attr():
                found = self._origins.trail(path, scope, expr).origins
                return any(
                    origin.parameter is not None
                    or (
                        origin.expr is not None
                        and origin.expr is not expr
                        and self._is_handed_in(origin.path, origin.scope, origin.expr, depth + 1)
                    )
                    for origin in found
                )
            case Bool(left=left, right=right) | Cond(body=left, orelse=right):
                return any(self._is_handed_in(path, scope, side, depth + 1) for side in (left, right))
            case Call(args=args):
                return any(self._is_handed_in(path, scope, arg.value, depth + 1) for arg in args)
        return False

    def _is_number(self, path: str, scope: int, expr: Expr) -> bool:
        if isinstance(expr, Bin) and expr.op not in ("+", "%", "*"):
            return True
        if isinstance(expr, Bin):
            return self._is_number(path, scope, expr.left) or self._is_number(path, scope, expr.right)
        if isinstance(expr, Const):
            return isinstance(expr.value, (int, float))
        if isinstance(expr, Call) and last_name(expr.func) in _NUMERIC_CALLS:
            return True
        values = self._inf.values(path, scope, expr)
        return bool(values) and all(isinstance(v.object, Plain) and v.object.type in _NUMBERS for v in values)

    def _at_end(self, origin: Origin, asked: Expr, depth: int) -> bool:
        """An origin of a variable: a parameter, or an expression that is asked in turn."""
        if origin.parameter is not None:
            return not self._takes_number(origin.path, origin.scope, origin.parameter)
        if origin.expr is None or origin.expr is asked:
            return False
        return self.decides(origin.path, origin.scope, origin.expr, depth + 1)

    def _takes_number(self, path: str, scope: int, made: Def) -> bool:
        """By its annotation or its default."""
        around = self._inf.index.modules[path].scopes[scope].parent
        if made.annotation is not None:
            held = self._inf.annotation(path, around, made.annotation)
            return any(isinstance(v.object, Plain) and v.object.type in _NUMBERS for v in held)
        return made.value is not None and self._is_number(path, around, made.value)

    def _loops(self, path: str, scope: int, expr: Name | Walrus, depth: int) -> bool:
        """The variable of a loop over data."""
        if not isinstance(expr, Name):
            return False
        defs = self._inf.index.modules[path].scopes[scope].defs
        for number in expr.defs:
            made = defs[number]
            if made.kind != "for" or made.value is None:
                continue
            over = made.value
            if isinstance(over, Call) and last_name(over.func) in _NUMERIC_ITERABLES:
                if last_name(over.func) != "enumerate" or made.unpack[:1] == (0,):
                    continue
                over = over.args[0].value if over.args else over
            if self.decides(path, made.scope, over, depth + 1):
                return True
        return False

    def _of_holder(self, path: str, scope: int, expr: Attr, value: Expr, depth: int) -> bool:
        """An attribute: what it is given, or else what its holder is."""
        if _is_environment(expr):
            return False
        found = self._origins.trail(path, scope, expr)
        if found.origins:
            return any(self._at_end(origin, expr, depth) for origin in found.origins)
        held = self._inf.values(path, scope, value)
        if any(isinstance(v.object, (Library, LibraryInstance)) for v in held):
            return False
        # an attribute of what the object was given: `self.job_class.prefix`
        return isinstance(value, Attr) or self.decides(path, scope, value, depth + 1)

    def _call(self, path: str, scope: int, call: Call, depth: int) -> bool:
        if _is_environment(call.func):
            return False
        given = [arg.value for arg in call.args]
        if isinstance(call.func, Attr):
            given.append(call.func.value)
        helps = any(isinstance(v.object, Function) for v in self._inf.values(path, scope, call.func))
        if helps and isinstance(call.func, Attr):
            given.pop()
        return any(self.decides(path, scope, each, depth + 1) for each in given)


def _is_environment(expr: Expr) -> bool:
    """`os.environ`, `settings.PREFIX`: whoever sets these may as well change the code."""
    written = dotted(expr) or last_name(expr) or ""
    return not _ENVIRONMENT.isdisjoint(written.lower().split("."))
