"""What calling something of a foreign package or a built-in gives.

Law of this file: by dotted names, as data where it can be; what is not known is an instance of that name.
"""

from collections.abc import Callable
from dataclasses import replace

from redis_guard.facts.model import Call, Const, Expr, Name
from redis_guard.project import built_with, classes, redis_objects, runtime
from redis_guard.project.annotations import believed
from redis_guard.project.asking import Asker
from redis_guard.project.library import (
    CACHE_ALIASES,
    CASTS,
    CLASS_METHODS_OF_CLIENTS,
    CLASSES,
    FACTORIES,
    GIVES_BACK,
    METHODS,
)
from redis_guard.project.parameters import argument
from redis_guard.project.unwrapping import entered, unwrapped
from redis_guard.project.values import (
    LIKELY,
    NOTHING,
    ClassObject,
    Library,
    LibraryInstance,
    Partial,
    Plain,
    RedisObject,
    Row,
    Super,
    Value,
    Values,
    Wrapped,
    join,
    one,
    through,
)

_GATHERED = frozenset(
    [
        "builtins.list",
        "builtins.tuple",
        "builtins.set",
        "builtins.frozenset",
        "builtins.sorted",
        "builtins.reversed",
        "builtins.iter",
        "builtins.aiter",
        "collections.deque",
        "builtins.dict",
        "collections.OrderedDict",
        "itertools.cycle",
        "itertools.chain",
    ]
)
_ENTERED = frozenset(
    ["contextlib.closing", "contextlib.aclosing", "contextlib.nullcontext", "contextlib2.closing"]
)
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
ONLY_OURS = frozenset({"Sentinel", "StrictRedis"})
_DEPENDS = frozenset(
    ["fastapi.Depends", "fastapi.Security", "fastapi.param_functions.Depends", "faststream.Depends"]
)


def of_library(inf: Asker, value: Value, name: str, call: Call | None, path: str, scope: int) -> Values:
    def first() -> Values:
        return inf.values(path, scope, call.args[0].value) if call is not None and call.args else NOTHING

    if (made := CLASSES.get(name)) is not None:
        options = built_with.built(inf, made, call, path, scope)
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
        built = CLASSES[head]
        built = replace(built, options=built_with.built(inf, built, call, path, scope))
        return one(built, value.grade, f"{name}()")
    if method in runtime.FACTORIES and head in runtime.CLASSES:
        return one(runtime.CLASSES[head], value.grade, f"{name}()")
    if name in GIVES_BACK and call is not None:
        return given_back(inf, name, call, path, scope, lambda expr: inf.values(path, scope, expr))
    if name in FACTORIES:
        made, awaits = FACTORIES[name]
        if name.endswith(".from_url"):
            made = replace(made, options=built_with.built(inf, made, call, path, scope))
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
        return unwrapped(first())
    if name.endswith("async_to_sync"):
        given = first()
        return (
            one(Partial(tuple(Value(Wrapped("awaitable", (v,)), v.grade, v.how) for v in given)))
            if given
            else NOTHING
        )
    if name in _LAZY:
        return join(*(unwrapped(inf.called(inner, None, path, scope)) for inner in first()))
    if name in ("dataclasses.field", "attr.ib", "attrs.field", "pydantic.Field") and call is not None:
        return _field(inf, call, path, scope)
    if name in _DEPENDS:
        given = join(*(inf.called(inner, None, path, scope) for inner in first()))
        return unwrapped(given)
    if name in _GATHERED and call is not None and call.args:
        kind = "mapping" if name in ("builtins.dict", "collections.OrderedDict") else "iterator"
        held = inf.elements(path, scope, None, first())
        return one(Wrapped("mapping" if kind == "mapping" else "iterator", held))
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


def given_back(
    inf: Asker, name: str, call: Call, path: str, scope: int, evaluate: Callable[[Expr], Values]
) -> Values:
    """What a function of `GIVES_BACK` is given by a call; `evaluate` answers for the arguments."""
    given = argument(call, *GIVES_BACK[name])
    if given is None:
        return NOTHING
    found = through(evaluate(given), f"{name.rpartition('.')[2]}(…)")
    said = argument(call, 0, "typ") if name in CASTS else None
    return found if said is None else believed(inf.annotation(path, scope, said), found)


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


def fallback(inf: Asker, name: str, call: Call | None, path: str, scope: int) -> Values:
    """The default in `d.get(key, default)`."""
    if call is None or name not in ("get", "pop", "setdefault") or len(call.args) < 2:
        return NOTHING
    return inf.values(path, scope, call.args[1].value)
