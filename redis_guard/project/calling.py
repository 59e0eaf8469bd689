"""What a call gives: constructors, factories, functions of the project, methods of Redis objects.

Law of this file: a call is answered by what is called; arguments matter only where they are handed through.
"""

from redis_guard.facts.model import Attr, Call, Const, Expr, Name
from redis_guard.project import classes, guessing, redis_objects
from redis_guard.project.asking import Asker
from redis_guard.project.library import (
    CACHE_ALIASES,
    CLASS_METHODS_OF_CLIENTS,
    CLASSES,
    CONTEXT_DECORATORS,
    FACTORIES,
    METHODS,
    OTHER_LIBRARIES,
    TRANSPARENT_DECORATORS,
)
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
    Plain,
    RedisObject,
    Row,
    ScopeRef,
    Super,
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

_SAME = frozenset(
    [
        "builtins.list",
        "builtins.tuple",
        "builtins.set",
        "builtins.frozenset",
        "builtins.sorted",
        "builtins.reversed",
        "builtins.iter",
        "builtins.aiter",
        "copy.copy",
        "copy.deepcopy",
        "weakref.proxy",
        "collections.deque",
        "builtins.dict",
        "collections.OrderedDict",
        "itertools.cycle",
        "itertools.chain",
        "asyncio.shield",
        "asyncio.ensure_future",
        "asyncio.create_task",
        "inspect.unwrap",
        "typing.no_type_check",
    ]
)
_ENTERED = frozenset(
    ["contextlib.closing", "contextlib.aclosing", "contextlib.nullcontext", "contextlib2.closing"]
)
_ENTERING = frozenset({"enter_context", "enter_async_context"})
_RUN = frozenset(
    ["asyncio.run", "anyio.run", "run_until_complete", "builtins.anext", "asyncio.wait_for", "async_to_sync"]
)
_LAZY = frozenset(
    [
        "werkzeug.local.LocalProxy",
        "django.utils.functional.SimpleLazyObject",
        "django.utils.functional.lazy",
        "lazy_object_proxy.Proxy",
    ]
)
_EMPTY = {
    "builtins.list": "iterator",
    "collections.deque": "iterator",
    "builtins.set": "iterator",
    "builtins.dict": "mapping",
    "collections.OrderedDict": "mapping",
    "collections.defaultdict": "mapping",
    "weakref.WeakKeyDictionary": "mapping",
    "weakref.WeakValueDictionary": "mapping",
    "cachetools.TTLCache": "mapping",
    "queue.Queue": "iterator",
    "queue.LifoQueue": "iterator",
    "asyncio.Queue": "iterator",
    "contextvars.ContextVar": "cell",
    "weakref.ref": "cell",
}
_BY_PATH = frozenset(
    [
        "django.utils.module_loading.import_string",
        "importlib.import_module",
        "builtins.__import__",
        "pydoc.locate",
        "werkzeug.utils.import_string",
        "scrapy.utils.misc.load_object",
        "celery.utils.imports.symbol_by_name",
        "kombu.utils.imports.symbol_by_name",
    ]
)
_ONLY_OURS = frozenset({"Sentinel", "StrictRedis"})
_DEPENDS = frozenset(
    ["fastapi.Depends", "fastapi.Security", "fastapi.param_functions.Depends", "faststream.Depends"]
)


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
        return entered(inf, given) if call.func.name in _ENTERING else _unwrapped(given)
    if isinstance(call.func, Attr) and call.func.name in _ONLY_OURS:
        return _by_class_name(inf, path, call.func)
    return guessing.called(inf, path, call, functions)


def _by_class_name(inf: Asker, path: str, func: Attr) -> Values:
    """`module.Sentinel(…)` of a module that nobody knows, where no rival library is imported."""
    if inf.index.imports[path] & OTHER_LIBRARIES:
        return NOTHING
    written = dotted(func.value) or ""
    root = "redis.asyncio" if written.endswith("asyncio") else "redis"
    return one(CLASSES[f"{root}.{func.name}"], LIKELY, f"{written or '…'}.{func.name}()")


