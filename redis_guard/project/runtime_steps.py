"""Calls of the coroutines that the runtime for asyncio has: of the coordination, and of what its methods give.

Law of this file: what an object is, is told by the expression that gave it; bindings are followed, calls are not.
"""

from collections.abc import Iterator

from redis_guard.facts.model import Attr, Await, Call, Expr, Name, Walrus
from redis_guard.project import runtime
from redis_guard.project.inference import Inference
from redis_guard.project.origins import Origins, Source
from redis_guard.project.values import RedisObject

_METHODS = frozenset().union(*runtime.AWAITED.values())
_DEPTH = 6


def coroutine_calls(inf: Inference, origins: Origins, path: str) -> Iterator[tuple[int, int, Call]]:
    """The calls in one module, each with its scope and root."""
    for number, points in enumerate(inf.index.tables[path].points):
        for root, expr in points:
            if isinstance(expr, Call) and isinstance(expr.func, Attr) and expr.func.name in _METHODS:
                held = _kind(inf, origins, path, number, expr.func.value, 0)
                if held is not None and expr.func.name in runtime.AWAITED[held]:
                    yield number, root, expr


def _kind(inf: Inference, origins: Origins, path: str, scope: int, expr: Expr, depth: int) -> str | None:
    """What of the runtime for asyncio an expression is."""
    if depth > _DEPTH:
        return None
    if _is_coordination(inf, path, scope, expr):
        return runtime.COORDINATION
    match expr:
        case Await(value=Call(func=Attr(value=holder, name=name))) if name in runtime.LEASES:
            of = _kind(inf, origins, path, scope, holder, depth + 1)
            return "lease" if of is not None and name in runtime.AWAITED[of] else None
        case Call(func=Attr(value=holder, name=name)) if (
            name in runtime.PRIMITIVES and name in runtime.AWAITED
        ):
            return name if _is_coordination(inf, path, scope, holder) else None
        case Walrus(value=value):
            return _kind(inf, origins, path, scope, value, depth + 1)
        case Name() | Attr():
            sources = origins.sources(path, scope, expr).found
            found = {_of_source(inf, origins, source, depth + 1) for source in sources}
            return found.pop() if len(found) == 1 else None
    return None


def _of_source(inf: Inference, origins: Origins, source: Source, depth: int) -> str | None:
    """What a variable or an attribute is by one of its bindings."""
    made = source.definition
    if made is not None and made.kind == "with" and made.value is not None and not made.unpack:
        entered = _kind(inf, origins, source.path, made.scope, made.value, depth)
        return "lease" if entered in ("lock", "lease") else None
    return None if source.expr is None else _kind(inf, origins, source.path, source.scope, source.expr, depth)


def _is_coordination(inf: Inference, path: str, scope: int, expr: Expr) -> bool:
    held = [value.object for value in inf.values(path, scope, expr)]
    return bool(held) and all(
        isinstance(thing, RedisObject) and thing.kind == runtime.COORDINATION and thing.asynchronous
        for thing in held
    )
