"""Methods that the project's own client classes replace, and whether their arguments still mean the same.

Law of this file: a method with other parameters for the lifetime has a lifetime of its own making.
"""

from redis_guard.commands import Method
from redis_guard.project import classes
from redis_guard.project.inference import Inference
from redis_guard.project.values import RedisObject, ScopeRef


def has_other_lifetime(inf: Inference, thing: RedisObject, method: Method | None) -> bool:
    """The class of `thing` has a method of that name which takes no lifetime by the library's name."""
    if thing.cls is None or method is None or not method.expiry:
        return False
    for item in classes.bases(inf, thing.cls):
        if not isinstance(item, ScopeRef):
            continue
        scope = inf.index.scope(item)
        for number in inf.index.definitions(item.path, item.scope).get(method.name, ()):
            if scope.defs[number].kind == "function":
                params = inf.index.scope(ScopeRef(item.path, scope.defs[number].target)).params
                names = {param.name for param in params}
                return not any(param.star for param in params) and not any(
                    expiry.parameter in names for expiry in method.expiry
                )
    return False
