"""Every use of a Redis object in the project: the raw material of inventory and rules.

Law of this file: a use is reported once, at the expression that makes it, with the surest object it may be.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from redis_guard.facts.model import Attr, Call, Compare, Expr, Name, Place4, Sub
from redis_guard.project import guessing, runtime
from redis_guard.project.inference import Inference
from redis_guard.project.kinds import has_method, is_method
from redis_guard.project.values import GUESSED, Method, Plain, RedisObject, Value, Values

KINDS = (
    "client",
    "pipeline",
    "pubsub",
    "lock",
    "script",
    "sentinel",
    "pool",
    "monitor",
    "json",
    "ft",
    "ts",
    "bf",
    "cf",
    "cms",
    "topk",
    "tdigest",
    "vset",
    "graph",
)
_FRAMES = 6_000


class Use(NamedTuple):
    """One use of a Redis object; `root` indexes `Scope.roots`, -1 for the target of a store."""

    path: str
    scope: int
    root: int
    expr: Expr
    receiver: Expr
    form: str
    method: str
    value: Value
    span: Place4


def uses(inf: Inference, path: str, *, guess: bool = True) -> list[Use]:
    """The uses in one module, in source order of scopes and evaluation."""
    with _room():
        return [use for use in _uses(inf, path, guess) if guess or use.value.grade > GUESSED]


@contextmanager
def _room() -> Iterator[None]:
    """A question asks further questions; each takes a few frames, and their depth is bounded."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def _uses(inf: Inference, path: str, guess: bool) -> list[Use]:
    found: list[Use] = []
    module = inf.index.modules[path]
    for number, scope in enumerate(module.scopes):
        for place, expr in inf.index.tables[path].points[number]:
            if (
                isinstance(expr, Call)
                and isinstance(expr.func, Attr)
                and not _may_be_ours(inf, expr.func.name)
            ):
                continue
            root = scope.roots[place]
            if use := _use(inf, path, number, place, expr, root.use == "delete" and expr is root.expr, guess):
                found.append(use)
        for store in scope.stores:
            target = store.target
            if isinstance(target, Sub) and not store.augmented:
                value = _client(inf.values(path, number, target.value))
                if value is not None:
                    found.append(
                        Use(
                            path,
                            number,
                            store.root,
                            target,
                            target.value,
                            "subscript",
                            "__setitem__",
                            value,
                            target.span,
                        )
                    )
    return found


def _may_be_ours(inf: Inference, name: str) -> bool:
    """Whether a method of that name is one of a Redis object, or a name that one may be kept under."""
    known = inf.method_names.get(name)
    if known is None:
        index = inf.index
        known = name in index.attribute_stores or name in index.class_level
        known = known or any(is_method(kind, name) or is_method(f"async-{kind}", name) for kind in KINDS)
        inf.method_names[name] = known
    return known


def _client(values: Values) -> Value | None:
    best: Value | None = None
    for value in values:
        is_client = isinstance(value.object, RedisObject) and value.object.kind == "client"
        if is_client and (best is None or value.grade > best.grade):
            best = value
    return best


def _method_of(value: Value) -> Method | None:
    """The method of an object with commands; the runtime's are told elsewhere."""
    held = value.object
    return held if isinstance(held, Method) and held.owner.kind != runtime.COORDINATION else None


def _use(
    inf: Inference, path: str, scope: int, root: int, expr: Expr, deleted: bool, guess: bool
) -> Use | None:
    match expr:
        case Call(func=Attr() as func, span=span):
            return _method(inf, path, scope, root, expr, func, span, guess)
        case Call(func=func, span=span):
            for value in inf.values(path, scope, func):
                if (method := _method_of(value)) is not None:
                    owner = Value(method.owner, value.grade, value.how)
                    return Use(path, scope, root, expr, func, "bound", method.name, owner, span)
                if isinstance(value.object, RedisObject) and value.object.kind == "script":
                    return Use(path, scope, root, expr, func, "call", "__call__", value, span)
        case Compare(ops=("in",) | ("not in",), rights=(right,), span=span):
            if held := _client(inf.values(path, scope, right)):
                return Use(path, scope, root, expr, right, "contains", "__contains__", held, span)
        case Sub(value=base, span=span):
            if held := _client(inf.values(path, scope, base)):
                name = "__delitem__" if deleted else "__getitem__"
                return Use(path, scope, root, expr, base, "subscript", name, held, span)
    return None


def _method(
    inf: Inference, path: str, scope: int, root: int, call: Call, func: Attr, span: Place4, guess: bool
) -> Use | None:
    base = inf.values(path, scope, func.value)
    best: Value | None = None
    for value in base:
        thing = value.object
        ours = isinstance(thing, RedisObject) and (
            is_method(thing.kind, func.name) or has_method(thing, func.name)
        )
        if ours and (best is None or value.grade > best.grade):
            best = value
    if best is None:
        for value in inf.values(path, scope, func):
            # `super().get(…)`, and callables kept under an attribute
            if (method := _method_of(value)) is not None:
                if hands_on(inf, path, scope, func):
                    return None
                best = Value(method.owner, value.grade, value.how)
                form = "call" if method.name == func.name else "bound"
                return Use(path, scope, root, call, func.value, form, method.name, best, span)
            if isinstance(value.object, RedisObject) and value.object.kind == "script":
                return Use(path, scope, root, call, func, "call", "__call__", value, span)
    if best is None and guess and not any(isinstance(v.object, (Plain, RedisObject)) for v in base):
        best = guessing.guessed(inf, path, scope, func, base)
    if best is None:
        return None
    return Use(path, scope, root, call, func.value, "call", func.name, best, span)


def hands_on(inf: Inference, path: str, scope: int, func: Attr) -> bool:
    """`super().get(…)` within a client's own `get`: who calls that one is told of it."""
    home = inf.index.homes[path][scope]
    inherited = isinstance(func.value, Call) and func.value.func == Name("super", ())
    return inherited and home >= 0 and inf.index.modules[path].scopes[home].name == func.name


__all__ = ["Name", "Use", "uses"]
