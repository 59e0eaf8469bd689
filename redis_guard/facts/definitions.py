"""Functions, lambdas and classes: the scopes a file opens.

Law of this file: decorators, defaults and annotations are evaluated outside the scope they belong to.
"""

from collections.abc import Sequence
from typing import Literal, Protocol

import libcst as cst

from redis_guard.facts.expressions import Expressions
from redis_guard.facts.model import Arg, Attr, Const, Expr, Name, Param
from redis_guard.facts.positions import Positions
from redis_guard.facts.scopes import ScopeBuilder


class Body(Protocol):
    """What definitions need of the reader of statements."""

    expr: Expressions
    places: Positions
    builders: list[ScopeBuilder]

    def block(self, body: cst.BaseSuite, scope: ScopeBuilder) -> None: ...


class Definitions:
    """Lowers the functions and classes of one file."""

    def __init__(self, body: Body) -> None:
        self._body = body

    def _open(
        self, kind: Literal["class", "function", "lambda"], name: str, within: ScopeBuilder
    ) -> ScopeBuilder:
        prefix = f"{within.qualname}." if within.qualname else ""
        scope = ScopeBuilder(len(self._body.builders), kind, name, prefix + name, within.index)
        scope.line = within.line
        self._body.builders.append(scope)
        return scope

    def _parameters(self, node: cst.Parameters, scope: ScopeBuilder, within: ScopeBuilder) -> None:
        rows = [(param, 0, False) for param in (*node.posonly_params, *node.params)]
        if isinstance(node.star_arg, cst.Param):
            rows.append((node.star_arg, 1, False))
        rows.extend((param, 0, True) for param in node.kwonly_params)
        if node.star_kwarg is not None:
            rows.append((node.star_kwarg, 2, False))
        for param, star, keyword_only in rows:
            annotation = None
            if param.annotation is not None:
                annotation = self._body.expr.annotation(param.annotation.annotation, within)
            default = None if param.default is None else self._body.expr(param.default, within)
            if default is not None and not isinstance(default, Const):
                within.add_root(default, "default")
            number = len(scope.params)
            scope.params.append(Param(param.name.value, annotation, default, star, keyword_only))
            scope.bind(param.name.value, "parameter", default, annotation=annotation, target=number)

    def lambda_scope(self, node: cst.Lambda, within: ScopeBuilder) -> int:
        scope = self._open("lambda", "<lambda>", within)
        self._parameters(node.params, scope, within)
        scope.add_root(self._body.expr(node.body, scope), "return")
        return scope.index

    def function(self, node: cst.FunctionDef, within: ScopeBuilder) -> None:
        scope = self._open("function", node.name.value, within)
        scope.span = self._body.places.get(id(node), scope.span)
        scope.asynchronous = node.asynchronous is not None
        scope.decorators = self._decorators(node.decorators, within)
        self._parameters(node.params, scope, within)
        if node.returns is not None:
            scope.returns = self._body.expr.annotation(node.returns.annotation, within)
        within.bind(node.name.value, "function", target=scope.index)
        self._body.block(node.body, scope)

    def _decorators(self, nodes: Sequence[cst.Decorator], within: ScopeBuilder) -> tuple[Expr, ...]:
        lowered = tuple(self._body.expr(node.decorator, within) for node in nodes)
        for value in lowered:
            if not isinstance(value, (Name, Attr)):
                within.add_root(value, "decorator")
        return lowered

    def class_(self, node: cst.ClassDef, within: ScopeBuilder) -> None:
        scope = self._open("class", node.name.value, within)
        scope.span = self._body.places.get(id(node), scope.span)
        scope.decorators = self._decorators(node.decorators, within)
        bases = []
        for arg in (*node.bases, *node.keywords):
            value = self._body.expr(arg.value, within)
            if not isinstance(value, (Name, Attr)):
                within.add_root(value, "base")
            bases.append(Arg(value, arg.keyword.value if arg.keyword else None, len(arg.star)))
        scope.bases = tuple(bases)
        within.bind(node.name.value, "class", target=scope.index)
        self._body.block(node.body, scope)
