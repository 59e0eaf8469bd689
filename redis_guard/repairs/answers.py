"""What a write answered, as the tests after it ask for it.

Law of this file: a test speaks of the answer where it is true for success and for nothing else.
"""

import ast
from dataclasses import dataclass

from redis_guard.fixes.program import Program


@dataclass(frozen=True, slots=True)
class Answer:
    """What a write answered, in the tests after it."""

    whole: ast.expr
    kept: ast.expr | None
    """The variable that keeps it: a name, or an attribute of one."""
    none: bool = False
    """A write that did not succeed answers None."""

    def won(self, test: ast.expr) -> bool:
        """The test is true exactly where the write succeeded, and then nothing else decides."""
        match test:
            case ast.NamedExpr(value=value):
                return self.won(value)
            case ast.BoolOp(op=ast.And(), values=[*_, last]) if self.kept is None:
                return self.won(last)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.lost(operand)
            case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=value)]):
                alike = isinstance(op, ast.Eq) and type(value) is int and value == 1
                true = isinstance(op, ast.Is | ast.Eq) and value is True
                other = self.none and isinstance(op, ast.IsNot | ast.NotEq) and value is None
                return (alike or true or other) and self._is(left)
        return self._is(test)

    def lost(self, test: ast.expr) -> bool:
        """The test is false exactly where the write succeeded."""
        match test:
            case ast.BoolOp(op=ast.Or(), values=[*_, last]) if self.kept is None:
                return self.lost(last)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.won(operand)
            case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=value)]):
                alike = isinstance(op, ast.NotEq) and type(value) is int and value == 1
                untrue = isinstance(op, ast.IsNot | ast.NotEq) and value is True
                nothing = self.none and isinstance(op, ast.Is | ast.Eq) and value is None
                return (alike or untrue or nothing) and self._is(left)
        return False

    def _is(self, test: ast.expr) -> bool:
        if isinstance(test, ast.NamedExpr):
            return self._is(test.value)
        return test is self.whole or (self.kept is not None and ast.unparse(test) == ast.unparse(self.kept))


def kept_in(program: Program, whole: ast.expr, first: ast.stmt) -> ast.expr | None:
    match first:
        case ast.Assign(targets=[target], value=value) if value is whole:
            pass
        case ast.AnnAssign(target=target, value=value) if value is whole:
            pass
        case _:
            above = program.parent(whole)
            return above.target if isinstance(above, ast.NamedExpr) and isinstance(first, ast.Expr) else None
    own = isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name)
    return target if isinstance(target, ast.Name) or own else None


def surely_evaluated(whole: ast.expr, first: ast.stmt, answer: Answer) -> bool:
    """The call happens whenever its statement does, or where it does not the test says so."""
    match first:
        case ast.Expr(value=value) | ast.Assign(value=value) | ast.AnnAssign(value=value):
            return value is whole or (isinstance(value, ast.NamedExpr) and value.value is whole)
        case ast.If(test=test) | ast.While(test=test) | ast.Assert(test=test):
            return answer.won(test) or answer.lost(test)
    return False
