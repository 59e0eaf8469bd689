"""What a loaded module hands to files that are not loaded: the other half of the closure of the byte sieve.

Law of this file: only what is imported by name from a file of the project, and only where a Redis object goes there.
"""

from redis_guard.facts.model import Attr, Call, Name
from redis_guard.project.exports import attributes, carried, is_redis
from redis_guard.project.inference import Inference
from redis_guard.project.values import ScopeRef


def handed_down(inf: Inference, path: str, loaded: frozenset[str]) -> set[str]:
    """Files not loaded that this module hands a Redis object to, or whose classes it extends with one."""
    wanted: set[str] = set()
    module = inf.index.modules[path]
    imported = {made.name for scope in module.scopes for made in scope.defs if made.kind == "import"}
    for name, calls in inf.index.tables[path].through.items():
        for number, call in calls if name in imported else ():
            target = _elsewhere(inf, path, number, call.func, loaded)
            if target is not None and target not in wanted and _passes_redis(inf, path, number, call):
                wanted.add(target)
    for number, scope in enumerate(module.scopes):
        if scope.kind == "class":
            for base in scope.bases:
                target = _elsewhere(inf, path, scope.parent, base.value, loaded)
                ref = ScopeRef(path, number)
                if target is not None and any(carried(inf, ref, attributes(inf, ref))):
                    wanted.add(target)
    return wanted


def _passes_redis(inf: Inference, path: str, scope: int, call: Call) -> bool:
    return any(is_redis(value) for arg in call.args for value in inf.values(path, scope, arg.value))


def _elsewhere(inf: Inference, path: str, scope: int, func: object, loaded: frozenset[str]) -> str | None:
    """The project file, not loaded, that the called or extended name is imported from."""
    trail: list[str] = []
    while isinstance(func, Attr):
        trail.append(func.name)
        func = func.value
    if not isinstance(func, Name):
        return None
    scopes = inf.index.modules[path].scopes
    number = scope
    while number >= 0:
        for index in inf.index.definitions(path, number).get(func.id, ()):
            made = scopes[number].defs[index]
            if made.kind != "import":
                return None
            found = inf.index.names.find(path, made.module)
            if found is not None and made.symbol is not None and found not in loaded:
                return found
            if found is not None and made.symbol is not None:
                below = inf.index.names.submodule(found, made.symbol)
                if below is not None and below not in loaded:
                    return below
            if found is not None and made.symbol is None and found not in loaded:
                return found
            if found is None and trail:
                below = inf.index.names.find(path, f"{made.module}.{trail[-1]}")
                if below is not None and below not in loaded:
                    return below
        number = scopes[number].parent
    return None
