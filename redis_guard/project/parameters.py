"""What a parameter is: its annotation, its default, what callers pass, the fixture of that name.

Law of this file: an annotation that says something is believed; callers are asked where it does not.
"""

from redis_guard.facts.model import Arg, Attr, Call, Const, Def, Dict, Expr, Name, Scope, Seq, Sub
from redis_guard.project import classes
from redis_guard.project.asking import Asker
from redis_guard.project.containers import unpacked
from redis_guard.project.tables import CallSite
from redis_guard.project.library import FIXTURE_DECORATORS
from redis_guard.project.values import (
    LIKELY,
    NOTHING,
    ClassObject,
    Function,
    Instance,
    Method,
    Partial,
    Plain,
    RedisObject,
    ScopeRef,
    Super,
    Value,
    Values,
    Wrapped,
    has_redis,
    join,
    one,
    through,
)
from redis_guard.project.walk import last_name

_CALLERS = 60
"""More callers than this are not all asked."""


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
        if declared and not _vague(declared):
            return declared
    param = function.params[position]
    default = NOTHING if made.value is None else inf.values(ref.path, function.parent, made.value)
    if has_redis(default):
        return through(default, f"default of {made.name}")
    if param.star:
        return _collected(inf, ref, function, position)
    passed = _passed(inf, ref, function, position, made.name)
    fixture = NOTHING if has_redis(passed) else _fixture(inf, ref, function, made.name)
    return join(declared, passed, fixture, default)


def _vague(declared: Values) -> bool:
    return False


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
    budget = _CALLERS
    for site, shift in _callers(inf, ref, function):
        given = argument(site.call, position - shift, name)
        got = _spread(inf, site, name) if given is None else inf.values(site.path, site.scope, given)
        if got:
            step = f"parameter {name} of {function.qualname}, passed at {site.path}:{site.call.span[0]}"
            found.append(through(got, step))
        budget -= 1
        if budget <= 0:
            break
    found.extend(_called_back(inf, ref, function, position))
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


def _callers(inf: Asker, ref: ScopeRef, function: Scope) -> list[tuple[CallSite, int]]:
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
        if len(reached) > _CALLERS * 2:
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
    if rivals <= _CALLERS and not name.startswith("__") and len(inf.index.functions.get(name, ())) == 1:
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


def _called_back(inf: Asker, ref: ScopeRef, function: Scope, position: int) -> list[Values]:
    """What a function gets that is handed on: `submit(f, a)`, `Thread(target=f, args=(a,))`."""
    found: list[Values] = []
    if function.kind == "lambda":
        return found
    for site in inf.index.passed.get(function.name, ())[:_CALLERS]:
        place = _handed(inf, site, ref)
        if place is None:
            continue
        if (pipe := _transaction(inf, site)) and position == 0:
            found.append(pipe)
            continue
        bound = 1 if _is_method(inf, ref, function) else 0
        given = _following(site.call, place, position - bound)
        if given is not None:
            step = f"passed with {function.qualname} at {site.path}:{site.call.span[0]}"
            found.append(through(inf.values(site.path, site.scope, given), step, LIKELY))
    return found


def _is_method(inf: Asker, ref: ScopeRef, function: Scope) -> bool:
    parent = inf.index.modules[ref.path].scopes[function.parent]
    return parent.kind == "class" and "staticmethod" not in classes.decorators(function)


def _handed(inf: Asker, site: CallSite, ref: ScopeRef) -> int | None:
    for number, arg in enumerate(site.call.args):
        if isinstance(arg.value, (Name, Attr)):
            for value in inf.values(site.path, site.scope, arg.value):
                if isinstance(value.object, Function) and value.object.ref == ref:
                    return number
                if isinstance(value.object, Partial) and any(
                    isinstance(v.object, Function) and v.object.ref == ref for v in value.object.function
                ):
                    return number
    return None


