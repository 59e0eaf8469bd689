"""Classes of the project: their bases, their subclasses, and whether they are clients.

Law of this file: a class is what its bases say; a class that only holds a client is not one.
"""

from dataclasses import replace

from redis_guard.facts.model import Scope
from redis_guard.project.asking import Asker
from redis_guard.project.library import CLASSES
from redis_guard.project.values import (
    ClassObject,
    Instance,
    Library,
    LibraryInstance,
    RedisObject,
    ScopeRef,
    Value,
    Values,
)
from redis_guard.project.walk import last_name

_MAX_BASES = 40


def bases(inf: Asker, ref: ScopeRef) -> tuple[ScopeRef | str, ...]:
    """The classes a class is made of, itself first, nearest first; foreign ones by dotted name."""
    if (known := inf.lines.get(ref)) is not None:
        return known
    for parent in reversed(_climbed(inf, ref)):
        _line(inf, parent)
    return _line(inf, ref)


def _climbed(inf: Asker, ref: ScopeRef) -> list[ScopeRef]:
    """The classes above one that are not settled, nearest first: asked from the top, a long line is not deep."""
    found = {ref: None}
    waiting = [ref]
    while waiting:
        scope = inf.index.scope(ref := waiting.pop())
        for base in scope.bases:
            for value in inf.values(ref.path, scope.parent, base.value) if base.keyword is None else ():
                match value.object:
                    case ClassObject(ref=parent) if parent not in found and parent not in inf.lines:
                        found[parent] = None
                        waiting.append(parent)
    return list(found)


def _line(inf: Asker, ref: ScopeRef) -> tuple[ScopeRef | str, ...]:
    key = (ref, "bases")
    above = inf.remembered(key, lambda: _above(inf, ref))
    found = (ref, *(_class(value.object) for value in above))
    if inf.settled(key):
        inf.lines[ref] = found
    return found


def _class(thing: object) -> ScopeRef | str:
    assert isinstance(thing, (ClassObject, Library))
    return thing.ref if isinstance(thing, ClassObject) else thing.name


def _above(inf: Asker, ref: ScopeRef) -> Values:
    """The bases of a class and theirs. A class among its own bases, in broken code, is a question that comes back."""
    found: dict[ClassObject | Library, None] = {}
    scope = inf.index.scope(ref)
    for base in scope.bases:
        if base.keyword is not None or base.star:
            continue
        for value in inf.values(ref.path, scope.parent, base.value):
            match value.object:
                case ClassObject(ref=parent):
                    for item in inf.lines.get(parent) or _line(inf, parent):
                        found[Library(item) if isinstance(item, str) else ClassObject(item)] = None
                case Library(name=name) | LibraryInstance(name=name):
                    found[Library(name)] = None
        if len(found) > _MAX_BASES:
            break
    found.pop(ClassObject(ref), None)
    return tuple(map(Value, found))


def redis_base(inf: Asker, ref: ScopeRef) -> RedisObject | None:
    """The library's class that the class extends, as an object of the project's own class."""
    made = library_base(inf, ref)
    return None if made is None else replace(made, type=label(inf, ref), cls=ref)


def library_base(inf: Asker, ref: ScopeRef) -> RedisObject | None:
    """The library's class that the class extends, as an object of the library's."""
    for item in bases(inf, ref):
        if isinstance(item, str) and (made := CLASSES.get(item)) is not None:
            return made
    return None


def constructs_itself(inf: Asker, ref: ScopeRef) -> bool:
    """Whether the class, or one of the project's above it, has a constructor of its own."""
    return any(
        name in inf.index.definitions(item.path, item.scope)
        for item in bases(inf, ref)
        if isinstance(item, ScopeRef)
        for name in ("__init__", "__new__")
    )


def instance(inf: Asker, ref: ScopeRef) -> RedisObject | Instance:
    return redis_base(inf, ref) or Instance(ref)


def subclasses(inf: Asker, ref: ScopeRef) -> list[ScopeRef]:
    """Classes of the project below `ref`, nearest first."""
    below = inf.remembered((ref, "subclasses"), lambda: _below(inf, ref))
    return [value.object.ref for value in below if isinstance(value.object, ClassObject)]


def _below(inf: Asker, ref: ScopeRef) -> Values:
    found: list[ScopeRef] = []
    waiting = [ref]
    while waiting and len(found) < _MAX_BASES:
        parent = waiting.pop(0)
        for child in inf.index.by_base.get(inf.index.scope(parent).name, []):
            if child not in found and child != ref and parent in bases(inf, child):
                found.append(child)
                waiting.append(child)
    return tuple(Value(ClassObject(child)) for child in found)


def is_protocol(inf: Asker, ref: ScopeRef) -> bool:
    return any(last_name(base.value) == "Protocol" for base in inf.index.scope(ref).bases)


def of_instances(values: Values) -> Values:
    """The classes that the values are instances of."""
    found: list[Value] = []
    for value in values:
        match value.object:
            case RedisObject(cls=ScopeRef() as ref) | Instance(ref=ref):
                found.append(Value(ClassObject(ref), value.grade, value.how))
            case RedisObject(type=name) | LibraryInstance(name=name):
                found.append(Value(Library(name), value.grade, value.how))
    return tuple(found)


def label(inf: Asker, ref: ScopeRef) -> str:
    """The dotted name a reader would look for."""
    module = ref.path.rsplit(".", 1)[0].removesuffix("/__init__").replace("/", ".")
    return f"{module}.{inf.index.scope(ref).qualname}"


def class_of(inf: Asker, path: str, scope: int) -> ScopeRef | None:
    """The class whose method the scope is, or is nested in."""
    method = inf.index.homes[path][scope]
    return ScopeRef(path, inf.index.modules[path].scopes[method].parent) if method >= 0 else None


def decorators(scope: Scope) -> frozenset[str]:
    return frozenset(name for decorator in scope.decorators if (name := last_name(decorator)))
