"""libcst statements -> scopes: bodies, bindings, branches, in the order of execution.

Law of this file: a statement only moves the state of its scope and appends roots; it judges nothing.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import libcst as cst

from redis_guard.facts.bindings import bound_names
from redis_guard.facts.expressions import Expressions, operator
from redis_guard.facts.model import (
    Arg,
    Attr,
    Bin,
    Const,
    Expr,
    Name,
    Other,
    Param,
    Scope,
    Store,
    Sub,
)
from redis_guard.facts.positions import Positions
from redis_guard.facts.scopes import ScopeBuilder, joined

_ENDLESS = ("True", "1")


class Statements:
    """Lowers one file; `scopes` holds the result, the module first."""

    def __init__(self, places: Positions, has_walrus: bool) -> None:
        self._places = places
        self._has_walrus = has_walrus
        self._expr = Expressions(places, self)
        self.builders: list[ScopeBuilder] = []
        self.star_imports: list[str] = []
        self._lower: dict[type[cst.CSTNode], Callable[[Any, ScopeBuilder], None]] = {
            cst.Expr: self._expression,
            cst.Assign: self._assign,
            cst.AnnAssign: self._annotated,
            cst.AugAssign: self._augmented,
            cst.Return: self._return,
            cst.Raise: self._raise,
            cst.Assert: self._assert,
            cst.Del: self._delete,
            cst.Global: self._global,
            cst.Nonlocal: self._nonlocal,
            cst.Import: self._import,
            cst.ImportFrom: self._import_from,
            cst.Break: self._break,
            cst.Continue: self._continue,
            cst.If: self._if,
            cst.For: self._for,
            cst.While: self._while,
            cst.Try: self._try,
            cst.TryStar: self._try,
            cst.With: self._with,
            cst.Match: self._match,
            cst.FunctionDef: self._function,
            cst.ClassDef: self._class,
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
                    self._statement(small, scope)
            else:
                self._statement(statement, scope)

    def _statement(self, node: cst.CSTNode, scope: ScopeBuilder) -> None:
        if (place := self._places.get(id(node))) is not None:
            scope.line = place[0]
        if (lower := self._lower.get(type(node))) is not None:
            lower(node, scope)

    def _block(self, body: cst.BaseSuite, scope: ScopeBuilder) -> None:
        self._statements(body.body, scope)

    # -- simple statements

    def _expression(self, node: cst.Expr, scope: ScopeBuilder) -> None:
        value = self._expr(node.value, scope)
        if not isinstance(value, (Const, Name)):
            scope.add_root(value, "statement")

    def _assign(self, node: cst.Assign, scope: ScopeBuilder) -> None:
        value = self._expr(node.value, scope)
        root = scope.add_root(value, "assign")
        for target in node.targets:
            self._bind(scope, target.target, value, root)

    def _annotated(self, node: cst.AnnAssign, scope: ScopeBuilder) -> None:
        annotation = self._expr.annotation(node.annotation.annotation, scope)
        value = None if node.value is None else self._expr(node.value, scope)
        root = -1 if value is None else scope.add_root(value, "assign")
        if isinstance(node.target, cst.Name):
            kind: Any = "declared" if value is None else "assign"
            number = scope.bind(node.target.value, kind, value, annotation=annotation)
            if root >= 0:
                scope.give(root, node.target.value, number)
            return
        target = self._expr(node.target, scope)
        if isinstance(target, (Attr, Sub)):
            scope.stores.append(Store(target, value or Other(()), (), root, annotation, False))

    def _augmented(self, node: cst.AugAssign, scope: ScopeBuilder) -> None:
        target = self._expr(node.target, scope)
        value = Bin(operator(node.operator), target, self._expr(node.value, scope))
        root = scope.add_root(value, "augment")
        if isinstance(target, Name):
            scope.give(root, target.id, scope.bind(target.id, "augmented", value))
        elif isinstance(target, (Attr, Sub)):
            scope.stores.append(Store(target, value, (), root, None, True))

    def _return(self, node: cst.Return, scope: ScopeBuilder) -> None:
        value = Const(None) if node.value is None else self._expr(node.value, scope)
        scope.add_root(value, "return")
        scope.stop()

    def _raise(self, node: cst.Raise, scope: ScopeBuilder) -> None:
        parts = [node.exc, node.cause.item if node.cause else None]
        scope.add_root(Other(tuple(self._expr(part, scope) for part in parts if part is not None)), "raise")
        scope.stop()

    def _assert(self, node: cst.Assert, scope: ScopeBuilder) -> None:
        scope.add_root(self._expr(node.test, scope), "assert")

    def _delete(self, node: cst.Del, scope: ScopeBuilder) -> None:
        targets = [node.target]
        if isinstance(node.target, (cst.Tuple, cst.List)):
            targets = [element.value for element in node.target.elements]
        for target in targets:
            if isinstance(target, cst.Name):
                scope.bind(target.value, "deleted")
            else:
                scope.add_root(self._expr(target, scope), "delete")

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

    def _import(self, node: cst.Import, scope: ScopeBuilder) -> None:
        for alias in node.names:
            full = _dotted(alias.name)
            if alias.asname is not None and isinstance(alias.asname.name, cst.Name):
                scope.bind(alias.asname.name.value, "import", module=full)
            else:
                # `import a.b` binds a; b is found as its attribute
                scope.bind(
                    full.split(".")[0], "import", module=full.split(".")[0], target=-2 if "." in full else -1
                )

    def _import_from(self, node: cst.ImportFrom, scope: ScopeBuilder) -> None:
        module = "." * len(node.relative) + ("" if node.module is None else _dotted(node.module))
        if isinstance(node.names, cst.ImportStar):
            self.star_imports.append(module)
            return
        for alias in node.names:
            symbol = _dotted(alias.name)
            bound = (
                alias.asname.name.value
                if alias.asname and isinstance(alias.asname.name, cst.Name)
                else symbol
            )
            scope.bind(bound, "import", module=module, symbol=symbol)

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
        self._bind(scope, target, value, -1, kind="for", asynchronous=asynchronous)

    def _bind(
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
                self._bind(scope, element.value, value, root, path, kind=kind, asynchronous=asynchronous)
        else:
            lowered = self._expr(target, scope)
            if isinstance(lowered, (Attr, Sub)):
                scope.stores.append(Store(lowered, value, unpack, root, None, False))

    # -- branches

    def _if(self, node: cst.If, scope: ScopeBuilder) -> None:
        root = scope.add_root(self._expr(node.test, scope), "test")
        number = scope.open_construct("if")
        before = scope.state.copy()
        with scope.arm(number, 0):
            self._block(node.body, scope)
        taken, scope.state = scope.state, before
        if node.orelse is not None:
            with scope.arm(number, 1):
                if isinstance(node.orelse, cst.If):
                    self._statement(node.orelse, scope)
                else:
                    self._block(node.orelse.body, scope)
        scope.close_construct(number, [not taken.live, not scope.state.live], [root])
        scope.state = joined([taken, scope.state])

    def _names(self, body: Sequence[cst.CSTNode]) -> frozenset[str]:
        return bound_names(body, self._has_walrus)

    def _for(self, node: cst.For, scope: ScopeBuilder) -> None:
        asynchronous = node.asynchronous is not None
        iterated = self._expr(node.iter, scope)
        root = scope.add_root(iterated, "iterate", asynchronous=asynchronous)
        number = scope.open_construct("for", asynchronous)
        heads = scope.enter_loop(self._names([node.body]))
        head = scope.state.copy()
        self._bind(scope, node.target, iterated, root, kind="for", asynchronous=asynchronous)
        with scope.arm(number, 0):
            self._block(node.body, scope)
        ended = not scope.state.live
        scope.leave_loop(heads, head, endless=False)
        self._loop_else(node.orelse, scope, number, ended, root)

    def _while(self, node: cst.While, scope: ScopeBuilder) -> None:
        heads = scope.enter_loop(self._names([node.test, node.body]))
        root = scope.add_root(self._expr(node.test, scope), "test")
        number = scope.open_construct("while")
        head = scope.state.copy()
        with scope.arm(number, 0):
            self._block(node.body, scope)
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
                self._block(orelse.body, scope)
            scope.state = joined([before, scope.state])
        scope.close_construct(number, [body_ends, False], [root])

    def _try(self, node: cst.Try | cst.TryStar, scope: ScopeBuilder) -> None:
        number = scope.open_construct("try")
        before, mark = scope.state.copy(), len(scope.log)
        ends: list[bool] = []
        with scope.arm(number, 0):
            self._block(node.body, scope)
        ends.append(not scope.state.live)
        body_end, handled = scope.state, []
        thrown = scope.anywhere_since(before, mark)
        for arm, handler in enumerate(node.handlers, start=1):
            scope.state = thrown.copy()
            with scope.arm(number, arm):
                if handler.name is not None and isinstance(handler.name.name, cst.Name):
                    scope.bind(handler.name.name.value, "except")
                self._block(handler.body, scope)
            ends.append(not scope.state.live)
            handled.append(scope.state)
        scope.state = body_end
        if node.orelse is not None:
            with scope.arm(number, len(ends)):
                self._block(node.orelse.body, scope)
        ends.append(not scope.state.live)
        scope.state = joined([scope.state, *handled])
        if node.finalbody is not None:
            live = scope.state.live
            if not live:
                scope.state = scope.anywhere_since(before, mark)
            with scope.arm(number, len(ends)):
                self._block(node.finalbody.body, scope)
            scope.state.live = scope.state.live and live
            ends.append(False)
        scope.close_construct(number, ends, has_finally=node.finalbody is not None)

    def _with(self, node: cst.With, scope: ScopeBuilder) -> None:
        asynchronous = node.asynchronous is not None
        roots = []
        for item in node.items:
            value = self._expr(item.item, scope)
            root = scope.add_root(value, "with", asynchronous=asynchronous)
            roots.append(root)
            if item.asname is not None:
                self._bind(scope, item.asname.name, value, root, kind="with", asynchronous=asynchronous)
        number = scope.open_construct("with", asynchronous)
        with scope.arm(number, 0):
            self._block(node.body, scope)
        scope.close_construct(number, [not scope.state.live], roots)

    def _match(self, node: cst.Match, scope: ScopeBuilder) -> None:
        root = scope.add_root(self._expr(node.subject, scope), "subject")
        number = scope.open_construct("match")
        before, after, ends = scope.state.copy(), [], []
        for arm, case in enumerate(node.cases):
            scope.state = before.copy()
            with scope.arm(number, arm):
                for name in _captures(case.pattern):
                    scope.bind(name, "captured")
                if case.guard is not None:
                    scope.add_root(self._expr(case.guard, scope), "test")
                self._block(case.body, scope)
            ends.append(not scope.state.live)
            after.append(scope.state)
        scope.close_construct(number, ends, [root])
        scope.state = joined([before, *after])

    # -- scopes

    def _open(self, kind: Any, name: str, within: ScopeBuilder) -> ScopeBuilder:
        prefix = f"{within.qualname}." if within.qualname else ""
        scope = ScopeBuilder(len(self.builders), kind, name, prefix + name, within.index)
        scope.line = within.line
        self.builders.append(scope)
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
                annotation = self._expr.annotation(param.annotation.annotation, within)
            default = None if param.default is None else self._expr(param.default, within)
            if default is not None and not isinstance(default, Const):
                within.add_root(default, "default")
            number = len(scope.params)
            scope.params.append(Param(param.name.value, annotation, default, star, keyword_only))
            scope.bind(param.name.value, "parameter", default, annotation=annotation, target=number)

    def lambda_scope(self, node: cst.Lambda, within: ScopeBuilder) -> int:
        scope = self._open("lambda", "<lambda>", within)
        self._parameters(node.params, scope, within)
        scope.add_root(self._expr(node.body, scope), "return")
        return scope.index

    def _function(self, node: cst.FunctionDef, within: ScopeBuilder) -> None:
        scope = self._open("function", node.name.value, within)
        scope.span = self._places.get(id(node), scope.span)
        scope.asynchronous = node.asynchronous is not None
        scope.decorators = self._decorators(node.decorators, within)
        self._parameters(node.params, scope, within)
        if node.returns is not None:
            scope.returns = self._expr.annotation(node.returns.annotation, within)
        within.bind(node.name.value, "function", target=scope.index)
        self._block(node.body, scope)

    def _decorators(self, nodes: Sequence[cst.Decorator], within: ScopeBuilder) -> tuple[Expr, ...]:
        lowered = tuple(self._expr(node.decorator, within) for node in nodes)
        for value in lowered:
            if not isinstance(value, (Name, Attr)):
                within.add_root(value, "decorator")
        return lowered

    def _class(self, node: cst.ClassDef, within: ScopeBuilder) -> None:
        scope = self._open("class", node.name.value, within)
        scope.span = self._places.get(id(node), scope.span)
        scope.decorators = self._decorators(node.decorators, within)
        bases = []
        for arg in (*node.bases, *node.keywords):
            value = self._expr(arg.value, within)
            if not isinstance(value, (Name, Attr)):
                within.add_root(value, "base")
            bases.append(Arg(value, arg.keyword.value if arg.keyword else None, len(arg.star)))
        scope.bases = tuple(bases)
        within.bind(node.name.value, "class", target=scope.index)
        self._block(node.body, scope)


def _dotted(node: cst.BaseExpression) -> str:
    parts: list[str] = []
    while isinstance(node, cst.Attribute):
        parts.append(node.attr.value)
        node = node.value
    if isinstance(node, cst.Name):
        parts.append(node.value)
    return ".".join(reversed(parts))


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
