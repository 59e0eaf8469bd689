"""What a parameter is: its annotation, its default, what callers pass, the fixture of that name.

Law of this file: an annotation that says something is believed; callers are asked where it does not.
"""

from redis_guard.facts.model import Call, Const, Def, Dict, Expr, Name, Scope, Sub
from redis_guard.project import classes
from redis_guard.project.asking import Asker
from redis_guard.project.callbacks import called_back
from redis_guard.project.callers import CALLERS, callers_of
from redis_guard.project.containers import unpacked
from redis_guard.project.fixtures import fixture
from redis_guard.project.tables import CallSite
from redis_guard.project.values import (
    LIKELY,
    NOTHING,
    ClassObject,
    Instance,
    Plain,
    RedisObject,
    ScopeRef,
    Values,
    Wrapped,
    has_redis,
    join,
    one,
    through,
)


def values(inf: Asker, ref: ScopeRef, made: Def) -> Values:
    """What the parameter `made` of the function `ref` may be."""
    function = inf.index.scope(ref)
    parent = inf.index.modules[ref.path].scopes[function.parent]
    position = made.target
    if parent.kind == "class" and position == 0 and (bound := _receiver(inf, ref, function)):
        return bound
    declared = NOTHING
    if made.annotation is not None:
        declared = inf.annotation(ref.path, function.parent, made.annotation)
        if has_redis(declared):
            return through(declared, f"parameter {made.name} of {function.qualname}")
        if declared:
            return declared
    param = function.params[position]
    default = NOTHING if made.value is None else inf.values(ref.path, function.parent, made.value)
    if has_redis(default):
        return through(default, f"default of {made.name}")
    if param.star:
        return _collected(inf, ref, function, position)
    passed = _passed(inf, ref, function, position, made.name)
    given = NOTHING if has_redis(passed) else fixture(inf, ref, function, made.name)
    return join(declared, passed, given, default)


def _receiver(inf: Asker, ref: ScopeRef, function: Scope) -> Values:
    marks = classes.decorators(function)
    if "staticmethod" in marks:
        return NOTHING
    own = ScopeRef(ref.path, function.parent)
    if "classmethod" in marks or function.name in ("__new__", "__init_subclass__", "__class_getitem__"):
        return one(ClassObject(own))
    made = classes.instance(inf, own)
    found = [one(made, how=f"self of {made.type}" if isinstance(made, RedisObject) else "")]
    if isinstance(made, Instance):
        for child in classes.subclasses(inf, own):
            below = classes.redis_base(inf, child)
            if below is not None:
                found.append(
                    one(below, LIKELY, f"self of {below.type}, which extends {inf.index.scope(own).name}")
                )
    return join(*found)


def argument(call: Call, position: int, name: str) -> Expr | None:
    """The argument that lands on the parameter, None where it is not given or hidden behind a star."""
    for number, arg in enumerate(call.args):
        if arg.keyword == name:
            return arg.value
        if arg.star or arg.keyword is not None:
            continue
        if number == position and not any(before.star for before in call.args[:number]):
            return arg.value
    return None


def _passed(inf: Asker, ref: ScopeRef, function: Scope, position: int, name: str) -> Values:
    found: list[Values] = []
    budget = CALLERS
    for site, shift in callers_of(inf, ref, function):
        given = argument(site.call, position - shift, name)
        got = _spread(inf, site, name) if given is None else inf.values(site.path, site.scope, given)
        if got:
            step = f"parameter {name} of {function.qualname}, passed at {site.path}:{site.call.span[0]}"
            found.append(through(got, step))
        budget -= 1
        if budget <= 0:
            break
    found.extend(called_back(inf, ref, function, position))
    return join(*found)


def _spread(inf: Asker, site: CallSite, name: str) -> Values:
    """What `f(**options)` passes for `name`: in the display of `options` or stored later."""
    found: list[Values] = []
    for arg in site.call.args:
        if arg.star != 2 or not isinstance(arg.value, (Name, Dict)):
            continue
        for path, scope, expr in _displays(inf, site, arg.value):
            for key, value in expr.items:
                if isinstance(key, Const) and key.value == name:
                    found.append(inf.values(path, scope, value))
        for store in inf.index.item_stores.get(arg.value.id, ()) if isinstance(arg.value, Name) else ():
            index = store.store.target.index if isinstance(store.store.target, Sub) else None
            if (
                (store.path, store.scope) == (site.path, site.scope)
                and isinstance(index, Const)
                and index.value == name
            ):
                found.append(
                    unpacked(inf.values(store.path, store.scope, store.store.value), store.store.unpack)
                )
    return join(*found)


def _displays(inf: Asker, site: CallSite, expr: Name | Dict) -> list[tuple[str, int, Dict]]:
    if isinstance(expr, Dict):
        return [(site.path, site.scope, expr)]
    defs = inf.index.modules[site.path].scopes[site.scope].defs
    made = (defs[number] for number in expr.defs)
    return [(site.path, one_def.scope, one_def.value) for one_def in made if isinstance(one_def.value, Dict)]


def _collected(inf: Asker, ref: ScopeRef, function: Scope, position: int) -> Values:
    """`**kwargs` and `*args`: whatever the callers pass beyond the other parameters."""
    star = function.params[position].star
    known = {param.name for param in function.params}
    found: list[Values] = []
    for site, shift in callers_of(inf, ref, function)[:CALLERS]:
        for number, arg in enumerate(site.call.args):
            named = star == 2 and arg.keyword is not None and arg.keyword not in known
            placed = star == 1 and arg.keyword is None and not arg.star and number + shift >= position
            if named or placed:
                found.append(inf.values(site.path, site.scope, arg.value))
    return one(Wrapped("mapping" if star == 2 else "iterator", join(*found)))


__all__ = ["Plain", "argument", "values"]
