"""Which expressions are timedeltas and which are datetimes.

Law of this file: types only, by inference and by the arithmetic of the two.
"""

from typing import Literal

from redis_guard.facts.model import Attr, Await, Bin, Bool, Call, Cond, Expr, Name, Walrus
from redis_guard.project.inference import Inference
from redis_guard.project.origins import Origins
from redis_guard.project.values import LibraryInstance, Plain, RedisObject
from redis_guard.project.walk import last_name

Time = Literal["timedelta", "datetime"]

_DEPTH = 8
_DATETIMES = frozenset(
    {"datetime", "now", "utcnow", "fromtimestamp", "utcfromtimestamp", "today", "strptime"}
)
_SAME = frozenset({"replace", "astimezone"})


class Temporal:
    """Answers over one project."""

    def __init__(self, inf: Inference, origins: Origins) -> None:
        self._inf = inf
        self._origins = origins

    def of(self, path: str, scope: int, expr: Expr, depth: int = 0) -> Time | None:
        if depth > _DEPTH:
            return None

        def inner(part: Expr) -> Time | None:
            return self.of(path, scope, part, depth + 1)

        match expr:
            case Await(value=value) | Walrus(value=value):
                return inner(value)
            case Cond(body=left, orelse=right) | Bool(op="or", left=left, right=right):
                first = inner(left)
                return first if first == inner(right) else None
            case Bin(op=op, left=left, right=right):
                return _combined(op, inner(left), inner(right))
            case Name() | Attr():
                return self._variable(path, scope, expr, depth)
            case Call(func=Attr(value=base, name=name)) if name in _SAME and inner(base) == "datetime":
                return "datetime"
        return self._inferred(path, scope, expr)

    def is_redis(self, path: str, scope: int, method: Expr) -> bool:
        """Whether a method is one of a Redis object."""
        if not isinstance(method, Attr):
            return False
        return any(isinstance(v.object, RedisObject) for v in self._inf.values(path, scope, method.value))

    def _variable(self, path: str, scope: int, expr: Name | Attr, depth: int) -> Time | None:
        found = self._origins.sources(path, scope, expr).found
        answers = {
            self.of(source.path, source.scope, source.expr, depth + 1)
            for source in found
            if source.expr is not None
        }
        told = len(answers) == 1 and all(source.expr is not None for source in found)
        return (answers.pop() if told else None) or self._inferred(path, scope, expr)

    def _inferred(self, path: str, scope: int, expr: Expr) -> Time | None:
        if isinstance(expr, Call) and last_name(expr.func) == "timedelta" and not isinstance(expr.func, Call):
            return "timedelta"
        kinds = {_kind(value.object) for value in self._inf.values(path, scope, expr)}
        return kinds.pop() if len(kinds) == 1 else None


def _kind(thing: object) -> Time | None:
    if isinstance(thing, Plain):
        return thing.type if thing.type in ("timedelta", "datetime") else None  # type: ignore[return-value]  # these two
    if not isinstance(thing, LibraryInstance):
        return None
    module, _, last = thing.name.rpartition(".")
    if last == "timedelta":
        return "timedelta"
    if thing.name.startswith("django.utils.timezone.") or module.endswith("datetime"):
        return "datetime" if last in _DATETIMES else None
    return None


def _combined(op: str, ours: Time | None, theirs: Time | None) -> Time | None:
    pair = (ours, theirs)
    if op == "-":
        if pair == ("datetime", "datetime") or ours == "timedelta":
            return "timedelta"
        return "datetime" if pair == ("datetime", "timedelta") else None
    if op == "+":
        return "datetime" if "datetime" in pair else "timedelta" if "timedelta" in pair else None
    return "timedelta" if op in ("*", "/", "//") and "timedelta" in pair and theirs != ours else None
