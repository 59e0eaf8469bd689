"""What a loaded module gives to files that are not loaded yet: the closure that makes the byte sieve sound.

Law of this file: names only. It says which words make an importer worth reading, upwards (who uses what this
module exports) and downwards (what it hands a client to).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from redis_guard.facts.model import Attr, Call, Name, Scope
from redis_guard.project import classes
from redis_guard.project.inference import Inference
from redis_guard.project.library import FIXTURE_DECORATORS
from redis_guard.project.values import (
    ClassObject,
    Function,
    Instance,
    Library,
    Method,
    Partial,
    RedisObject,
    Row,
    ScopeRef,
    Value,
    Values,
    Wrapped,
)

_DEPTH = 3
_HOPS = 6
_ROOTS = frozenset({"redis", "valkey", "aioredis", "fakeredis"})
"""Packages that modules hand on under names of their own: `from app import redis`."""


@dataclass(frozen=True, slots=True)
class Export:
    """An importer of `path` that says `name`, and one of `then` where there are any, is worth reading."""

    path: str
    name: str
    then: frozenset[str]
    fixture: bool = False
    """A pytest fixture reaches tests that import nothing."""


def exports(inf: Inference, path: str, imported: bool) -> Iterator[Export]:
    """The names of one module through which a Redis object can be reached; fixtures only where nobody imports it."""
    module = inf.index.modules[path]
    names = {made.name for made in module.scopes[0].defs if made.kind != "deleted"}
    if not imported:
        fixtures = {scope.name for scope in module.scopes if scope.parent == 0 and _is_fixture(scope)}
        names &= fixtures
    for name in sorted(names):
        values = inf.member(path, name)
        fixture = any(
            isinstance(v.object, Function) and _is_fixture(inf.index.scope(v.object.ref)) for v in values
        )
        direct, attributes = _reach(inf, values, 0)
        if direct:
            yield Export(path, name, frozenset(), fixture)
        elif attributes:
            yield Export(path, name, frozenset(attributes), fixture)


def _is_fixture(scope: Scope) -> bool:
    return bool(classes.decorators(scope) & FIXTURE_DECORATORS)


def _reach(inf: Inference, values: Values, depth: int) -> tuple[bool, set[str]]:
    """Whether the values are Redis objects (or give them when called), and the attributes that lead to some."""
    attributes: set[str] = set()
    for value in values:
        match value.object:
            case RedisObject() | Method():
                return True, set()
            case Wrapped(values=inner):
                direct, more = _reach(inf, inner, depth)
                if direct:
                    return True, set()
                attributes |= more
            case Row(items=items):
                for item in items:
                    direct, more = _reach(inf, item, depth)
                    if direct:
                        return True, set()
                    attributes |= more
            case Function(ref=ref) if depth < _DEPTH:
                direct, more = _reach(inf, inf.returned(ref), depth + 1)
                if direct:
                    return True, set()
                attributes |= more
            case Partial() if depth < _DEPTH:
                direct, more = _reach(inf, inf.called(value, None, "", 0), depth + 1)
                if direct:
                    return True, set()
                attributes |= more
            case Library(name=name) if name.split(".")[0] in _ROOTS:
                return True, set()
            case ClassObject(ref=ref) | Instance(ref=ref):
                if classes.redis_base(inf, ref) is not None:
                    return True, set()
                attributes |= carried(inf, ref)
    return False, attributes


def carried(inf: Inference, ref: ScopeRef) -> frozenset[str]:
    """The attributes and methods of a class that give a Redis object, its own and those of what it holds."""
    known = inf.carried.get(ref)
    if known is None:
        inf.carried[ref] = frozenset()  # a class that holds its own kind
        known = inf.carried[ref] = frozenset(_carried(inf, ref))
    return known


def _carried(inf: Inference, ref: ScopeRef) -> set[str]:
    names: set[str] = set()
    for item in classes.bases(inf, ref):
        if isinstance(item, str):
            continue
        names.update(inf.index.definitions(item.path, item.scope))
        for child in inf.index.tables[item.path].children.get(item.scope, ()):
            names.update(
                store.target.name
                for store in inf.index.modules[item.path].scopes[child].stores
                if isinstance(store.target, Attr) and isinstance(store.target.value, Name)
            )
    found: set[str] = set()
    for name in names:
        if name.startswith("__"):
            continue
        for value in inf.attribute(Value(Instance(ref)), name):
            held = value.object
            if isinstance(held, Function):
                given = inf.returned(held.ref)
                if any(_is_redis(v) for v in given):
                    found.add(name)
            elif _is_redis(value):
                found.add(name)
            elif isinstance(held, Instance | ClassObject):
                found |= carried(inf, held.ref)
    return found


def _is_redis(value: Value) -> bool:
    match value.object:
        case RedisObject() | Method():
            return True
        case Wrapped(values=inner):
            return any(_is_redis(v) for v in inner)
    return False


def handed_down(inf: Inference, path: str, loaded: frozenset[str]) -> set[str]:
    """Files not loaded that this module hands a Redis object to, or whose classes it extends with one."""
    wanted: set[str] = set()
    module = inf.index.modules[path]
    # what a class that works with Redis inherits says what its attributes are
    uses_library = any(
        made.kind == "import" and made.module.split(".")[0] in _ROOTS for made in module.scopes[0].defs
    )
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
                if target is not None and (uses_library or carried(inf, ScopeRef(path, number))):
                    wanted.add(target)
    return wanted


def _passes_redis(inf: Inference, path: str, scope: int, call: Call) -> bool:
    return any(_is_redis(value) for arg in call.args for value in inf.values(path, scope, arg.value))


def _elsewhere(inf: Inference, path: str, scope: int, func: object, loaded: frozenset[str]) -> str | None:
    """The project file, not loaded, in which the called or extended name is to be looked up next."""
    trail: list[str] = []
    while isinstance(func, Attr):
        trail.append(func.name)
        func = func.value
    if not isinstance(func, Name):
        return None
    number = scope
    while number >= 0:
        if func.id in inf.index.definitions(path, number):
            return _next_file(inf, path, number, func.id, trail, loaded)
        number = inf.index.modules[path].scopes[number].parent
    return None


def _next_file(
    inf: Inference, path: str, scope: int, name: str, trail: list[str], loaded: frozenset[str], depth: int = 0
) -> str | None:
    """Follow imports from file to file, through re-exports, to the first that is not loaded."""
    if depth > _HOPS:
        return None
    for index in inf.index.definitions(path, scope).get(name, ()):
        made = inf.index.modules[path].scopes[scope].defs[index]
        if made.kind != "import":
            continue
        package = inf.index.names.find(path, made.module)
        if package is None:
            if (
                trail
                and (below := inf.index.names.find(path, f"{made.module}.{trail[-1]}"))
                and below not in loaded
            ):
                return below
            continue
        module = inf.index.names.submodule(package, made.symbol) if made.symbol else package
        if module is not None and module not in inf.index.modules:
            return module if module not in loaded else None
        if package not in inf.index.modules:
            return package if package not in loaded else None
        # what is looked up next: the symbol in the package, or an attribute of the module
        where, wanted, rest = (module, trail[-1:], trail[:-1]) if module else (package, [made.symbol], trail)
        if wanted and wanted[0] is not None:
            found = _next_file(inf, where, 0, wanted[0], rest, loaded, depth + 1)
            if found is not None:
                return found
    return None
