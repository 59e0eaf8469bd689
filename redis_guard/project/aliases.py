"""Names that stand for an annotation: `AsyncRedis = Annotated[Redis, Depends(connect)]`, `Conn = Redis | None`.

Law of this file: a name is followed to the one expression that it is bound to, through imports.
"""

from redis_guard.facts.model import Attr, Bin, Def, Expr, Name, Sub
from redis_guard.project.asking import Asker
from redis_guard.project.values import ModuleObject

_STEPS = 6


def alias(inf: Asker, path: str, scope: int, expr: Expr) -> tuple[str, int, Expr] | None:
    """Where the name is bound to a subscript or a union of types: file, scope and that expression."""
    for _ in range(_STEPS):
        found = _bound(inf, path, scope, expr)
        if found is None:
            return None
        where, made = found
        if made.kind == "import" and made.symbol is not None:
            target = inf.index.names.find(where, made.module)
            found = None if target is None else _top_level(inf, target, made.symbol)
            if found is None:
                return None
            where, made = found
        if made.kind == "import":
            path, scope, expr = where, made.scope, Name(made.name, ())
            continue
        if made.kind not in ("assign", "declared") or made.value is None or made.unpack:
            return None
        path, scope, expr = where, made.scope, made.value
        if isinstance(expr, Sub) or (isinstance(expr, Bin) and expr.op == "|"):
            return path, scope, expr
    return None


def _bound(inf: Asker, path: str, scope: int, expr: Expr) -> tuple[str, Def] | None:
    match expr:
        case Name(defs=(number,)):
            return path, inf.index.modules[path].scopes[scope].defs[number]
        case Name(id=name, defs=()):
            return _top_level(inf, path, name)
        case Attr(value=value, name=name):
            for holder in inf.values(path, scope, value):
                if isinstance(holder.object, ModuleObject):
                    return _top_level(inf, holder.object.path, name)
    return None


def _top_level(inf: Asker, path: str, name: str) -> tuple[str, Def] | None:
    if path not in inf.index.modules:
        inf.wanted.add(path)
        return None
    numbers = inf.index.definitions(path, 0).get(name, ())
    return (path, inf.index.modules[path].scopes[0].defs[numbers[0]]) if len(numbers) == 1 else None
