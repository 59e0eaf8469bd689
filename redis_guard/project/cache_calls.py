"""Calls on Django's cache, which is often Redis behind an interface.

Law of this file: only what is certainly Django's cache object, by import.
"""

from collections.abc import Iterator

from redis_guard.facts.model import Attr, Call, Comp, Dict, Expr, Name, Node
from redis_guard.finding import Span
from redis_guard.project import model
from redis_guard.project.arguments import Arguments
from redis_guard.project.inference import Inference
from redis_guard.project.places import Places
from redis_guard.project.taking import Taking
from redis_guard.project.templates import Templates
from redis_guard.project.values import Library
from redis_guard.project.walk import text

_PARAMETERS: dict[str, tuple[str, ...]] = {
    "add": ("key", "value", "timeout", "version"),
    "set": ("key", "value", "timeout", "version"),
    "get": ("key", "default", "version"),
    "get_or_set": ("key", "default", "timeout", "version"),
    "touch": ("key", "timeout", "version"),
    "incr": ("key", "delta", "version"),
    "decr": ("key", "delta", "version"),
    "delete": ("key", "version"),
    "set_many": ("data", "timeout", "version"),
    "get_many": ("keys", "version"),
    "delete_many": ("keys", "version"),
    "clear": (),
}
"""Source: Django documentation, the low-level cache API; the `a` variants take the same."""
_CACHES = frozenset({"django.core.cache.cache"})


def cache_calls(
    inf: Inference, templates: Templates, arguments: Arguments, places: Places, taking: Taking, path: str
) -> tuple[model.CacheCall, ...]:
    """The cache calls of one module."""
    return tuple(_calls(inf, templates, arguments, places, taking, path))


def _calls(
    inf: Inference, templates: Templates, arguments: Arguments, places: Places, taking: Taking, path: str
) -> Iterator[model.CacheCall]:
    for number, points in enumerate(inf.index.tables[path].points):
        for place, expr in points:
            if not (isinstance(expr, Call) and isinstance(expr.func, Attr)):
                continue
            name = expr.func.name
            plain = name[1:] if name.startswith("a") and name[1:] in _PARAMETERS and name != "add" else name
            if plain not in _PARAMETERS or not _is_cache(inf, path, number, expr.func.value):
                continue
            given = _bound(expr, _PARAMETERS[plain])
            if plain == "set_many":
                given += _entry(inf, path, number, dict(given).get("data"))
            key = next((value for parameter, value in given if parameter == "key"), None)
            yield model.CacheCall(
                path,
                Span(*expr.span),
                text(expr.func.value),
                plain,
                None if key is None else templates.key(path, number, key),
                tuple((parameter, arguments.describe(path, number, value)) for parameter, value in given),
                places.place(number, place, expr),
                places.outcomes(number).result(place, expr),
                taking.guards(number).every(place, expr) if plain == "delete" else (),
            )


def _is_cache(inf: Inference, path: str, scope: int, receiver: Expr) -> bool:
    return any(
        isinstance(value.object, Library) and value.object.name in _CACHES
        for value in inf.values(path, scope, receiver)
    )


def _bound(call: Call, parameters: tuple[str, ...]) -> list[tuple[str, Expr]]:
    given: list[tuple[str, Expr]] = []
    for number, arg in enumerate(call.args):
        if arg.keyword is not None:
            given.append((arg.keyword, arg.value))
        elif not arg.star and number < len(parameters):
            given.append((parameters[number], arg.value))
    return given


def _entry(inf: Inference, path: str, scope: int, data: Expr | None) -> list[tuple[str, Expr]]:
    """The key and the value of the first entry, or of what a comprehension makes, where that is written here."""
    if isinstance(data, Name) and len(data.defs) == 1:
        made = inf.index.modules[path].scopes[scope].defs[data.defs[0]]
        data = made.value if made.kind == "assign" and not made.unpack else None
    match data:
        case Comp(elements=(key, value)):
            return [("key", key), ("value", value)]
        case Dict(items=((Node() as key, value), *_)):
            return [("key", key), ("value", value)]
    return []
