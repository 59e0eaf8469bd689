"""Calls of the runtime that name a use case, wherever the coordination object came from.

Law of this file: a call is told once, at the expression that gives the name.
"""

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from redis_guard.facts.model import Arg, Attr, Call, Const, Expr, Name
from redis_guard.project import classes, runtime
from redis_guard.project.inference import Inference
from redis_guard.project.origins import Origins
from redis_guard.project.sites import hands_on
from redis_guard.project.values import Method, Partial, RedisObject, Value, Values
from redis_guard.project.walk import last_name

_PASSING = {
    "partial": 0, "partialmethod": 0, "submit": 0, "to_thread": 0, "run_in_threadpool": 0, "run_sync": 0,
    "run_in_executor": 1, "call_soon": 0, "call_soon_threadsafe": 0,
}  # fmt: skip
"""Functions that call another with the arguments that stand behind it, and where it stands among theirs."""


class RuntimeUse(NamedTuple):
    """A call that names a use case; `root` indexes `Scope.roots`."""

    path: str
    scope: int
    root: int
    call: Call
    receiver: Expr
    primitive: str | None
    """The method; None where it is decided at run time: `getattr(coordination, kind)(…)`."""
    value: Value
    """The coordination object."""
    given: tuple[Arg, ...]
    """The arguments of the method."""


_Asked: TypeAlias = tuple[Expr, str | None, Value, tuple[Arg, ...]]
"""Receiver, primitive, coordination object and the arguments of the method."""


def uses_runtime(inf: Inference) -> bool:
    """Whether any loaded module could have a coordination object."""
    return bool(inf.coordination) or any(imports_runtime(inf, path) for path in inf.index.modules)


def imports_runtime(inf: Inference, path: str) -> bool:
    stars = inf.index.modules[path].star_imports
    return runtime.PACKAGE in inf.index.imports(path) or any(
        star.split(".")[0] == runtime.PACKAGE for star in stars
    )


def runtime_uses(inf: Inference, origins: Origins, path: str) -> Iterator[RuntimeUse]:
    """The calls in one module, by scope."""
    for number, points in enumerate(inf.index.tables[path].points):
        for root, expr in points:
            if isinstance(expr, Call) and (asked := _asked(inf, origins, path, number, expr)) is not None:
                yield RuntimeUse(path, number, root, expr, *asked)


def _asked(inf: Inference, origins: Origins, path: str, scope: int, call: Call) -> _Asked | None:
    func = call.func
    if isinstance(func, Attr) and func.name in runtime.PRIMITIVES:
        for value in inf.values(path, scope, func.value):
            if runtime.takes_use_case(value.object, func.name):
                own = _is_its_own(inf, value, func.name)
                return (func.value, func.name, value, call.args) if own else None
    if (place := _PASSING.get(last_name(func) or "", len(call.args))) + 1 < len(call.args):
        handed, behind = call.args[place], call.args[place + 1 :]
        method = None if handed.keyword else _method(inf.values(path, scope, handed.value))
        if method is not None:
            named = any(arg.keyword in (None, runtime.NAME) for arg in behind)
            return (handed.value, *method, behind) if named else None
    held = inf.values(path, scope, func)
    if (method := _method(held)) is not None:
        # who calls a method that hands on what it is given names the use case
        within = isinstance(func, Attr) and hands_on(inf, path, scope, func) and _takes_name(inf, path, scope)
        return None if within else (func, *method, call.args)
    for value in held:
        if isinstance(value.object, Partial) and (method := _method(value.object.function)) is not None:
            return (func, *method, call.args) if _is_nameless(origins, path, scope, func) else None
    owner = _asked_by_any_name(inf, path, scope, func)
    return None if owner is None else (func, None, owner, call.args)


def _method(values: Values) -> tuple[str, Value] | None:
    """The primitive, and the coordination object whose method it is."""
    for value in values:
        held = value.object
        if isinstance(held, Method) and runtime.takes_use_case(held.owner, held.name):
            return held.name, Value(held.owner, value.grade, value.how)
    return None


def _is_its_own(inf: Inference, value: Value, name: str) -> bool:
    """Whether a method still takes the use case first where the project's own class has replaced it."""
    owner = value.object
    ref = owner.cls if isinstance(owner, RedisObject) else None
    for item in classes.bases(inf, ref) if ref is not None else ():
        numbers = (
            inf.index.definitions(item.path, item.scope).get(name) if not isinstance(item, str) else None
        )
        if numbers and not isinstance(item, str):
            made = inf.index.scope(item).defs[numbers[-1]]
            if made.kind != "function":
                return False
            return _takes_name(inf, item.path, made.target)
    return True


def _takes_name(inf: Inference, path: str, scope: int) -> bool:
    """Whether the method that a scope is, or is nested in, is given the name of a use case first."""
    method = inf.index.modules[path].scopes[inf.index.homes[path][scope]]
    return all(param.star or param.name == runtime.NAME for param in method.params[1:2])


def _is_nameless(origins: Origins, path: str, scope: int, func: Expr) -> bool:
    """Whether a partial method waits for its name: all that is known of it was made without arguments by position."""
    trail = origins.trail(path, scope, func)
    made = [origin.expr for origin in trail.origins]
    return bool(made) and all(
        isinstance(expr, Call)
        and len([arg for arg in expr.args if arg.keyword is None]) == 1
        and all(arg.keyword != runtime.NAME and not arg.star for arg in expr.args)
        for expr in made
    )


def _asked_by_any_name(inf: Inference, path: str, scope: int, func: Expr) -> Value | None:
    """The coordination in `getattr(coordination, kind)`."""
    match func:
        case Call(func=Name(id="getattr"), args=(held, name, *_)) if not isinstance(name.value, Const):
            for value in inf.values(path, scope, held.value):
                if isinstance(value.object, RedisObject) and value.object.kind == runtime.COORDINATION:
                    return value
    return None