def of_object(inf: Asker, value: Value, call: Call | None, path: str, scope: int) -> Values:
    """What calling one object gives; without `call` its arguments are not known."""
    match value.object:
        case Library(name=name) | LibraryInstance(name=name):
            return _library(inf, value, name, call, path, scope)
        case ClassObject(ref=ref):
            return _construct(inf, value, ref)
        case Function(ref=ref):
            return _function(inf, value, ref, call, path, scope)
        case Method(owner=owner, name=name):
            return redis_objects.given(owner, name, call, value)
        case WrappedMethod(owner=owner, name=name):
            return join(_of_container(owner, name), _fallback(inf, name, call, path, scope))
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


def _library(inf: Asker, value: Value, name: str, call: Call | None, path: str, scope: int) -> Values:
    def first() -> Values:
        return inf.values(path, scope, call.args[0].value) if call is not None and call.args else NOTHING

    if (made := CLASSES.get(name)) is not None:
        options: tuple[tuple[str, str], ...] = ()
        if (
            made.kind == "script"
            and call is not None
            and isinstance(text := redis_objects.argument(call, 1, "script"), str)
        ):
            options = (("script", text),)
        built = RedisObject(made.kind, made.asynchronous, made.type, made.cluster, None, None, options)
        return one(built, value.grade, f"{name}()")
    head, _, method = name.rpartition(".")
    if method in CLASS_METHODS_OF_CLIENTS and head in CLASSES:
        return one(CLASSES[head], value.grade, f"{name}()")
    if name in FACTORIES:
        made, awaits = FACTORIES[name]
        client = one(made, value.grade, f"{name}()")
        return one(Wrapped("awaitable", client)) if awaits else client
    for prefix in CACHE_ALIASES:
        if name.startswith(prefix + ".") and (
            found := METHODS.get((CACHE_ALIASES[prefix], name[len(prefix) + 1 :]))
        ):
            return one(found, value.grade, f"{name}()")
    if name.startswith("django.core.cache.caches."):
        return NOTHING
    if (found := METHODS.get((head, method))) is not None:
        return one(found, value.grade, f"{name}()")
    if name == "builtins.super":
        return _super(inf, call, path, scope)
    if name == "builtins.getattr" and call is not None and len(call.args) >= 2:
        return _getattr(inf, call, path, scope)
    if name in ("typing.cast", "typing_extensions.cast") and call is not None and len(call.args) == 2:
        declared = inf.annotation(path, scope, call.args[0].value)
        return declared or inf.values(path, scope, call.args[1].value)
    if name in _BY_PATH:
        named = [
            inf.named(path, v.object.text) for v in first() if isinstance(v.object, Plain) and v.object.text
        ]
        return through(join(*named), f"{name.rsplit('.', 1)[-1]}(…)", LIKELY)
    if name == "builtins.type" and call is not None and len(call.args) == 1:
        return join(*(inf.attribute(held, "__class__") for held in first()))
    if name == "functools.partial":
        return one(Partial(first()), value.grade)
    if name in _ENTERED:
        return one(Wrapped("context", entered(inf, first())))
    if name.rsplit(".", 1)[-1] in ("run", "anext", "wait_for") and name in _RUN:
        return _unwrapped(first())
    if name.endswith("async_to_sync"):
        given = first()
        return (
            one(Partial(tuple(Value(Wrapped("awaitable", (v,)), v.grade, v.how) for v in given)))
            if given
            else NOTHING
        )
    if name in _LAZY:
        return join(*(_unwrapped(inf.called(inner, None, path, scope)) for inner in first()))
    if name in ("dataclasses.field", "attr.ib", "attrs.field", "pydantic.Field") and call is not None:
        return _field(inf, call, path, scope)
    if name in _DEPENDS:
        given = join(*(inf.called(inner, None, path, scope) for inner in first()))
        return _unwrapped(given)
    if name in _SAME and call is not None and call.args:
        kind = "mapping" if name in ("builtins.dict", "collections.OrderedDict") else "iterator"
        given = first()
        return (
            given
            if not name.startswith(("builtins", "collections", "itertools"))
            else one(
                Wrapped(
                    "mapping" if kind == "mapping" else "iterator", inf.elements(path, scope, None, given)
                )
            )
        )
    if name == "builtins.next":
        return inf.elements(path, scope, None, first())
    if name == "builtins.enumerate":
        return one(Wrapped("iterator", one(Row((NOTHING, inf.elements(path, scope, None, first()))))))
    if name == "builtins.zip" and call is not None:
        rows = tuple(inf.elements(path, scope, None, inf.values(path, scope, arg.value)) for arg in call.args)
        return one(Wrapped("iterator", one(Row(rows))))
    if name in _EMPTY:
        held = _default(inf, call, path, scope) if name == "contextvars.ContextVar" else NOTHING
        return one(Wrapped(_EMPTY[name], held))  # type: ignore[arg-type]  # the values of _EMPTY are kinds
    if name in (
        "builtins.str",
        "builtins.int",
        "builtins.bytes",
        "builtins.float",
        "builtins.bool",
        "builtins.len",
    ):
        return one(Plain(name.removeprefix("builtins.")))
    if name.startswith("builtins.") and isinstance(value.object, Library):
        return NOTHING
    return one(LibraryInstance(name), value.grade, value.how)


