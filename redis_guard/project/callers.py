"""Which calls may reach a function.

Law of this file: a call reaches what its callee may be; a bare name reaches only where it is the only one of its kind.
"""

from redis_guard.facts.model import Attr, Scope
from redis_guard.project import classes
from redis_guard.project.asking import Asker
from redis_guard.project.tables import CallSite
from redis_guard.project.values import (
    ClassObject,
    Function,
    Instance,
    Method,
    RedisObject,
    ScopeRef,
    Super,
)

CALLERS = 60
"""More callers than this are not all asked."""


def _names(inf: Asker, ref: ScopeRef, function: Scope) -> list[str]:
    """The names the function may be called by."""
    names = [function.name]
    names.extend(inf.index.named.get(function.name, ()))
    if function.name in ("__init__", "__new__"):
        own = ScopeRef(ref.path, function.parent)
        names.append("cls")
        for cls in (own, *classes.subclasses(inf, own)):
            label = inf.index.scope(cls).name
            names.append(label)
            names.extend(inf.index.named.get(label, ()))
    return list(dict.fromkeys(names))


def callers_of(inf: Asker, ref: ScopeRef, function: Scope) -> list[tuple[CallSite, int]]:
    """Calls that may reach the function, with how many parameters the receiver takes."""
    parent = inf.index.modules[ref.path].scopes[function.parent]
    in_class = parent.kind == "class"
    static = "staticmethod" in classes.decorators(function)
    own = ScopeRef(ref.path, function.parent) if in_class else None
    reached: list[tuple[CallSite, int]] = []
    for name in _names(inf, ref, function):
        sites = inf.index.calls.get(name, ())
        for site in sites[:400]:
            shift = _shift(inf, site, ref, own, static, len(sites))
            if shift is not None:
                reached.append((site, shift))
        if len(reached) > CALLERS * 2:
            break
    return reached


def _shift(
    inf: Asker, site: CallSite, ref: ScopeRef, own: ScopeRef | None, static: bool, rivals: int
) -> int | None:
    """0 or 1 where the call reaches the function, None where it does not."""
    callees = inf.values(site.path, site.scope, site.call.func)
    for value in callees:
        match value.object:
            case Function(ref=called, owner=owner):
                if called == ref:
                    return 1 if own is not None and owner is not None and not static else 0
                if own is not None and owner is not None and _overrides(inf, called, ref):
                    return 0 if static else 1
            case ClassObject(ref=called) if own is not None:
                if own in classes.bases(inf, called):
                    return 1
            case RedisObject() | Method() | Super() | Instance():
                continue
    if callees or own is None or not isinstance(site.call.func, Attr):
        return None
    name = site.call.func.name
    if rivals <= CALLERS and not name.startswith("__") and len(inf.index.functions.get(name, ())) == 1:
        return 0 if static else 1
    return None


def _overrides(inf: Asker, one_ref: ScopeRef, other: ScopeRef) -> bool:
    """Whether two methods of one name belong to classes of one line."""
    first, second = inf.index.scope(one_ref), inf.index.scope(other)
    if first.name != second.name or first.name == "__init__":
        return False
    ours, theirs = ScopeRef(one_ref.path, first.parent), ScopeRef(other.path, second.parent)
    if inf.index.scope(ours).kind != "class" or inf.index.scope(theirs).kind != "class":
        return False
    return ours in classes.bases(inf, theirs) or theirs in classes.bases(inf, ours)
