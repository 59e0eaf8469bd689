"""Which property an attribute is, where it can be only that one.

Law of this file: a property that a subclass replaces, or that an instance may hide, is none here.
"""

from redis_guard.facts.model import Attr
from redis_guard.project import classes
from redis_guard.project.inference import Inference
from redis_guard.project.library import PROPERTY_DECORATORS
from redis_guard.project.values import Instance, RedisObject, ScopeRef


def property_of(inf: Inference, path: str, scope: int, expr: Attr) -> ScopeRef | None:
    """The function of the property that `expr` reads."""
    found: set[ScopeRef] = set()
    for holder in inf.values(path, scope, expr.value):
        match holder.object:
            case Instance(ref=ref) | RedisObject(cls=ScopeRef() as ref):
                if (function := _in_class(inf, ref, expr.name)) is None:
                    return None
                found.add(function)
            case _:
                return None
    return found.pop() if len(found) == 1 else None


def _in_class(inf: Inference, ref: ScopeRef, name: str) -> ScopeRef | None:
    index = inf.index
    if any(name in index.definitions(child.path, child.scope) for child in classes.subclasses(inf, ref)):
        return None
    for item in classes.bases(inf, ref):
        if not isinstance(item, ScopeRef):
            continue
        numbers = index.definitions(item.path, item.scope).get(name, ())
        if not numbers:
            continue
        made = index.scope(item).defs[numbers[0]]
        function = ScopeRef(item.path, made.target)
        if len(numbers) != 1 or made.kind != "function":
            return None
        return function if classes.decorators(index.scope(function)) & PROPERTY_DECORATORS else None
    return None