def _default(inf: Asker, call: Call | None, path: str, scope: int) -> Values:
    """The default of a context variable."""
    for arg in call.args if call is not None else ():
        if arg.keyword == "default":
            return inf.values(path, scope, arg.value)
    return NOTHING


def _field(inf: Asker, call: Call, path: str, scope: int) -> Values:
    for arg in call.args:
        if arg.keyword in ("default_factory", "factory"):
            return join(
                *(inf.called(inner, None, path, scope) for inner in inf.values(path, scope, arg.value))
            )
        if arg.keyword == "default":
            return inf.values(path, scope, arg.value)
    return NOTHING


def _super(inf: Asker, call: Call | None, path: str, scope: int) -> Values:
    ref = classes.class_of(inf, path, scope)
    if call is not None and call.args and isinstance(call.args[0].value, Name):
        for value in inf.values(path, scope, call.args[0].value):
            if isinstance(value.object, ClassObject):
                ref = value.object.ref
    if ref is None:
        return NOTHING
    return one(Super(ref, classes.instance(inf, ref)))


def _getattr(inf: Asker, call: Call, path: str, scope: int) -> Values:
    name = call.args[1].value
    if not (isinstance(name, Const) and isinstance(name.value, str)):
        return NOTHING
    # not through an attribute made here: answers are remembered by the identity of expressions that stay
    held = inf.values(path, scope, call.args[0].value)
    looked = join(*(inf.attribute(value, name.value) for value in held))
    default = inf.values(path, scope, call.args[2].value) if len(call.args) > 2 else NOTHING
    return through(join(looked, default), f"getattr(…, {name.value!r})")


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


def entered(inf: Asker, values: Values) -> Values:
    """What `with values as …` binds."""
    found: list[Values] = []
    for value in values:
        match value.object:
            case Wrapped(how="context" | "awaitable" | "iterator", values=inner):
                found.append(inner)
            case Instance():
                methods = inf.attribute(value, "__enter__") or inf.attribute(value, "__aenter__")
                given = [_unwrapped(inf.called(method, None, "", 0)) for method in methods]
                found.extend(given or [(value,)])
            case RedisObject() | LibraryInstance() | ClassObject():
                found.append((value,))
    return join(*found)


def _unwrapped(values: Values) -> Values:
    found: list[Values] = []
    for value in values:
        wrapped = isinstance(value.object, Wrapped) and value.object.how in (
            "awaitable",
            "context",
            "iterator",
        )
        found.append(value.object.values if wrapped and isinstance(value.object, Wrapped) else (value,))
    return join(*found)


def _of_container(owner: Wrapped, name: str) -> Values:
    if name in ("get", "pop", "setdefault", "popleft", "get_nowait", "popitem", "send", "result", "__next__"):
        return owner.values
    if name in ("values", "copy", "keys"):
        return (
            one(Wrapped("iterator" if name == "values" else owner.how, owner.values))
            if name != "keys"
            else NOTHING
        )
    if name == "items":
        return one(Wrapped("iterator", one(Row((NOTHING, owner.values)))))
    return NOTHING


def _fallback(inf: Asker, name: str, call: Call | None, path: str, scope: int) -> Values:
    """The default in `d.get(key, default)`."""
    if call is None or name not in ("get", "pop", "setdefault") or len(call.args) < 2:
        return NOTHING
    return inf.values(path, scope, call.args[1].value)


def callee_text(expr: Expr) -> str:
    return dotted(expr) or "a call"
