"""What is put into a Lua text while the program runs.

Law of this file: from the text that is sent back to where it is put together; each part that is put in is judged
by `run_time`, each part that is written is nothing.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from redis_guard.facts.model import (
    Attr,
    Await,
    Bin,
    Bool,
    Call,
    Comp,
    Cond,
    Const,
    Dict,
    Expr,
    Joined,
    Name,
    Seq,
    Star,
    Walrus,
)
from redis_guard.project.inference import Inference
from redis_guard.project.origins import Origins
from redis_guard.project.run_time import RunTime
from redis_guard.project.values import Function
from redis_guard.project.walk import last_name, text

PARAMETERS = frozenset({"script", "code"})
"""Parameters that take Lua."""

_DEPTH = 8
_SAME = frozenset(
    {"encode", "decode", "strip", "lstrip", "rstrip", "dedent", "cleandoc", "str", "bytes", "expandtabs"}
)
_FILLING = frozenset({"format", "substitute", "safe_substitute", "format_map"})
_OTHER_SLOTS = ("%s", "%r", "%(")


class _Text(NamedTuple):
    path: str
    scope: int
    expr: Expr
    depth: int
    put: bool
    """It is put into a text; else it is the text, of which alone nothing is known."""


class LuaTexts:
    """Answers over one project."""

    def __init__(self, inf: Inference, origins: Origins, is_test: Callable[[str], bool]) -> None:
        self._inf = inf
        self._origins = origins
        self._run_time = RunTime(inf, origins, is_test)

    def inserted(self, path: str, scope: int, expr: Expr) -> tuple[str, ...]:
        """The expressions, as written, by which data gets into the text `expr`."""
        found: dict[str, None] = {}
        seen: set[tuple[int, bool]] = set()
        waiting = [_Text(path, scope, expr, 0, False)]
        while waiting:
            here = waiting.pop(0)
            if here.depth > _DEPTH or (id(here.expr), here.put) in seen:
                continue
            seen.add((id(here.expr), here.put))
            parts = list(self._parts(here))
            if here.put and not parts and self._run_time.decides(here.path, here.scope, here.expr):
                found[text(here.expr)] = None
            waiting += parts
        return tuple(found)

    def _parts(self, here: _Text) -> Iterator[_Text]:
        """What the text is put together from; nothing for what is no text that is put together."""

        def put(exprs: Iterable[Expr], into: bool = True) -> Iterator[_Text]:
            for expr in exprs:
                yield _Text(here.path, here.scope, expr, here.depth + 1, into)

        match here.expr:
            case Joined(parts=parts):
                yield from put(parts)
            case Bin(op="+", left=left, right=right):
                yield from put((left, right))
            case Bin(op="%", left=left, right=right):
                yield from put((left,), here.put)
                yield from put(self._filled(here, left, right))
            case Await(value=value) | Walrus(value=value):
                yield from put((value,), here.put)
            case Cond(body=left, orelse=right) | Bool(left=left, right=right):
                yield from put((left, right), here.put)
            case Call():
                yield from self._call(here, here.expr)
            case Name() | Attr():
                yield from self._bound(here, here.expr)

    def _filled(self, here: _Text, left: Expr, right: Expr) -> tuple[Expr, ...]:
        """What `%` puts in, where not all places take numbers."""
        written = [origin.expr for origin in self._origins.trail(here.path, here.scope, left).origins]
        texts = [expr.value for expr in written if isinstance(expr, Const) and isinstance(expr.value, str)]
        if texts and not any(slot in value for value in texts for slot in _OTHER_SLOTS):
            return ()
        match right:
            case Seq(kind="tuple", items=items):
                return items
            case Dict(items=pairs):
                return tuple(value for _, value in pairs)
        return (right,)

    def _call(self, here: _Text, call: Call) -> Iterator[_Text]:
        name = last_name(call.func) or ""
        below = here._replace(depth=here.depth + 1)
        given = [arg.value for arg in call.args]
        holder = call.func.value if isinstance(call.func, Attr) else None
        if holder is not None and name in _FILLING:
            yield below._replace(expr=holder)
            yield from (below._replace(expr=expr, put=True) for expr in given)
        elif holder is not None and name == "replace" and len(given) >= 2:
            yield below._replace(expr=holder)
            yield below._replace(expr=given[1], put=True)
        elif holder is not None and name == "join" and len(given) == 1:
            yield from (below._replace(expr=expr, put=True) for expr in _items(given[0]))
        elif name in _SAME:
            inner = holder if holder is not None and not given else given[0] if given else holder
            if inner is not None:
                yield below._replace(expr=inner)
        else:
            for value in self._inf.values(here.path, here.scope, call.func):
                if isinstance(value.object, Function):
                    ref = value.object.ref
                    for root in self._inf.index.scope(ref).roots:
                        if root.use == "return":
                            yield _Text(ref.path, ref.scope, root.expr, here.depth + 1, here.put)

    def _bound(self, here: _Text, expr: Name | Attr) -> Iterator[_Text]:
        """What a variable is given. What is added to it later is put into it."""
        for source in self._origins.sources(here.path, here.scope, expr).found:
            made = source.definition
            if source.expr is None or (made is not None and made.kind == "for"):
                continue
            added = made is not None and made.kind == "augmented"
            # a variable that is put in is asked as a whole unless it is itself put together
            if here.put and not added and not _composed(source.expr):
                continue
            yield _Text(source.path, source.scope, source.expr, here.depth + 1, here.put or added)


def _composed(expr: Expr) -> bool:
    match expr:
        case Joined() | Bin(op="+" | "%"):
            return True
        case Call(func=Attr(name=name)):
            return name in _FILLING or name in ("join", "replace")
    return False


def _items(expr: Expr) -> tuple[Expr, ...]:
    """What `join` puts together."""
    match expr:
        case Seq(items=items):
            return tuple(item.value if isinstance(item, Star) else item for item in items)
        case Comp(elements=elements):
            return elements
    return (expr,)
