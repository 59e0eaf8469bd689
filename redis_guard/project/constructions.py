"""Where clients, pools, sentinels and locks are built, and what becomes of them.

Law of this file: only calls that build; a factory that hands out a shared client builds nothing here.
"""

from collections.abc import Iterator

from redis_guard.facts.model import Call, Expr
from redis_guard.finding import Span
from redis_guard.project import classes, model
from redis_guard.project.arguments import Arguments
from redis_guard.project.calls import CONFIDENCE
from redis_guard.project.inference import Inference
from redis_guard.project.library import CLASS_METHODS_OF_CLIENTS, CLASSES, FACTORIES
from redis_guard.project.places import Places
from redis_guard.project.urls import Urls
from redis_guard.project.values import ClassObject, Library, Method, RedisObject, Value
from redis_guard.project.walk import every, text

_BUILT = frozenset({"client", "pool", "sentinel", "lock"})
_CLOSERS = frozenset(
    "close aclose disconnect shutdown wait_closed connection_pool quit release __exit__ __aexit__".split()
)
_CLOSED_BY = frozenset(
    "closing aclosing enter_context enter_async_context push_async_callback callback addfinalizer".split()
)
_KEEPING_DECORATORS = frozenset(
    "cache lru_cache cached cached_property fixture memoize singleton alru_cache on_event".split()
)
_FACTORY_NAMES = frozenset({"from_url", "create_redis", "create_redis_pool", "create_pool"})
_LOCK_PARAMETERS = ("redis", "name", "timeout", "sleep", "blocking", "blocking_timeout")


class Constructions:
    """Finds what one module builds."""

    def __init__(self, inf: Inference, arguments: Arguments, places: Places, urls: Urls) -> None:
        self._inf = inf
        self._urls = urls
        self._arguments = arguments
        self._places = places

    def find(self, path: str) -> tuple[model.Construction, ...]:
        return tuple(self._all(path))

    def _all(self, path: str) -> Iterator[model.Construction]:
        for number, points in enumerate(self._inf.index.tables[path].points):
            inside: set[int] = set()
            for place, expr in points:
                if not isinstance(expr, Call):
                    continue
                built = self._built(path, number, expr)
                if built is None:
                    continue
                nested = id(expr) in inside
                inside.update(id(node) for arg in expr.args for node in every(arg.value))
                yield self._construction(path, number, place, expr, built, nested)

    def _built(self, path: str, scope: int, call: Call) -> Value | None:
        for value in self._inf.values(path, scope, call.func):
            match value.object:
                case Library(name=name):
                    if (made := CLASSES.get(name)) is not None and made.kind in _BUILT:
                        return Value(made, value.grade)
                    head, _, method = name.rpartition(".")
                    if method in CLASS_METHODS_OF_CLIENTS and head in CLASSES:
                        return Value(CLASSES[head], value.grade)
                    if name in FACTORIES and method in _FACTORY_NAMES:
                        return Value(FACTORIES[name][0], value.grade)
                case ClassObject(ref=ref):
                    if (below := classes.redis_base(self._inf, ref)) is not None and below.kind in _BUILT:
                        return Value(below, value.grade)
                case Method(owner=owner, name=name) if name in CLASS_METHODS_OF_CLIENTS:
                    return Value(owner, value.grade)
        return None

    def _construction(
        self, path: str, scope: int, root: int, call: Call, built: Value, nested: bool
    ) -> model.Construction:
        redis = built.object
        assert isinstance(redis, RedisObject)
        outcomes = self._places.outcomes(scope)
        result = outcomes.result(root, call)
        place = self._places.place(scope, root, call)
        function = place.function
        kept, closed = nested, False
        if (
            scope == 0
            or self._inf.index.modules[path].scopes[scope].kind == "class"
            or function.decorators & _KEEPING_DECORATORS
        ):
            kept = True
        else:
            kept, closed = _fate(result, nested)
            kept = kept or (result.use == "assigned" and self._outlives(path, scope, root))
        return model.Construction(
            path, Span(*call.span), text(call.func), redis.kind, redis.asynchronous, redis.type,
            CONFIDENCE[built.grade], place, result, self._given(path, scope, call, redis.kind), closed, kept,
            self._urls.of(path, scope, call.args),
        )  # fmt: skip

    def _given(self, path: str, scope: int, call: Call, kind: str) -> tuple[tuple[str, model.Argument], ...]:
        rows: list[tuple[str, Expr]] = []
        for number, arg in enumerate(call.args):
            if arg.star:
                rows.append(("*" * arg.star, arg.value))
            elif arg.keyword is not None:
                rows.append((arg.keyword, arg.value))
            else:
                names = _LOCK_PARAMETERS if kind == "lock" else ()
                rows.append((names[number] if number < len(names) else f"args.{number}", arg.value))
        return tuple((name, self._arguments.describe(path, scope, value)) for name, value in rows)

    def _outlives(self, path: str, scope: int, root: int) -> bool:
        """It goes to an attribute, an item, or a name of an outer scope."""
        facts = self._inf.index.modules[path].scopes[scope]
        given = facts.roots[root].defs
        return not given or -1 in given or any(store.root == root for store in facts.stores)


def _fate(result: model.Result, nested: bool) -> tuple[bool, bool]:
    """Whether what was built is kept, and whether it is closed."""
    match result.use:
        case "returned" | "yielded" | "stored" | "collected" | "other":
            return True, False
        case "argument":
            return True, result.callee is not None and result.callee.rpartition(".")[2] in _CLOSED_BY
        case "entered":
            return False, True
        case "condition" | "operand":
            return True, False
        case "assigned":
            if result.later is None:
                return True, False
            closed = any(
                (use.use == "chained" and use.callee in _CLOSERS)
                or use.use == "entered"
                or (use.use == "argument" and (use.callee or "").rpartition(".")[2] in _CLOSED_BY)
                for use in result.later
            )
            kept = any(
                use.use in ("returned", "yielded", "stored", "assigned", "collected", "argument")
                for use in result.later
            )
            return kept, closed
    return nested, False
