"""What a call gives: constructors, factories, functions of the project, methods of Redis objects.

Law of this file: a call is answered by what is called.
"""

from dataclasses import replace

from redis_guard.facts.model import Attr, Call
from redis_guard.project import built_with, classes, functions, guessing, redis_objects
from redis_guard.project.asking import Asker
from redis_guard.project.foreign import ONLY_OURS, fallback, of_library
from redis_guard.project.library import CLASSES, OTHER_LIBRARIES
from redis_guard.project.unwrapping import entered, of_container, unwrapped
from redis_guard.project.values import (
    LIKELY,
    NOTHING,
    ClassObject,
    Function,
    Instance,
    Library,
    LibraryInstance,
    Method,
    Partial,
    RedisObject,
    ScopeRef,
    Value,
    Values,
    Wrapped,
    WrappedMethod,
    join,
    one,
)
from redis_guard.project.walk import dotted

_ENTERING = frozenset({"enter_context", "enter_async_context"})


def result(inf: Asker, path: str, scope: int, call: Call) -> Values:
    """What the call gives, by everything that its function may be."""
    functions = inf.values(path, scope, call.func)
    found = join(*(inf.called(value, call, path, scope) for value in functions))
    if functions:
        vague = all(isinstance(v.object, LibraryInstance) for v in found)
        return join(found, guessing.called(inf, path, call, functions)) if vague else found
    if (
        isinstance(call.func, Attr)
        and call.func.name in (*_ENTERING, "run_until_complete", "wait_for")
        and call.args
    ):
        given = inf.values(path, scope, call.args[0].value)
        return entered(inf, given) if call.func.name in _ENTERING else unwrapped(given)
    if isinstance(call.func, Attr) and call.func.name in ONLY_OURS:
        return _by_class_name(inf, path, call.func)
    return guessing.called(inf, path, call, functions)


def _by_class_name(inf: Asker, path: str, func: Attr) -> Values:
    """`module.Sentinel(…)` of a module that nobody knows, where no rival library is imported."""
    if inf.index.imports(path) & OTHER_LIBRARIES:
        return NOTHING
    written = dotted(func.value) or ""
    root = "redis.asyncio" if written.endswith("asyncio") else "redis"
    return one(CLASSES[f"{root}.{func.name}"], LIKELY, f"{written or '…'}.{func.name}()")


def of_object(inf: Asker, value: Value, call: Call | None, path: str, scope: int) -> Values:
    """What calling one object gives; without `call` its arguments are not known."""
    match value.object:
        case Library(name=name) | LibraryInstance(name=name):
            return of_library(inf, value, name, call, path, scope)
        case ClassObject(ref=ref):
            return _construct(inf, value, ref, call, path, scope)
        case Function(ref=ref):
            return functions.called(inf, value, ref, call, lambda expr: inf.values(path, scope, expr))
        case Method(owner=owner, name=name):
            return redis_objects.given(owner, name, call, value)
        case WrappedMethod(owner=owner, name=name):
            return join(of_container(owner, name), fallback(inf, name, call, path, scope))
        case Partial(function=held):
            return join(*(inf.called(inner, None, path, scope) for inner in held))
        case Instance():
            return join(*(inf.called(inner, call, path, scope) for inner in inf.attribute(value, "__call__")))
        case Wrapped(how="cell", values=inner):
            return inner
        case RedisObject(kind="client"):
            # nobody calls a client: this is a class or a function that is configured as one
            return (value,)
    return NOTHING


def _construct(inf: Asker, value: Value, ref: ScopeRef, call: Call | None, path: str, scope: int) -> Values:
    made = classes.instance(inf, ref)
    if isinstance(made, RedisObject):
        if not classes.constructs_itself(inf, ref):
            library = classes.library_base(inf, ref) or made
            made = replace(made, options=built_with.built(inf, library, call, path, scope))
        return one(made, value.grade, f"{classes.label(inf, ref)}()")
    return one(made, value.grade, value.how)
