"""What a call gives: constructors, factories, functions of the project, methods of Redis objects.

Law of this file: a call is answered by what is called; arguments matter only where they are handed through.
"""

from redis_guard.facts.model import Attr, Call, Name
from redis_guard.project import classes, guessing, redis_objects
from redis_guard.project.asking import Asker
from redis_guard.project.foreign import ONLY_OURS, fallback, of_library
from redis_guard.project.library import (
    CLASSES,
    CONTEXT_DECORATORS,
    OTHER_LIBRARIES,
    TRANSPARENT_DECORATORS,
)
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
    has_redis,
    join,
    one,
    through,
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
            return _construct(inf, value, ref)
        case Function(ref=ref):
            return _function(inf, value, ref, call, path, scope)
        case Method(owner=owner, name=name):
            return redis_objects.given(owner, name, call, value)
        case WrappedMethod(owner=owner, name=name):
            return join(of_container(owner, name), fallback(inf, name, call, path, scope))
        case Partial(function=functions):
            return join(*(inf.called(inner, None, path, scope) for inner in functions))
        case Instance():
            return join(*(inf.called(inner, call, path, scope) for inner in inf.attribute(value, "__call__")))
        case Wrapped(how="cell", values=inner):
            return inner
    return NOTHING


def _construct(inf: Asker, value: Value, ref: ScopeRef) -> Values:
    made = classes.instance(inf, ref)
    if isinstance(made, RedisObject):
        return one(made, value.grade, f"{classes.label(inf, ref)}()")
    return one(made, value.grade, value.how)


def _function(inf: Asker, value: Value, ref: ScopeRef, call: Call | None, path: str, scope: int) -> Values:
    function = inf.index.scope(ref)
    found = inf.returned(ref)
    if not found and call is not None:
        # a function that hands on what it is given, as `def _or(conn): return conn or default`
        found = _handed_through(inf, ref, call, path, scope)
    owner = value.object.owner if isinstance(value.object, Function) else None
    if owner is not None and isinstance(owner, (Instance, ClassObject)):
        found = tuple(_as_owner(inf, v, ref, owner) for v in found)
    marks = classes.decorators(function)
    grade = 2 if marks <= TRANSPARENT_DECORATORS | CONTEXT_DECORATORS else LIKELY
    how = f"{function.qualname}()"
    return tuple(
        Value(v.object, min(v.grade, value.grade, grade), f"{how} from {v.how}" if v.how else how)
        for v in found
    )


def _as_owner(inf: Asker, value: Value, ref: ScopeRef, owner: Instance | ClassObject) -> Value:
    """A factory of a base class called on a subclass builds the subclass."""
    base = classes.class_of(inf, ref.path, ref.scope)
    if (
        isinstance(value.object, Instance)
        and base == value.object.ref
        and base in classes.bases(inf, owner.ref)
    ):
        made = classes.instance(inf, owner.ref)
        return Value(made, value.grade, value.how)
    return value


def _handed_through(inf: Asker, ref: ScopeRef, call: Call, path: str, scope: int) -> Values:
    function = inf.index.scope(ref)
    names = {param.name: number for number, param in enumerate(function.params)}
    found: list[Values] = []
    for root in function.roots:
        if root.use == "return" and isinstance(root.expr, Name) and root.expr.id in names:
            number = names[root.expr.id]
            for position, arg in enumerate(call.args):
                if arg.keyword == root.expr.id or (
                    arg.keyword is None and not arg.star and position == number
                ):
                    found.append(inf.values(path, scope, arg.value))
    return join(*found)


def returned(inf: Asker, ref: ScopeRef) -> Values:
    """What calling a function of the project gives, wrapped as its kind says."""
    function = inf.index.scope(ref)
    parent = function.parent
    marks = classes.decorators(function)
    declared = inf.annotation(ref.path, parent, function.returns) if function.returns is not None else NOTHING
    if declared and function.generator:
        # `-> Iterator[Redis]` on a generator names what it yields
        if not (marks & CONTEXT_DECORATORS):
            return declared
        return one(
            Wrapped(
                "context", inf.elements(ref.path, parent, None, declared) or declared, function.asynchronous
            )
        )
    if function.generator:
        given = _yielded(inf, ref)
        kind = "context" if marks & CONTEXT_DECORATORS else "iterator"
        return one(Wrapped("context" if kind == "context" else "iterator", given, function.asynchronous))
    if not has_redis(declared):
        roots = [root for root in function.roots if root.use == "return"]
        given = join(*(inf.values(ref.path, ref.scope, root.expr) for root in roots))
        declared = join(declared, given) if not declared or has_redis(given) else declared
    else:
        declared = through(declared, f"return of {function.qualname}")
    return one(Wrapped("awaitable", declared)) if function.asynchronous and declared else declared


def _yielded(inf: Asker, ref: ScopeRef) -> Values:
    found: list[Values] = []
    for produced in inf.yields(ref):
        if produced.value is None:
            continue
        given = inf.values(ref.path, ref.scope, produced.value)
        found.append(inf.elements(ref.path, ref.scope, None, given) if produced.delegates else given)
    return join(*found)
