"""What is known of an argument, brought together.

Law of this file: every single question is answered elsewhere; what is not known stays unknown.
"""

from redis_guard.facts.model import Attr, Expr, Joined, Name, Seq
from redis_guard.project.constants import Constants
from redis_guard.project.inference import Inference
from redis_guard.project.ingredients import Ingredients
from redis_guard.project.measures import Measures
from redis_guard.project.model import Argument, Constant, Kind
from redis_guard.project.narrowing import Narrowing
from redis_guard.project.nullability import Nullability
from redis_guard.project.templates import Templates
from redis_guard.project.temporal import Temporal
from redis_guard.project.values import LibraryInstance, Plain
from redis_guard.project.walk import text

_BUILT_IN: dict[str, Kind] = {"int": "int", "float": "float", "str": "str", "bytes": "bytes", "bool": "bool"}
_LIBRARY: dict[str, Kind] = {
    "time.time": "float",
    "time.monotonic": "float",
    "json.dumps": "str",
    "orjson.dumps": "bytes",
    "pickle.dumps": "bytes",
    "secrets.token_hex": "str",
    "secrets.token_urlsafe": "str",
}


class Arguments:
    """Describes expressions over one project."""

    def __init__(self, inf: Inference, templates: Templates) -> None:
        self._inf = inf
        self._templates = templates
        origins = templates.origins
        narrowing = Narrowing(inf.index)
        self._constants = Constants(origins, narrowing, self._around)
        self._nullability = Nullability(inf, origins, narrowing)
        self._ingredients = Ingredients(inf, origins)
        self._temporal = Temporal(inf, origins)
        self._measures = Measures(inf, origins, self._constants, self._temporal)

    def _around(self, path: str, scope: int) -> int:
        return self._inf.index.modules[path].scopes[scope].parent

    def describe(self, path: str, scope: int, expr: Expr) -> Argument:
        known = self._constants.of(path, scope, expr)
        made = self._ingredients.of(path, scope, expr)
        return Argument(
            text(expr),
            known.values if known.complete and known.values else None,
            known.values,
            self._nullability.may_be_none(path, scope, expr) is True,
            made.words,
            made.calls,
            self._kind(path, scope, expr, known.values if known.complete else ()),
            self._constants.milliseconds(path, scope, expr),
            made.attribute,
            made.operators,
            self._templates.key(path, scope, expr),
            self._measures.of(path, scope, expr),
        )

    def displays(self, path: str, scope: int, expr: Expr) -> tuple[tuple[str, int, Seq], ...]:
        """The lists, tuples or sets written out that `expr` is; none where it may be another."""
        found = self._templates.origins.trail(path, scope, expr)
        shown = tuple(
            (origin.path, origin.scope, origin.expr)
            for origin in found.origins
            if isinstance(origin.expr, Seq)
        )
        return shown if found.complete and len(shown) == len(found.origins) else ()

    def _kind(self, path: str, scope: int, expr: Expr, known: tuple[Constant, ...]) -> Kind:
        kinds = {_of_constant(value) for value in known}
        if len(kinds) == 1:
            return kinds.pop()
        if isinstance(expr, Joined):
            return "str"
        if (time := self._temporal.of(path, scope, expr)) is not None:
            return time
        found = {_of_object(value.object) for value in self._inf.values(path, scope, expr)}
        if found:
            return found.pop() if len(found) == 1 else "unknown"
        return "str" if self._is_hex(path, scope, expr) else "unknown"

    def _is_hex(self, path: str, scope: int, expr: Expr) -> bool:
        """`uuid.uuid4().hex`, here or where the name was given it."""
        if isinstance(expr, Name):
            given = self._templates.origins.sources(path, scope, expr)
            exprs = [source.expr for source in given.found]
            whole = given.complete and all(isinstance(source, Attr) for source in exprs)
            return whole and all(self._is_hex(path, scope, each) for each in exprs if isinstance(each, Attr))
        if not isinstance(expr, Attr) or expr.name != "hex":
            return False
        made = self._inf.values(path, scope, expr.value)
        return any(isinstance(v.object, LibraryInstance) and v.object.name.startswith("uuid.") for v in made)


def _of_constant(value: Constant) -> Kind:
    return "none" if value is None else _BUILT_IN[type(value).__name__]


def _of_object(thing: object) -> Kind:
    if isinstance(thing, Plain):
        return _BUILT_IN.get(thing.type, "unknown")
    if isinstance(thing, LibraryInstance):
        return _LIBRARY.get(thing.name, "unknown")
    return "unknown"
