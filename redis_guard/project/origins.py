"""Where a value was written: from a name or attribute back to the expressions that give it.

Law of this file: only bindings are followed, never calls; a value that can come from elsewhere says so.
"""

from dataclasses import dataclass
from typing import NamedTuple

from redis_guard.facts.model import Attr, Def, Expr, Name, Walrus
from redis_guard.project import classes
from redis_guard.project.inference import Inference
from redis_guard.project.values import ClassObject, Instance, ModuleObject, RedisObject, ScopeRef

_DEPTH = 6


class Origin(NamedTuple):
    """An expression and the scope it is evaluated in; `parameter` where the trail ends at one."""

    path: str
    scope: int
    expr: Expr | None
    parameter: Def | None = None


@dataclass(frozen=True, slots=True)
class Trail:
    """All origins found, and whether there may be others."""

    origins: tuple[Origin, ...]
    complete: bool


def trail(inf: Inference, path: str, scope: int, expr: Expr, depth: int = 0) -> Trail:
    """The expressions that a name or attribute may stand for; any other expression stands for itself."""
    if depth >= _DEPTH:
        return Trail((Origin(path, scope, expr),), False)
    match expr:
        case Walrus(value=value):
            return trail(inf, path, scope, value, depth + 1)
        case Name(id=name, defs=defs):
            if defs:
                return _definitions(inf, path, scope, defs, depth)
            return _free(inf, path, scope, name, depth)
        case Attr(value=value, name=name):
            return _attribute(inf, path, scope, value, name, depth)
    return Trail((Origin(path, scope, expr),), True)


def _definitions(inf: Inference, path: str, scope: int, numbers: tuple[int, ...], depth: int) -> Trail:
    found: list[Origin] = []
    complete = True
    for number in numbers:
        made = inf.index.modules[path].scopes[scope].defs[number]
        one = _definition(inf, path, scope, made, depth)
        found.extend(one.origins)
        complete = complete and one.complete
    return Trail(tuple(dict.fromkeys(found)) if len(found) < 2 else _unique(found), complete)


def _unique(found: list[Origin]) -> tuple[Origin, ...]:
    seen: set[tuple[str, int, int, int]] = set()
    kept = []
    for origin in found:
        key = (origin.path, origin.scope, id(origin.expr), id(origin.parameter))
        if key not in seen:
            seen.add(key)
            kept.append(origin)
    return tuple(kept)


def _definition(inf: Inference, path: str, scope: int, made: Def, depth: int) -> Trail:
    match made.kind:
        case "assign" if made.value is not None and not made.unpack:
            return trail(inf, path, made.scope, made.value, depth + 1)
        case "parameter":
            return Trail((Origin(path, scope, None, made),), False)
        case "merged":
            return _definitions(inf, path, scope, made.sources, depth + 1)
        case "import":
            return _imported(inf, path, made, depth)
    return Trail((), False)


def _free(inf: Inference, path: str, scope: int, name: str, depth: int) -> Trail:
    scopes = inf.index.modules[path].scopes
    number = scope
    while number >= 0:
        if number == scope or scopes[number].kind != "class":
            members = inf.index.definitions(path, number)
            if name in members:
                return _definitions(inf, path, number, tuple(members[name]), depth + 1)
        number = scopes[number].parent
    return Trail((), False)


def _imported(inf: Inference, path: str, made: Def, depth: int) -> Trail:
    found = inf.index.names.find(path, made.module)
    if found is None or made.symbol is None or not inf.index.ensure(found):
        return Trail((), False)
    return _member(inf, found, 0, made.symbol, depth)


def _member(inf: Inference, path: str, scope: int, name: str, depth: int) -> Trail:
    numbers = inf.index.definitions(path, scope).get(name)
    if not numbers or depth >= _DEPTH:
        return Trail((), False)
    return _definitions(inf, path, scope, tuple(numbers), depth + 1)


def _attribute(inf: Inference, path: str, scope: int, value: Expr, name: str, depth: int) -> Trail:
    found: list[Origin] = []
    complete = True
    for holder in inf.values(path, scope, value):
        match holder.object:
            case ModuleObject(path=module) if inf.index.ensure(module):
                one = _member(inf, module, 0, name, depth)
            case ClassObject(ref=ref) | Instance(ref=ref):
                one = _of_class(inf, ref, name, depth)
            case RedisObject(cls=ScopeRef() as ref):
                one = _of_class(inf, ref, name, depth)
            case _:
                return Trail((), False)
        found.extend(one.origins)
        complete = complete and one.complete
    return Trail(_unique(found), complete and bool(found))


def _of_class(inf: Inference, ref: ScopeRef, name: str, depth: int) -> Trail:
    found: list[Origin] = []
    complete = True
    line = [item for item in classes.bases(inf, ref) if isinstance(item, ScopeRef)]
    for item in line:
        if name in inf.index.definitions(item.path, item.scope):
            one = _member(inf, item.path, item.scope, name, depth)
            found.extend(one.origins)
            complete = complete and one.complete
            break
    sites = [site for item in line for site in inf.index.own_stores.get((item.path, item.scope, name), ())]
    for site in sites:
        if site.store.unpack or site.store.augmented:
            complete = False
            continue
        one = trail(inf, site.path, site.scope, site.store.value, depth + 1)
        found.extend(one.origins)
        complete = complete and one.complete
    return Trail(_unique(found), complete and bool(found))
