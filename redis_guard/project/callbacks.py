"""What a function gets that is handed to something else: `submit(f, a)`, `Thread(target=f, args=(a,))`.

Law of this file: the arguments beside the function are taken for its own, and never surely.
"""

from collections.abc import Iterator

from redis_guard.facts.model import Arg, Attr, Call, Expr, Name, Scope, Seq
from redis_guard.project import classes
from redis_guard.project.asking import Asker
from redis_guard.project.callers import CALLERS
from redis_guard.project.tables import CallSite
from redis_guard.project.values import (
    LIKELY,
    NOTHING,
    Function,
    Partial,
    RedisObject,
    ScopeRef,
    Value,
    Values,
    through,
)
from redis_guard.project.walk import last_name


def called_back(inf: Asker, ref: ScopeRef, function: Scope, position: int) -> list[Values]:
    """What a function gets that is handed on: `submit(f, a)`, `Thread(target=f, args=(a,))`."""
    found: list[Values] = []
    for site, given in handings(inf, ref, function, position):
        if position == 0 and (pipe := _transaction(inf, site)):
            found.append(pipe)
        elif given is not None:
            step = f"passed with {function.qualname} at {site.path}:{site.call.span[0]}"
            found.append(through(inf.values(site.path, site.scope, given), step, LIKELY))
    return found


def handings(
    inf: Asker, ref: ScopeRef, function: Scope, position: int
) -> Iterator[tuple[CallSite, Expr | None]]:
    """Where a function is handed on, with what is handed on for a parameter of it."""
    if function.kind == "lambda":
        return
    bound = 1 if _is_method(inf, ref, function) else 0
    for site in inf.index.passed.get(function.name, ())[:CALLERS]:
        place = _handed(inf, site, ref)
        if place is not None:
            yield site, _following(site.call, place, position - bound)


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