def _transaction(inf: Asker, site: CallSite) -> Values:
    """`client.transaction(body, *watches)` calls body with a pipeline."""
    if last_name(site.call.func) != "transaction" or not isinstance(site.call.func, Attr):
        return NOTHING
    found: list[Value] = []
    for value in inf.values(site.path, site.scope, site.call.func.value):
        if isinstance(value.object, RedisObject) and value.object.kind == "client":
            redis = value.object
            module = "asyncio.client" if redis.asynchronous else "client"
            pipe = RedisObject(
                "pipeline", redis.asynchronous, f"redis.{module}.Pipeline", redis.cluster, True
            )
            found.append(Value(pipe, value.grade, "pipeline of transaction()"))
    return tuple(found)


def _following(call: Call, place: int, position: int) -> Expr | None:
    for arg in call.args:
        if arg.keyword == "args" and isinstance(arg.value, Seq):
            return arg.value.items[position] if 0 <= position < len(arg.value.items) else None
    if call.args[place].keyword is not None or position < 0:
        return None
    after: list[Arg] = [arg for arg in call.args[place + 1 :] if arg.keyword is None and not arg.star]
    return after[position].value if position < len(after) else None


def _collected(inf: Asker, ref: ScopeRef, function: Scope, position: int) -> Values:
    """`**kwargs` and `*args`: whatever the callers pass beyond the other parameters."""
    star = function.params[position].star
    known = {param.name for param in function.params}
    found: list[Values] = []
    for site, shift in _callers(inf, ref, function)[:_CALLERS]:
        for number, arg in enumerate(site.call.args):
            named = star == 2 and arg.keyword is not None and arg.keyword not in known
            placed = star == 1 and arg.keyword is None and not arg.star and number + shift >= position
            if named or placed:
                found.append(inf.values(site.path, site.scope, arg.value))
    return one(Wrapped("mapping" if star == 2 else "iterator", join(*found)))


def _fixture(inf: Asker, ref: ScopeRef, function: Scope, name: str) -> Values:
    """The pytest fixture that the test sees under that name: in its module, or a conftest above it."""
    marks = classes.decorators(function)
    if not (function.name.startswith("test") or marks & FIXTURE_DECORATORS or "usefixtures" in marks):
        return NOTHING
    best: tuple[int, ScopeRef] | None = None
    for other in inf.index.functions.get(name, ()):
        if other == ref or not _is_fixture(inf, other):
            continue
        folder = other.path.rpartition("/")[0]
        if other.path == ref.path:
            rank = 10_000
        elif other.path.endswith("conftest.py") and (not folder or ref.path.startswith(folder + "/")):
            rank = len(folder) + 1
        else:
            rank = 0
        if best is None or rank > best[0]:
            best = (rank, other)
    found = _renamed(inf, name) if best is None else _fixture_value(inf, best[1])
    return through(found, f"fixture {name}", LIKELY) if found else NOTHING


def _fixture_value(inf: Asker, ref: ScopeRef) -> Values:
    found: list[Values] = []
    for value in inf.returned(ref):
        wrapped = isinstance(value.object, Wrapped) and value.object.how in (
            "awaitable",
            "iterator",
            "context",
        )
        found.append(value.object.values if wrapped and isinstance(value.object, Wrapped) else (value,))
    return join(*found)


def _is_fixture(inf: Asker, ref: ScopeRef) -> bool:
    scope = inf.index.scope(ref)
    return any(last_name(mark) in FIXTURE_DECORATORS for mark in scope.decorators)


def _renamed(inf: Asker, name: str) -> Values:
    """`@pytest.fixture(name="redis")`."""
    for site in inf.index.calls.get("fixture", ()):
        for arg in site.call.args:
            if arg.keyword == "name" and getattr(arg.value, "value", None) == name:
                scopes = inf.index.modules[site.path].scopes
                for number, scope in enumerate(scopes):
                    if site.call in scope.decorators and any(mark is site.call for mark in scope.decorators):
                        return _fixture_value(inf, ScopeRef(site.path, number))
    return NOTHING


__all__ = ["Plain", "argument", "values"]
