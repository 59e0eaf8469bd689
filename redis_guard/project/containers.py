"""Lists, dicts, tuples: what is in them, what is put into them later, what comes out.

Law of this file: a container is the union of what it may hold; only tuples keep their order.
"""

from redis_guard.facts.model import Attr, Comp, Const, Dict, Expr, Name, Seq, Star, Sub
from redis_guard.project.asking import Asker
from redis_guard.project.values import (
    LIKELY,
    NOTHING,
    ClassObject,
    Instance,
    Library,
    LibraryInstance,
    Plain,
    RedisObject,
    Row,
    Value,
    Values,
    Wrapped,
    has_redis,
    join,
    one,
    through,
)

_ITEMS = 40
"""A display with more items is a table of data."""
_SITES = 20


def display(inf: Asker, path: str, scope: int, expr: Seq | Dict | Comp) -> Values:
    """A list, tuple, set or dict display, or a comprehension."""
    if isinstance(expr, Comp):
        found = inf.values(path, scope, expr.elements[-1])
        return one(Wrapped("mapping" if expr.kind == "dict" else "iterator", found))
    if isinstance(expr, Dict):
        held = [inf.values(path, scope, value) for key, value in expr.items[:_ITEMS] if key is not None]
        held += [
            elements(inf, path, scope, value, inf.values(path, scope, value))
            for key, value in expr.items[:_ITEMS]
            if key is None
        ]
        return one(Wrapped("mapping", join(*held)))
    if expr.kind == "tuple" and not any(isinstance(item, Star) for item in expr.items):
        return one(Row(tuple(inf.values(path, scope, item) for item in expr.items[:_ITEMS])))
    return one(Wrapped("iterator", join(*(inf.values(path, scope, item) for item in expr.items[:_ITEMS]))))


def elements(inf: Asker, path: str, scope: int, expr: Expr | None, values: Values) -> Values:
    """What iterating over `values` gives, or for a mapping what looking up gives."""
    found: list[Values] = []
    for value in values:
        match value.object:
            case Wrapped(how="iterator" | "mapping", values=inner):
                found.append(inner)
            case Row(items=items):
                found.append(join(*items))
            case Instance():
                key = (value.object, "elements")
                found.append(inf.remembered(key, lambda value=value: _iterated(inf, path, scope, value)))  # type: ignore[misc]
    return join(*found)


def _iterated(inf: Asker, path: str, scope: int, value: Value) -> Values:
    methods = inf.attribute(value, "__iter__") or inf.attribute(value, "__aiter__")
    return join(
        *(inf.elements(path, scope, None, inf.called(method, None, path, scope)) for method in methods)
    )


def filled(inf: Asker, path: str, scope: int, expr: Name | Attr, values: Values) -> Values:
    """`values` of a named container, with what is stored under that name elsewhere."""
    for value in values:
        if isinstance(value.object, Wrapped) and value.object.how in ("iterator", "mapping"):
            break
    else:
        return values
    name = expr.id if isinstance(expr, Name) else expr.name
    if name not in inf.index.item_stores and not inf.index.added(path, name):
        return values
    stored = inf.remembered((path, scope, "filled", name), lambda: _stored(inf, path, expr, name))
    if not stored:
        return values
    found: list[Value] = []
    for value in values:
        if isinstance(value.object, Wrapped) and value.object.how in ("iterator", "mapping"):
            held = Wrapped(value.object.how, join(value.object.values, stored), value.object.asynchronous)
            found.append(Value(held, value.grade, value.how))
        else:
            found.append(value)
    return tuple(found)


def _stored(inf: Asker, path: str, expr: Name | Attr, name: str) -> Values:
    found: list[Values] = []
    for site in inf.index.item_stores.get(name, [])[:_SITES]:
        holder, nested = site.store.target.value, 0
        while isinstance(holder, Sub):
            holder, nested = holder.value, nested + 1
        if _same_kind(expr, holder) and (site.path == path or isinstance(expr, Attr)):
            given = unpacked(inf.values(site.path, site.scope, site.store.value), site.store.unpack)
            for _ in range(nested if given else 0):
                given = one(Wrapped("mapping", given), LIKELY)
            found.append(given)
    added = inf.index.added(path, name)[:_SITES]
    found.extend(inf.values(path, site.scope, site.expr) for site in added)
    return through(join(*found), f"kept in {name}", LIKELY) if found else NOTHING


def _same_kind(one_expr: Expr, other: Expr) -> bool:
    return isinstance(one_expr, Name) == isinstance(other, Name) and isinstance(other, (Name, Attr))


def unpacked(values: Values, path: tuple[int, ...]) -> Values:
    """What unpacking `values` leads to by `path`; -1 is a place behind a star."""
    for step in path:
        found: list[Values] = []
        for value in values:
            match value.object:
                case Row(items=items):
                    if 0 <= step < len(items):
                        found.append(items[step])
                    elif step < 0:
                        found.append(join(*items))
                case Wrapped(how="iterator" | "mapping", values=inner):
                    found.append(inner)
        values = join(*found)
    return values


def item(inf: Asker, path: str, scope: int, expr: Sub) -> Values:
    """`value[index]`."""
    base = inf.values(path, scope, expr.value)
    key = expr.index.value if isinstance(expr.index, Const) else None
    found: list[Values] = []
    known = False
    for value in base:
        match value.object:
            case Wrapped(how="mapping" | "iterator", values=inner):
                known = known or bool(inner)
                found.append(inner)
            case Row(items=items):
                known = True
                picked = isinstance(key, int) and -len(items) <= key < len(items)
                found.append(items[key] if picked and isinstance(key, int) else join(*items))
            case Library(name="django.core.cache.caches"):
                found.append(one(Library("django.core.cache.cache"), value.grade, value.how))
            case Library() | ClassObject():
                found.append((value,))
                known = True
            case Instance():
                for method in inf.attribute(value, "__getitem__"):
                    found.append(inf.called(method, None, path, scope))
                    known = True
            case RedisObject() | Plain():
                known = True
            case LibraryInstance():
                pass
    joined = join(*found)
    if not joined and not known and isinstance(key, str):
        return keyed(inf, key)
    return joined


def keyed(inf: Asker, key: str) -> Values:
    """What is put under that constant key anywhere, if it is a Redis object wherever it is known."""
    sites = inf.index.keyed.get(key, [])
    if not sites or len(sites) > _SITES:
        return NOTHING

    def look() -> Values:
        found = join(*(inf.values(site.path, site.scope, site.expr) for site in sites))
        redis = tuple(value for value in found if isinstance(value.object, RedisObject))
        return through(redis, f"kept under the key {key!r}", LIKELY)

    found = inf.remembered(("keyed", key), look)
    return found if has_redis(found) else NOTHING
