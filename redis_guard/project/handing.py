"""What a loaded module hands to files that are not loaded: the other half of the closure of the byte sieve.

Law of this file: only what is imported by name from a file of the project, and only where a Redis object goes there.
"""

from redis_guard.facts.model import Call
from redis_guard.project.exports import Exports, is_redis
from redis_guard.project.inference import Inference
from redis_guard.project.outside import Outside
from redis_guard.project.values import ScopeRef


def handed_down(inf: Inference, exports: Exports, path: str, loaded: frozenset[str]) -> set[str]:
    """Files not loaded that this module hands a Redis object to, or whose classes it extends with one."""
    wanted: set[str] = set()
    module = inf.index.modules[path]
    outside = Outside(inf.index, loaded)
    imported = {made.name for scope in module.scopes for made in scope.defs if made.kind == "import"}
    for name, calls in inf.index.tables[path].through.items():
        for number, call in calls if name in imported else ():
            target = outside.source(path, number, call.func).file
            if target is not None and target not in wanted and _passes_redis(inf, path, number, call):
                wanted.add(target)
    for number, scope in enumerate(module.scopes):
        ref = ScopeRef(path, number)
        for base in scope.bases:
            target = outside.source(path, scope.parent, base.value).file
            if target is not None and exports.carries(ref):
                wanted.add(target)
    return wanted


def _passes_redis(inf: Inference, path: str, scope: int, call: Call) -> bool:
    return any(is_redis(value) for arg in call.args for value in inf.values(path, scope, arg.value))
