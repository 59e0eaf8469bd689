"""What a name in an annotation was written as: `Client = Annotated[Redis, Depends(connect)]`, `type Client = …`.

Law of this file: the expression and where it stands, nothing more; names are followed by binding and import only.
"""

from collections.abc import Iterator

from redis_guard.facts.model import Attr, Bin, Expr, Name, Sub
from redis_guard.project.asking import Asker
from redis_guard.project.tables import Site
from redis_guard.project.values import ClassObject, ModuleObject

_HOPS = 6


def written(inf: Asker, path: str, scope: int, name: Name | Attr) -> Iterator[Site]:
    """The subscripts and unions that a name is bound to."""
    for where, inside, number in _bindings(inf, path, scope, name):
        yield from _followed(inf, where, inside, number, 0)


def _bindings(inf: Asker, path: str, scope: int, name: Name | Attr) -> Iterator[tuple[str, int, int]]:
    if isinstance(name, Attr):
        for holder in inf.values(path, scope, name.value):
            match holder.object:
                case ModuleObject(path=where):
                    yield from ((where, 0, number) for number in _members(inf, where, 0, name.name))
                case ClassObject(ref=ref):
                    yield from ((*ref, number) for number in _members(inf, ref.path, ref.scope, name.name))
        return
    if name.defs:
        yield from ((path, scope, number) for number in name.defs)
        return
    scopes = inf.index.modules[path].scopes
    around = scope
    while around >= 0:
        numbers = _members(inf, path, around, name.id)
        if numbers and (around == scope or scopes[around].kind != "class"):
            yield from ((path, around, number) for number in numbers)
            return
        around = scopes[around].parent


def _members(inf: Asker, path: str, scope: int, name: str) -> list[int]:
    return inf.index.definitions(path, scope).get(name, []) if path in inf.index.modules else []


def _followed(inf: Asker, path: str, scope: int, number: int, hops: int) -> Iterator[Site]:
    made = inf.index.modules[path].scopes[scope].defs[number]
    if made.kind == "assign" and made.value is not None and not made.unpack:
        if _is_written_out(made.value):
            yield Site(path, made.scope, made.value)
    elif made.kind == "import" and made.symbol is not None and hops < _HOPS:
        found = inf.index.names.find(path, made.module)
        if found is not None:
            for other in _members(inf, found, 0, made.symbol):
                yield from _followed(inf, found, 0, other, hops + 1)


def _is_written_out(expr: Expr) -> bool:
    return isinstance(expr, Sub) or (isinstance(expr, Bin) and expr.op == "|")
