"""Values taken out of what wraps them: entered, awaited, looked up.

Law of this file: what is not wrapped is itself.
"""

from redis_guard.project.asking import Asker
from redis_guard.project.values import (
    NOTHING,
    ClassObject,
    Instance,
    LibraryInstance,
    Plain,
    RedisObject,
    Row,
    Value,
    Values,
    Wrapped,
    join,
    one,
)


def entered(inf: Asker, values: Values) -> Values:
    """What `with values as …` binds."""
    found: list[Values] = []
    for value in values:
        match value.object:
            case Wrapped(how="context" | "awaitable" | "iterator", values=inner):
                found.append(inner)
            case Instance():
                methods = inf.attribute(value, "__enter__") or inf.attribute(value, "__aenter__")
                given = [unwrapped(inf.called(method, None, "", 0)) for method in methods]
                found.extend(given or [(value,)])
            case RedisObject() | LibraryInstance() | ClassObject():
                found.append((value,))
    return join(*found)


def awaited(values: Values) -> Values:
    """What `await` of `values` gives; a client or pipeline awaited is itself."""
    found: list[Values] = []
    for value in values:
        if isinstance(value.object, Wrapped) and value.object.how == "awaitable":
            found.append(value.object.values)
        elif isinstance(value.object, (RedisObject, LibraryInstance, Row)):
            found.append((value,))
    return join(*found)


def unwrapped(values: Values) -> Values:
    found: list[Values] = []
    for value in values:
        wrapped = isinstance(value.object, Wrapped) and value.object.how in (
            "awaitable",
            "context",
            "iterator",
        )
        found.append(value.object.values if wrapped and isinstance(value.object, Wrapped) else (value,))
    return join(*found)


def of_container(owner: Wrapped, name: str) -> Values:
    if name in ("get", "pop", "setdefault", "popleft", "get_nowait", "popitem", "send", "result", "__next__"):
        return _unnamed(owner.values) if owner.how == "mapping" else owner.values
    if name in ("values", "copy", "keys"):
        return (
            one(Wrapped("iterator" if name == "values" else owner.how, owner.values))
            if name != "keys"
            else NOTHING
        )
    if name == "items":
        return one(Wrapped("iterator", one(Row((NOTHING, owner.values)))))
    return NOTHING


def _unnamed(values: Values) -> Values:
    """Texts without what they say: which of a mapping's texts belongs to the key asked for is not known."""
    return join(
        tuple(Value(Plain(v.object.type), v.grade) if isinstance(v.object, Plain) else v for v in values)
    )
