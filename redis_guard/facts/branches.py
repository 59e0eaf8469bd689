"""Compound statements: which states their arms begin and end in.

Law of this file: control flow only; what an arm says is read by whoever owns the body.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import libcst as cst

from redis_guard.facts.bindings import bound_names
from redis_guard.facts.expressions import Expressions
from redis_guard.facts.model import Expr
from redis_guard.facts.scopes import ScopeBuilder, State, joined

_ENDLESS = ("True", "1")


class Body(Protocol):
    """What branches need of the reader of statements."""

    expr: Expressions
    has_walrus: bool

    def statement(self, node: cst.CSTNode, scope: ScopeBuilder) -> None: ...

    def block(self, body: cst.BaseSuite, scope: ScopeBuilder) -> None: ...

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
    ) -> None: ...


class Branches:
    """Lowers the compound statements of one file."""

    def __init__(self, body: Body) -> None:
        self._body = body

    def if_(self, node: cst.If, scope: ScopeBuilder) -> None:
        root = scope.add_root(self._body.expr(node.test, scope), "test")
        number = scope.open_construct("if")
        before = scope.state.copy()
        with scope.arm(number, 0):
            self._body.block(node.body, scope)
        taken, scope.state = scope.state, before
        if node.orelse is not None:
            with scope.arm(number, 1):
                if isinstance(node.orelse, cst.If):
                    self._body.statement(node.orelse, scope)
                else:
                    self._body.block(node.orelse.body, scope)
        scope.close_construct(number, [not taken.live, not scope.state.live], [root])
        scope.state = joined([taken, scope.state])

    def _names(self, body: Sequence[cst.CSTNode]) -> frozenset[str]:
        return bound_names(body, self._body.has_walrus)

    def for_(self, node: cst.For, scope: ScopeBuilder) -> None:
        asynchronous = node.asynchronous is not None
        iterated = self._body.expr(node.iter, scope)
        root = scope.add_root(iterated, "iterate", asynchronous=asynchronous)
        number = scope.open_construct("for", asynchronous)
        heads = scope.enter_loop(self._names([node.body]))
        head = scope.state.copy()
        self._body.bind(scope, node.target, iterated, root, kind="for", asynchronous=asynchronous)
        with scope.arm(number, 0):
            self._body.block(node.body, scope)
        ended = not scope.state.live
        scope.leave_loop(heads, head, endless=False)
        self._loop_else(node.orelse, scope, number, ended, root)

    def while_(self, node: cst.While, scope: ScopeBuilder) -> None:
        heads = scope.enter_loop(self._names([node.test, node.body]))
        root = scope.add_root(self._body.expr(node.test, scope), "test")
        number = scope.open_construct("while")
        head = scope.state.copy()
        with scope.arm(number, 0):
            self._body.block(node.body, scope)
        ended = not scope.state.live
        endless = isinstance(node.test, (cst.Name, cst.Integer)) and node.test.value in _ENDLESS
        scope.leave_loop(heads, head, endless)
        self._loop_else(node.orelse, scope, number, ended, root)

    def _loop_else(
        self, orelse: cst.Else | None, scope: ScopeBuilder, number: int, body_ends: bool, root: int
    ) -> None:
        if orelse is not None:
            before = scope.state.copy()
            with scope.arm(number, 1):
                self._body.block(orelse.body, scope)
            scope.state = joined([before, scope.state])
        scope.close_construct(number, [body_ends, False], [root])

    def try_(self, node: cst.Try | cst.TryStar, scope: ScopeBuilder) -> None:
        number = scope.open_construct("try")
        before, mark = scope.state.copy(), len(scope.log)
        ends: list[bool] = []
        with scope.arm(number, 0):
            self._body.block(node.body, scope)
        ends.append(not scope.state.live)
        body_end = scope.state
        handled: list[State] = []
        thrown = scope.anywhere_since(before, mark)
        caught: list[Expr | None] = []
        handlers: Sequence[cst.ExceptHandler | cst.ExceptStarHandler] = node.handlers
        for arm, handler in enumerate(handlers, start=1):
            scope.state = thrown.copy()
            caught.append(None if handler.type is None else self._body.expr(handler.type, scope))
            with scope.arm(number, arm):
                if handler.name is not None and isinstance(handler.name.name, cst.Name):
                    scope.bind(handler.name.name.value, "except")
                self._body.block(handler.body, scope)
            ends.append(not scope.state.live)
            handled.append(scope.state)
        scope.state = body_end
        if node.orelse is not None:
            with scope.arm(number, len(ends)):
                self._body.block(node.orelse.body, scope)
        ends.append(not scope.state.live)
        scope.state = joined([scope.state, *handled])
        if node.finalbody is not None:
            live = scope.state.live
            if not live:
                scope.state = scope.anywhere_since(before, mark)
            with scope.arm(number, len(ends)):
                self._body.block(node.finalbody.body, scope)
            scope.state.live = scope.state.live and live
            ends.append(False)
        scope.close_construct(number, ends, has_finally=node.finalbody is not None, catches=caught)

    def with_(self, node: cst.With, scope: ScopeBuilder) -> None:
        asynchronous = node.asynchronous is not None
        roots = []
        for item in node.items:
            value = self._body.expr(item.item, scope)
            root = scope.add_root(value, "with", asynchronous=asynchronous)
            roots.append(root)
            if item.asname is not None:
                self._body.bind(scope, item.asname.name, value, root, kind="with", asynchronous=asynchronous)
        number = scope.open_construct("with", asynchronous)
        with scope.arm(number, 0):
            self._body.block(node.body, scope)
        scope.close_construct(number, [not scope.state.live], roots)

    def match_(self, node: cst.Match, scope: ScopeBuilder) -> None:
        root = scope.add_root(self._body.expr(node.subject, scope), "subject")
        number = scope.open_construct("match")
        before = scope.state.copy()
        after: list[State] = []
        ends: list[bool] = []
        for arm, case in enumerate(node.cases):
            scope.state = before.copy()
            with scope.arm(number, arm):
                for name in _captures(case.pattern):
                    scope.bind(name, "captured")
                if case.guard is not None:
                    scope.add_root(self._body.expr(case.guard, scope), "test")
                self._body.block(case.body, scope)
            ends.append(not scope.state.live)
            after.append(scope.state)
        scope.close_construct(number, ends, [root])
        scope.state = joined([before, *after])


def _captures(pattern: cst.CSTNode) -> list[str]:
    names: list[str] = []
    stack: list[cst.CSTNode] = [pattern]
    while stack:
        node = stack.pop()
        if (isinstance(node, cst.MatchAs) and node.name is not None) or (
            isinstance(node, cst.MatchStar) and node.name is not None
        ):
            names.append(node.name.value)
        elif isinstance(node, cst.MatchMapping) and node.rest is not None:
            names.append(node.rest.value)
        stack.extend(node.children)
    return names
