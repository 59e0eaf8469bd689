"""What is done with an answer: which tests ask it, and where it is known how it was.

Law of this file: a place is reached with the lock only where a test around it, or one that is left before, says so.
"""

import ast
from collections.abc import Callable, Sequence

from redis_guard.fixes.program import Program

Says = Callable[[ast.expr], bool]
"""Whether an expression is the answer: the call itself, or the variable that holds it."""


def in_test(program: Program, node: ast.expr) -> bool:
    """Nothing but the truth of the value counts."""
    above = program.parent(node)
    match above:
        case ast.UnaryOp(op=ast.Not()):
            return True
        case ast.BoolOp():
            return in_test(program, above)
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) | ast.Assert(test=test):
            return test is node
        case ast.comprehension(ifs=tests):
            return any(test is node for test in tests)
        case ast.Call(func=ast.Name(id="bool"), args=[only], keywords=[]):
            return only is node
    return False


def polarity(test: ast.expr, says: Says) -> bool | None:
    """True where the test holds just when the answer is yes, False just when it is no; else None."""
    if says(test):
        return True
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            found = polarity(inner, says)
            return None if found is None else not found
        case ast.NamedExpr(value=inner) | ast.Call(func=ast.Name(id="bool"), args=[inner], keywords=[]):
            return polarity(inner, says)
        case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=None | True | False as value)]):
            found = polarity(left, says)
            same = isinstance(op, ast.Is | ast.Eq)
            if found is None or not (same or isinstance(op, ast.IsNot | ast.NotEq)):
                return None
            return found is (same is (value is True))
    return None


def implies(test: ast.expr, held: bool, says: Says) -> bool:
    """Whether the answer must have been yes when the test came out as `held`."""
    found = polarity(test, says)
    if found is not None:
        return found is held
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And if held else ast.Or):
        return any(implies(value, held, says) for value in test.values)
    return False


def held_at(program: Program, node: ast.AST, says: Says) -> bool:
    """Whether control comes to `node` only when the answer was yes."""
    below = node
    for above in program.parents(node):
        match above:
            case ast.If(test=test, body=body, orelse=orelse) | ast.While(test=test, body=body, orelse=orelse):
                if _among(below, body) and implies(test, True, says):
                    return True
                if isinstance(above, ast.If) and _among(below, orelse) and implies(test, False, says):
                    return True
        if isinstance(below, ast.stmt) and _left_before(_block(above, below), below, says):
            return True
        if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            return False
        below = above
    return False


def _left_before(block: Sequence[ast.stmt], statement: ast.stmt, says: Says) -> bool:
    """An earlier statement of the block goes on only with a yes."""
    for each in block:
        if each is statement:
            return False
        match each:
            case ast.If(test=test, body=body, orelse=orelse):
                if leaves(body) and implies(test, False, says):
                    return True
                if orelse and leaves(orelse) and implies(test, True, says):
                    return True
            case ast.While(test=test, orelse=[]) if implies(test, False, says) and not _breaks(each):
                return True
    return False


def leaves(body: Sequence[ast.stmt]) -> bool:
    """Control never passes the end of these statements."""
    match body[-1] if body else None:
        case ast.Return() | ast.Raise() | ast.Continue() | ast.Break():
            return True
        case ast.If(body=inner, orelse=orelse):
            return leaves(inner) and leaves(orelse)
    return False


def _breaks(loop: ast.While) -> bool:
    return any(isinstance(node, ast.Break) for node in ast.walk(loop))


def _among(node: ast.AST, block: Sequence[ast.stmt]) -> bool:
    return any(each is node for each in block)


def _block(owner: ast.AST, statement: ast.stmt) -> Sequence[ast.stmt]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(owner, name, None)
        if isinstance(block, list) and _among(statement, block):
            return block
    return ()


def compares(above: ast.AST | None, answer: ast.expr) -> bool | None:
    """The polarity of a comparison with None, True or False around an answer; None where it is none."""
    if not isinstance(above, ast.Compare):
        return None
    return polarity(above, lambda test: test is answer)
