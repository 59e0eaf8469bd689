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
    if (known := inf.class_memory.get(ref)) is not None:
        return known
    inf.class_memory[ref] = (ref,)  # a class among its own bases: a circle in broken code
    found: dict[ScopeRef | str, None] = {ref: None}
    scope = inf.index.scope(ref)
    for base in scope.bases:
        if base.keyword is not None or base.star:
            continue
        for value in inf.values(ref.path, scope.parent, base.value):
            match value.object:
                case ClassObject(ref=parent):
                    found.update(dict.fromkeys(bases(inf, parent)))
                case Library(name=name) | LibraryInstance(name=name):
                    found[name] = None
        if len(found) > _MAX_BASES:
            break
    inf.class_memory[ref] = tuple(found)
    return tuple(found)


def redis_base(inf: Asker, ref: ScopeRef) -> RedisObject | None:
    """The library's class that the class extends, as an object of the project's own class."""
    for item in bases(inf, ref):
        if isinstance(item, str) and (made := CLASSES.get(item)) is not None:
            return replace(made, type=label(inf, ref), cls=ref)
    return None


def instance(inf: Asker, ref: ScopeRef) -> RedisObject | Instance:
    return redis_base(inf, ref) or Instance(ref)


def subclasses(inf: Asker, ref: ScopeRef) -> list[ScopeRef]:
    """Classes of the project below `ref`, nearest first."""
    if (known := inf.subclass_memory.get(ref)) is None:
        known = inf.subclass_memory[ref] = _subclasses(inf, ref)
    return known


def _subclasses(inf: Asker, ref: ScopeRef) -> list[ScopeRef]:
    found: list[ScopeRef] = []
    waiting = [ref]
    while waiting and len(found) < _MAX_BASES:
        parent = waiting.pop(0)
        for child in inf.index.by_base.get(inf.index.scope(parent).name, []):
            if child not in found and child != ref and parent in bases(inf, child):
                found.append(child)
                waiting.append(child)
    return found


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
