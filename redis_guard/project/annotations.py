"""What an annotation promises."""

import builtins

from redis_guard.facts.model import Attr, Bin, Const, Expr, Name, Seq, Sub
from redis_guard.project import classes
from redis_guard.project.aliases import alias
from redis_guard.project.asking import Asker
from redis_guard.project.kinds import is_method
from redis_guard.project.library import CLASSES
from redis_guard.project.naming import distinctive
from redis_guard.project.values import (
    LIKELY,
    NOTHING,
    ClassObject,
    Library,
    LibraryInstance,
    Plain,
    RedisObject,
    Row,
    ScopeRef,
    Values,
    Wrapped,
    join,
    one,
)
from redis_guard.project.walk import last_name, text

_TELLING = 2
_FIRST_OF = frozenset(
    [
        "Optional",
        "Annotated",
        "Final",
        "ClassVar",
        "Required",
        "NotRequired",
        "ReadOnly",
        "Depends",
        "Dependency",
        "Mapped",
    ]
)
_ITERATORS = frozenset(
    [
        "list",
        "List",
        "set",
        "Set",
        "frozenset",
        "FrozenSet",
        "Iterable",
        "Iterator",
        "Sequence",
        "Collection",
        "deque",
        "Deque",
        "AsyncIterator",
        "AsyncIterable",
    ]
)
_GENERATORS = frozenset(["Generator", "AsyncGenerator"])
_MAPPINGS = frozenset(
    [
        "dict",
        "Dict",
        "Mapping",
        "MutableMapping",
        "defaultdict",
        "DefaultDict",
        "OrderedDict",
        "WeakValueDictionary",
    ]
)
_AWAITABLES = frozenset(["Awaitable", "Coroutine", "Future", "Task"])
_CONTEXTS = frozenset(
    ["ContextManager", "AsyncContextManager", "AbstractContextManager", "AbstractAsyncContextManager"]
)
_PLAIN = frozenset(
    [
        "str",
        "bytes",
        "int",
        "float",
        "bool",
        "dict",
        "list",
        "set",
        "tuple",
        "frozenset",
        "bytearray",
        "complex",
        "datetime",
        "timedelta",
    ]
)
_GENERICS = (
    _FIRST_OF | _ITERATORS | _GENERATORS | _MAPPINGS | _AWAITABLES | _CONTEXTS | {"Union", "type", "Type"}
)
_BUILT_INS = frozenset(dir(builtins))
_VAGUE = frozenset(["Any", "object", "Self", "Protocol", "TypeVar"])


def values(inf: Asker, path: str, scope: int, annotation: Expr) -> Values:
    """What a value so annotated is; nothing for `Any`, protocols and what is unknown."""
    match annotation:
        case Const():
            return NOTHING
        case Bin(op="|", left=left, right=right):
            return join(values(inf, path, scope, left), values(inf, path, scope, right))
        case Sub(value=value, index=index):
            return _generic(inf, path, scope, value, index)
        case Name() | Attr():
            return _named(inf, path, scope, annotation)
    return NOTHING


def _generic(inf: Asker, path: str, scope: int, value: Expr, index: Expr) -> Values:
    name = last_name(value) or ""
    arguments = index.items if isinstance(index, Seq) else (index,)

    def inner(number: int) -> Values:
        return values(inf, path, scope, arguments[number]) if len(arguments) > number else NOTHING

    if name == "Union":
        return join(*(values(inf, path, scope, argument) for argument in arguments))
    if name in _FIRST_OF:
        return inner(0)
    if name in ("type", "Type"):
        return classes.of_instances(inner(0))
    if name in _ITERATORS or name in _GENERATORS:
        return one(Wrapped("iterator", inner(0)))
    if name in _MAPPINGS:
        return one(Wrapped("mapping", inner(1)))
    if name in ("tuple", "Tuple"):
        return one(Row(tuple(values(inf, path, scope, argument) for argument in arguments)))
    if name in _AWAITABLES:
        return one(Wrapped("awaitable", inner(len(arguments) - 1)))
    if name in _CONTEXTS:
        return one(Wrapped("context", inner(0)))
    return _named(inf, path, scope, value)


def _promises(expr: Expr) -> bool:
    """Whether a subscript is one of types, not the item of a table."""
    return not isinstance(expr, Sub) or last_name(expr.value) in _GENERICS


def _named(inf: Asker, path: str, scope: int, annotation: Expr) -> Values:
    if (meant := alias(inf, path, scope, annotation)) is not None and _promises(meant[2]):
        return inf.annotation(*meant)
    found: list[Values] = []
    for value in inf.values(path, scope, annotation):
        match value.object:
            case Library(name=name):
                found.append(_library(name, text(annotation)))
            case ClassObject(ref=ref):
                if classes.is_protocol(inf, ref):
                    found.append(_protocol(inf, ref))
                else:
                    made = classes.instance(inf, ref)
                    found.append(one(made, value.grade, f"annotated {classes.label(inf, ref)}"))
            case Wrapped() | Row():
                found.append((value,))
    return join(*found) if found else NOTHING


def _protocol(inf: Asker, ref: ScopeRef) -> Values:
    """A protocol which says nothing but what a client can do describes a client."""
    scopes = inf.index.modules[ref.path].scopes
    methods = [scopes[made.target] for made in scopes[ref.scope].defs if made.kind == "function"]
    named = [scope.name for scope in methods if not scope.name.startswith("__")]
    if not all(is_method("client", name) for name in named) or sum(map(distinctive, named)) < _TELLING:
        return NOTHING
    client = RedisObject("client", any(scope.asynchronous for scope in methods), "redis.client.Redis")
    return one(client, LIKELY, f"annotated {classes.label(inf, ref)}, a protocol of client methods")


def _library(name: str, written: str) -> Values:
    if (made := CLASSES.get(name)) is not None:
        return one(made, how=f"annotated {written}")
    last = name.rsplit(".", 1)[-1]
    if last in _VAGUE or (name.startswith("builtins.") and last not in _BUILT_INS):
        return NOTHING  # the other is a type parameter: `def f[T](x: T)`
    if last in _PLAIN or name.startswith("builtins."):
        return one(Plain(last))
    if name.startswith(("typing.", "collections.abc.", "typing_extensions.")):
        return one(Plain(last))
    return one(LibraryInstance(name))


def allowed(declared: Values, held: Values) -> Values:
    """The Redis objects among what is held that are of a kind that the annotation names."""
    kinds = {(v.object.kind, v.object.asynchronous) for v in declared if isinstance(v.object, RedisObject)}
    return tuple(
        value
        for value in held
        if isinstance(value.object, RedisObject)
        and value.grade >= LIKELY
        and (value.object.kind, value.object.asynchronous) in kinds
    )


def believed(declared: Values, held: Values) -> Values:
    """What an annotation says, and of the Redis objects that it allows those that are held."""
    return allowed(declared, held) or declared or held


def is_plain(values_: Values) -> bool:
    return bool(values_) and all(isinstance(value.object, Plain) for value in values_)
