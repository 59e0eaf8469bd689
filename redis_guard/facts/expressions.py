"""libcst expressions -> fact expressions, in the order in which Python evaluates them.

Law of this file: every call, subscript, comparison, await and name survives; what has no meaning of its
own becomes `Other`, with its parts.
"""

import ast
import re
from collections.abc import Callable
from typing import Any, Protocol

import libcst as cst

from redis_guard.facts.model import (
    Arg,
    Attr,
    Await,
    Bin,
    Bool,
    Call,
    ClauseRole,
    Comp,
    Compare,
    Cond,
    Const,
    Dict,
    Expr,
    Joined,
    Lambda,
    Name,
    Other,
    Seq,
    Star,
    Sub,
    Unary,
    Walrus,
    Yield,
)
from redis_guard.facts.positions import Positions
from redis_guard.facts.scopes import ScopeBuilder

_UNKNOWN = Other(())
_MOST_BITS = 1024
"""Of an integer: what a float can still hold."""
_BINARY: dict[type[cst.CSTNode], str] = {
    cst.Add: "+", cst.Subtract: "-", cst.Multiply: "*", cst.Divide: "/", cst.FloorDivide: "//", cst.Modulo: "%",
    cst.Power: "**", cst.BitOr: "|", cst.BitAnd: "&", cst.BitXor: "^", cst.LeftShift: "<<", cst.RightShift: ">>",
    cst.MatrixMultiply: "@",
}  # fmt: skip
_COMPARE: dict[type[cst.CSTNode], str] = {
    cst.Equal: "==", cst.NotEqual: "!=", cst.LessThan: "<", cst.LessThanEqual: "<=", cst.GreaterThan: ">",
    cst.GreaterThanEqual: ">=", cst.Is: "is", cst.IsNot: "is not", cst.In: "in", cst.NotIn: "not in",
}  # fmt: skip
_UNARY: dict[type[cst.CSTNode], str] = {cst.Not: "not", cst.Minus: "-", cst.Plus: "+", cst.BitInvert: "~"}
_COMPREHENSIONS: dict[type[cst.CSTNode], str] = {
    cst.ListComp: "list", cst.SetComp: "set", cst.DictComp: "dict", cst.GeneratorExp: "generator",
}  # fmt: skip
_SINGLETONS: dict[str, bool | None] = {"None": None, "True": True, "False": False}


def operator(node: cst.BaseBinaryOp | cst.BaseAugOp) -> str:
    """`+` for Add and for AddAssign."""
    if isinstance(node, cst.BaseBinaryOp):
        return _BINARY[type(node)]
    return _BINARY[getattr(cst, type(node).__name__.removesuffix("Assign"))]


class Bodies(Protocol):
    """What expressions need of the rest: lambdas open scopes, targets bind names."""

    def lambda_scope(self, node: cst.Lambda, within: ScopeBuilder) -> int: ...

    def bind_target(
        self, scope: ScopeBuilder, target: cst.BaseExpression, value: Expr, *, asynchronous: bool
    ) -> None: ...


