"""What a value is made of: names, calls, operators, the attribute it was taken by last.

Law of this file: one step through bindings, no further; what is far away says little.
"""

from typing import NamedTuple

from redis_guard.facts.model import Attr, Bin, Call, Expr, Name
from redis_guard.project.constants import NUMBERS_OF
from redis_guard.project.inference import Inference
from redis_guard.project.origins import Origin, Origins
from redis_guard.project.values import Library, LibraryInstance
from redis_guard.project.walk import dotted, every, last_name

_WIDTH = 8


class Made(NamedTuple):
    """Names in lower case, dotted names of what is called, operators."""

    words: frozenset[str]
    calls: frozenset[str]
    operators: frozenset[str]
    attribute: str | None


class Ingredients:
    """Answers over one project."""

    def __init__(self, inf: Inference, origins: Origins) -> None:
        self._inf = inf
        self._origins = origins

    def of(self, path: str, scope: int, expr: Expr) -> Made:
        origins = self._origins.trail(path, scope, expr).origins
        words: set[str] = set()
        calls: set[str] = set()
        operators: set[str] = set()
        sources = [Origin(path, scope, expr)]
        sources += [origin for origin in origins if origin.expr is not None and origin.expr is not expr]
        for source in sources[:_WIDTH]:
            assert source.expr is not None
            for node in every(source.expr):
                match node:
                    case Name(id=name):
                        words.add(name.lower())
                        if source.expr is expr and node is not expr:
                            self._through_one_binding(source, node, calls)
                    case Attr(name=name):
                        words.add(name.lower())
                    case Bin(op=op):
                        operators.add(op)
                    case Call():
                        calls.add(self._callee(source.path, source.scope, node))
        words.update(origin.parameter.name.lower() for origin in origins if origin.parameter is not None)
        return Made(
            frozenset(words), frozenset(calls - {""}), frozenset(operators), _last_attribute(expr, origins)
        )

    def _through_one_binding(self, where: Origin, node: Name, calls: set[str]) -> None:
        for origin in self._origins.trail(where.path, where.scope, node).origins[:_WIDTH]:
            if origin.expr is not None and origin.expr is not node:
                calls.update(
                    self._callee(origin.path, origin.scope, part)
                    for part in every(origin.expr)
                    if isinstance(part, Call)
                )

    def _callee(self, path: str, scope: int, call: Call) -> str:
        for value in self._inf.values(path, scope, call.func):
            if isinstance(value.object, (Library, LibraryInstance)):
                return value.object.name
        if isinstance(call.func, Attr):
            for value in self._inf.values(path, scope, call.func.value):
                if isinstance(value.object, LibraryInstance):
                    return f"{value.object.name}.{call.func.name}"
        return dotted(call.func) or last_name(call.func) or ""


def _last_attribute(expr: Expr, origins: tuple[Origin, ...]) -> str | None:
    for node in (expr, *(origin.expr for origin in origins if origin.expr is not None)):
        while (
            isinstance(node, Call)
            and isinstance(node.func, Name)
            and node.func.id in NUMBERS_OF
            and node.args
        ):
            node = node.args[0].value
        if isinstance(node, Attr):
            return node.name
        if isinstance(node, Call) and isinstance(node.func, Attr):
            return node.func.name
    return None
