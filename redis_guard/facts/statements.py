"""libcst statements -> scopes: bodies, bindings, branches, in the order of execution.

Law of this file: a statement only moves the state of its scope and appends roots; it judges nothing.
"""

from collections.abc import Callable, Iterable
from typing import Any

import libcst as cst

from redis_guard.facts.branches import Branches
from redis_guard.facts.definitions import Definitions
from redis_guard.facts.expressions import Expressions, operator
from redis_guard.facts.imports import import_, import_from
from redis_guard.facts.model import Attr, Bin, Const, Expr, Name, Other, Scope, Store, Sub
from redis_guard.facts.positions import Positions
from redis_guard.facts.scopes import ScopeBuilder


class Statements:
    """Lowers one file; `scopes` holds the result, the module first."""

    def __init__(self, places: Positions, has_walrus: bool) -> None:
        self.places = places
        self.has_walrus = has_walrus
        self.expr = Expressions(places, self)
        self.builders: list[ScopeBuilder] = []
        self.star_imports: list[str] = []
        branches, definitions = Branches(self), Definitions(self)
        self.lambda_scope = definitions.lambda_scope
        self._lower: dict[type[cst.CSTNode], Callable[[Any, ScopeBuilder], None]] = {
            cst.Expr: self._expression,
            cst.Assign: self._assign,
            cst.AnnAssign: self._annotated,
            cst.AugAssign: self._augmented,
            cst.TypeAlias: self._type_alias,
            cst.Return: self._return,
            cst.Raise: self._raise,
            cst.Assert: self._assert,
            cst.Del: self._delete,
            cst.Global: self._global,
            cst.Nonlocal: self._nonlocal,
            cst.Import: import_,
            cst.ImportFrom: lambda node, scope: import_from(node, scope, self.star_imports),
            cst.Break: self._break,
            cst.Continue: self._continue,
            cst.If: branches.if_,
            cst.For: branches.for_,
            cst.While: branches.while_,
            cst.Try: branches.try_,
            cst.TryStar: branches.try_,
            cst.With: branches.with_,
            cst.Match: branches.match_,
            cst.FunctionDef: definitions.function,
            cst.ClassDef: definitions.class_,
        }

    def module(self, node: cst.Module) -> tuple[Scope, ...]:
        scope = ScopeBuilder(0, "module", "", "", -1)
        self.builders.append(scope)
        self._statements(node.body, scope)
        return tuple(builder.freeze() for builder in self.builders)

    # -- bodies

    def _statements(self, body: Iterable[cst.CSTNode], scope: ScopeBuilder) -> None:
        for statement in body:
            if isinstance(statement, cst.SimpleStatementLine):
                for small in statement.body:
                    self.statement(small, scope)
            else:
                self.statement(statement, scope)

    def statement(self, node: cst.CSTNode, scope: ScopeBuilder) -> None:
        if (place := self.places.get(id(node))) is not None:
            scope.line = place[0]
        if (lower := self._lower.get(type(node))) is not None:
            lower(node, scope)

    def block(self, body: cst.BaseSuite, scope: ScopeBuilder) -> None:
        self._statements(body.body, scope)

    # -- simple statements

    def _expression(self, node: cst.Expr, scope: ScopeBuilder) -> None:
        value = self.expr(node.value, scope)
        if not isinstance(value, (Const, Name)):
            scope.add_root(value, "statement")

    def _assign(self, node: cst.Assign, scope: ScopeBuilder) -> None:
        value = self.expr(node.value, scope)
        root = scope.add_root(value, "assign")
        for target in node.targets:
            self.bind(scope, target.target, value, root)

    def _annotated(self, node: cst.AnnAssign, scope: ScopeBuilder) -> None:
        annotation = self.expr.annotation(node.annotation.annotation, scope)
        value = None if node.value is None else self.expr(node.value, scope)
        root = -1 if value is None else scope.add_root(value, "assign")
        if isinstance(node.target, cst.Name):
            kind: Any = "declared" if value is None else "assign"
            number = scope.bind(node.target.value, kind, value, annotation=annotation)
            if root >= 0:
                scope.give(root, node.target.value, number)
            return
        target = self.expr(node.target, scope)
        if isinstance(target, (Attr, Sub)):
            scope.stores.append(Store(target, value or Other(()), (), root, annotation, False))

    def _type_alias(self, node: cst.TypeAlias, scope: ScopeBuilder) -> None:
        # evaluated by whoever asks for it, so it is no root
        scope.bind(node.name.value, "assign", self.expr.annotation(node.value, scope))

    def _augmented(self, node: cst.AugAssign, scope: ScopeBuilder) -> None:
        target = self.expr(node.target, scope)
        value = Bin(operator(node.operator), target, self.expr(node.value, scope))
        root = scope.add_root(value, "augment")
        if isinstance(target, Name):
            scope.give(root, target.id, scope.bind(target.id, "augmented", value))
        elif isinstance(target, (Attr, Sub)):
            scope.stores.append(Store(target, value, (), root, None, True))

    def _return(self, node: cst.Return, scope: ScopeBuilder) -> None:
        value = Const(None) if node.value is None else self.expr(node.value, scope)
        scope.add_root(value, "return")
        scope.stop()

    def _raise(self, node: cst.Raise, scope: ScopeBuilder) -> None:
        parts = [node.exc, node.cause.item if node.cause else None]
        scope.add_root(Other(tuple(self.expr(part, scope) for part in parts if part is not None)), "raise")
        scope.stop()

    def _assert(self, node: cst.Assert, scope: ScopeBuilder) -> None:
        scope.add_root(self.expr(node.test, scope), "assert")

    def _delete(self, node: cst.Del, scope: ScopeBuilder) -> None:
        targets: list[cst.BaseExpression] = [node.target]
        if isinstance(node.target, (cst.Tuple, cst.List)):
            targets = [element.value for element in node.target.elements]
        for target in targets:
            if isinstance(target, cst.Name):
                scope.bind(target.value, "deleted")
            else:
                scope.add_root(self.expr(target, scope), "delete")

    def _global(self, node: cst.Global, scope: ScopeBuilder) -> None:
        for item in node.names:
            if scope.index:
                scope.outer[item.name.value] = self.builders[0]

    def _nonlocal(self, node: cst.Nonlocal, scope: ScopeBuilder) -> None:
        for item in node.names:
            name, owner = item.name.value, self.builders[scope.parent] if scope.parent > 0 else None
            while owner is not None and (
                owner.kind == "class" or not any(d.name == name for d in owner.defs)
            ):
                owner = self.builders[owner.parent] if owner.parent > 0 else None
            if owner is not None:
                scope.outer[name] = owner

    def _break(self, node: cst.Break, scope: ScopeBuilder) -> None:
        if scope.loops:
            scope.loops[-1].breaks.append(scope.state.copy())
        scope.stop()

    def _continue(self, node: cst.Continue, scope: ScopeBuilder) -> None:
        if scope.loops:
            scope.loops[-1].continues.append(scope.state.copy())
        scope.stop()

    # -- binding

    def bind_target(
        self, scope: ScopeBuilder, target: cst.BaseExpression, value: Expr, *, asynchronous: bool
    ) -> None:
        self.bind(scope, target, value, -1, kind="for", asynchronous=asynchronous)

    def bind(
        self,
        scope: ScopeBuilder,
        target: cst.BaseExpression,
        value: Expr,
        root: int,
        unpack: tuple[int, ...] = (),
        *,
        kind: Any = "assign",
        asynchronous: bool = False,
    ) -> None:
        if isinstance(target, cst.Name):
            number = scope.bind(target.value, kind, value, unpack=unpack, asynchronous=asynchronous)
            if root >= 0:
                scope.give(root, target.value, number)
        elif isinstance(target, (cst.Tuple, cst.List)):
            starred = False
            for index, element in enumerate(target.elements):
                starred = starred or isinstance(element, cst.StarredElement)
                path = (*unpack, -1 if starred else index)
                self.bind(scope, element.value, value, root, path, kind=kind, asynchronous=asynchronous)
        else:
            lowered = self.expr(target, scope)
            if isinstance(lowered, (Attr, Sub)):
                scope.stores.append(Store(lowered, value, unpack, root, None, False))