class Expressions:
    """Lowers the expressions of one file."""

    def __init__(self, places: Positions, bodies: Bodies) -> None:
        self._places = places
        self._bodies = bodies
        self._lower: dict[type[cst.CSTNode], Callable[[Any, ScopeBuilder], Expr]] = {
            cst.Name: self._name,
            cst.Attribute: self._attribute,
            cst.Call: self._call,
            cst.Subscript: self._subscript,
            cst.Integer: self._number,
            cst.Float: self._number,
            cst.SimpleString: self._string,
            cst.ConcatenatedString: self._concatenated,
            cst.FormattedString: self._formatted,
            cst.BinaryOperation: self._binary,
            cst.BooleanOperation: self._boolean,
            cst.UnaryOperation: self._unary,
            cst.Comparison: self._comparison,
            cst.IfExp: self._conditional,
            cst.List: self._display,
            cst.Tuple: self._display,
            cst.Set: self._display,
            cst.Dict: self._dict,
            cst.Lambda: self._lambda,
            cst.ListComp: self._comprehension,
            cst.SetComp: self._comprehension,
            cst.GeneratorExp: self._comprehension,
            cst.DictComp: self._comprehension,
            cst.Await: self._await,
            cst.Yield: self._yield,
            cst.NamedExpr: self._walrus,
        }

    def __call__(self, node: cst.BaseExpression, scope: ScopeBuilder) -> Expr:
        lower = self._lower.get(type(node))
        return _UNKNOWN if lower is None else lower(node, scope)

    def annotation(self, node: cst.BaseExpression, scope: ScopeBuilder) -> Expr:
        """An annotation; one in quotes is read as the expression it quotes."""
        if isinstance(node, (cst.SimpleString, cst.ConcatenatedString)):
            text = node.evaluated_value
            if isinstance(text, str) and (quoted := parse_annotation(text)) is not None:
                return self.annotation(quoted, scope)
            return _UNKNOWN
        if isinstance(node, cst.Subscript):
            value = self(node.value, scope)
            parts = [
                self.annotation(item.slice.value, scope)
                for item in node.slice
                if isinstance(item.slice, cst.Index)
            ]
            index = parts[0] if len(parts) == 1 else Seq("tuple", tuple(parts))
            return Sub(value, index, self._places.get(id(node), (scope.line, 1, scope.line, 1)))
        if isinstance(node, cst.BinaryOperation):
            return Bin(
                operator(node.operator), self.annotation(node.left, scope), self.annotation(node.right, scope)
            )
        return self(node, scope)

    def _place(self, node: cst.CSTNode, scope: ScopeBuilder) -> tuple[int, int, int, int]:
        # only nodes of a quoted annotation or a type comment have no place
        return self._places.get(id(node), (scope.line, 1, scope.line, 1))

    def _name(self, node: cst.Name, scope: ScopeBuilder) -> Expr:
        if node.value in _SINGLETONS:
            return Const(_SINGLETONS[node.value])
        return Name(node.value, scope.read(node.value))

    def _attribute(self, node: cst.Attribute, scope: ScopeBuilder) -> Expr:
        return Attr(self(node.value, scope), node.attr.value)

    def _call(self, node: cst.Call, scope: ScopeBuilder) -> Expr:
        func = self(node.func, scope)
        args = tuple(
            Arg(self(arg.value, scope), arg.keyword.value if arg.keyword else None, len(arg.star))
            for arg in node.args
        )
        return Call(func, args, self._place(node, scope))

    def _subscript(self, node: cst.Subscript, scope: ScopeBuilder) -> Expr:
        value = self(node.value, scope)
        parts: list[Expr] = []
        for element in node.slice:
            if isinstance(element.slice, cst.Index):
                parts.append(self(element.slice.value, scope))
            elif isinstance(element.slice, cst.Slice):
                bounds = (element.slice.lower, element.slice.upper, element.slice.step)
                parts.append(Other(tuple(self(bound, scope) for bound in bounds if bound is not None)))
        index = parts[0] if len(parts) == 1 else Seq("tuple", tuple(parts))
        return Sub(value, index, self._place(node, scope))

    def _number(self, node: cst.Integer | cst.Float, scope: ScopeBuilder) -> Expr:
        try:
            value = ast.literal_eval(node.value)
        except (SyntaxError, ValueError):  # more digits than the interpreter converts
            return _UNKNOWN
        # in another base the interpreter reads any number of them, and cannot write them down
        readable = isinstance(value, float) or value.bit_length() <= _MOST_BITS
        return Const(value) if readable else _UNKNOWN

    def _string(self, node: cst.SimpleString, scope: ScopeBuilder) -> Expr:
        return Const(_literal(node.value))

    def _concatenated(self, node: cst.ConcatenatedString, scope: ScopeBuilder) -> Expr:
        parts: list[Expr] = []
        for side in (self(node.left, scope), self(node.right, scope)):
            parts.extend(side.parts if isinstance(side, Joined) else (side,))
        texts = [part.value for part in parts if isinstance(part, Const)]
        if len(texts) < len(parts):
            return Joined(tuple(parts))
        if all(isinstance(text, bytes) for text in texts):
            return Const(b"".join(text for text in texts if isinstance(text, bytes)))
        return Const("".join(text for text in texts if isinstance(text, str)))

    def _formatted(self, node: cst.FormattedString, scope: ScopeBuilder) -> Expr:
        raw = "r" in node.prefix.lower()
        parts: list[Expr] = []
        for part in node.parts:
            if isinstance(part, cst.FormattedStringText):
                text = part.value.replace("{{", "{").replace("}}", "}")
                parts.append(Const(text if raw or "\\" not in text else _unescaped(text)))
            elif isinstance(part, cst.FormattedStringExpression):
                value = self(part.expression, scope)
                spec = [
                    self(inner.expression, scope)
                    for inner in part.format_spec or ()
                    if isinstance(inner, cst.FormattedStringExpression)
                ]
                parts.append(Other((value, *spec)) if part.format_spec else value)
        return Joined(tuple(parts))

    def _binary(self, node: cst.BinaryOperation, scope: ScopeBuilder) -> Expr:
        # a sum of many terms leans to the left: go down its spine without recursion
        spine: list[cst.BinaryOperation] = [node]
        while isinstance(left := spine[-1].left, cst.BinaryOperation):
            spine.append(left)
        value = self(spine[-1].left, scope)
        for link in reversed(spine):
            value = Bin(_BINARY[type(link.operator)], value, self(link.right, scope))
        return value

    def _boolean(self, node: cst.BooleanOperation, scope: ScopeBuilder) -> Expr:
        spine: list[cst.BooleanOperation] = [node]
        while isinstance(left := spine[-1].left, cst.BooleanOperation):
            spine.append(left)
        value = self(spine[-1].left, scope)
        for link in reversed(spine):
            word = "and" if isinstance(link.operator, cst.And) else "or"
            value = Bool(word, value, self(link.right, scope))
        return value

    def _unary(self, node: cst.UnaryOperation, scope: ScopeBuilder) -> Expr:
        value = self(node.expression, scope)
        op = _UNARY[type(node.operator)]
        if op == "-" and isinstance(value, Const) and isinstance(value.value, (int, float)):
            return Const(-value.value)
        return Unary(op, value)

    def _comparison(self, node: cst.Comparison, scope: ScopeBuilder) -> Expr:
        left = self(node.left, scope)
        ops = tuple(_COMPARE[type(target.operator)] for target in node.comparisons)
        rights = tuple(self(target.comparator, scope) for target in node.comparisons)
        return Compare(left, ops, rights, self._place(node, scope))

    def _conditional(self, node: cst.IfExp, scope: ScopeBuilder) -> Expr:
        test = self(node.test, scope)
        return Cond(test, self(node.body, scope), self(node.orelse, scope))

    def _display(self, node: cst.List | cst.Tuple | cst.Set, scope: ScopeBuilder) -> Expr:
        items: list[Expr] = []
        for element in node.elements:
            value = self(element.value, scope)
            items.append(Star(value) if isinstance(element, cst.StarredElement) else value)
        return Seq(type(node).__name__.lower(), tuple(items))

    def _dict(self, node: cst.Dict, scope: ScopeBuilder) -> Expr:
        items: list[tuple[Expr | None, Expr]] = []
        for element in node.elements:
            key = self(element.key, scope) if isinstance(element, cst.DictElement) else None
            items.append((key, self(element.value, scope)))
        return Dict(tuple(items))

    def _lambda(self, node: cst.Lambda, scope: ScopeBuilder) -> Expr:
        return Lambda(self._bodies.lambda_scope(node, scope))

    def _comprehension(self, node: cst.BaseSimpleComp | cst.DictComp, scope: ScopeBuilder) -> Expr:
        outside = dict(scope.state.env)
        clauses: list[Expr] = []
        roles: list[ClauseRole] = []
        clause: cst.CompFor | None = node.for_in
        while clause is not None:
            iterated = self(clause.iter, scope)
            clauses.append(iterated)
            asynchronous = clause.asynchronous is not None
            self._bodies.bind_target(scope, clause.target, iterated, asynchronous=asynchronous)
            clauses.extend(self(test.test, scope) for test in clause.ifs)
            roles.append("async for" if asynchronous else "for")
            roles.extend("if" for _ in clause.ifs)
            clause = clause.inner_for_in
        made = (node.key, node.value) if isinstance(node, cst.DictComp) else (node.elt,)
        elements = tuple(self(part, scope) for part in made)
        scope.state.env = outside
        return Comp(_COMPREHENSIONS[type(node)], elements, tuple(clauses), tuple(roles))

    def _await(self, node: cst.Await, scope: ScopeBuilder) -> Expr:
        return Await(self(node.expression, scope))

    def _yield(self, node: cst.Yield, scope: ScopeBuilder) -> Expr:
        scope.generator = True
        if isinstance(node.value, cst.From):
            return Yield(self(node.value.item, scope), True)
        return Yield(None if node.value is None else self(node.value, scope), False)

    def _walrus(self, node: cst.NamedExpr, scope: ScopeBuilder) -> Expr:
        value = self(node.value, scope)
        if not isinstance(node.target, cst.Name):
            return value
        name = node.target.value
        number = scope.bind(name, "assign", value)
        # the definition of an outer name has no number in this scope
        return value if name in scope.outer else Walrus(name, number, value)


def parse_annotation(text: str) -> cst.BaseExpression | None:
    """The expression that a quoted annotation or a type comment holds; None where it holds none."""
    try:
        return cst.parse_expression(text.strip())
    except (cst.ParserSyntaxError, cst.CSTValidationError, RecursionError):
        return None


def _literal(source: str) -> str | bytes:
    try:
        value = ast.literal_eval(source)
    except (SyntaxError, ValueError):
        return source
    return value if isinstance(value, (str, bytes)) else source


def _unescaped(text: str) -> str:
    quoted = _UNQUOTED.sub(lambda found: found[1] or _QUOTED[found[0]], text)
    return str(_literal(f'"{quoted}"'))


_UNQUOTED = re.compile(r"(\\.)|[\"\n\r]", re.DOTALL)
"""What is escaped already, and what would end a string in double quotes."""
_QUOTED = {'"': '\\"', "\n": "\\n", "\r": "\\r"}
