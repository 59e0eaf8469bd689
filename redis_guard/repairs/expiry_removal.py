"""An EXPIRE that is not needed any more goes, and an `if` that held nothing else goes with it.

Law of this file: the other arm of such an `if` stays, and so does what its test does.
"""

import ast

from redis_guard.fixes.draft import Draft
from redis_guard.fixes.program import Program
from redis_guard.repairs.afterwards import Afterwards
from redis_guard.repairs.written import Written


def remove_expiry(draft: Draft, expiry: Written, way: Afterwards, whole: ast.expr | None) -> None:
    """Take out the statement of `expiry`; `whole` is the write that `way.guard` may be a test of."""
    guard, statement = way.guard, expiry.statement
    program = draft.program
    alone = guard is not None and [statement] in (guard.body, guard.orelse)
    if guard is None or not alone or _commented(program, guard, statement):
        draft.remove_statement(statement)
    elif guard.orelse == [statement]:
        draft.replace(program.end(guard.body[-1]), program.end(statement), "")
    elif guard.orelse:
        _negate(draft, guard)
    elif program.source(guard).startswith("elif"):
        draft.remove_statement(statement)
    elif _without_effects(guard.test):
        draft.remove_statement(guard)
    elif not _only_test(draft, guard, whole):
        draft.remove_statement(statement)


def _commented(program: Program, guard: ast.If, statement: ast.stmt) -> bool:
    """A comment stands beside the EXPIRE, or between the test and it."""
    stop = program.lines.stops[(statement.end_lineno or statement.lineno) - 1]
    return any(program.end(guard.test) <= comment.start < stop for comment in program.comments)


def _without_effects(test: ast.expr) -> bool:
    """`won`, `not self.won`, `won is True`."""
    plain = ast.Name | ast.Attribute | ast.Constant | ast.Compare | ast.UnaryOp
    signs = ast.cmpop | ast.unaryop | ast.expr_context
    return all(isinstance(node, plain | signs) for node in ast.walk(test))


def _only_test(draft: Draft, guard: ast.If, whole: ast.expr | None) -> bool:
    """`if r.setnx(…): r.expire(…)` becomes the test alone, as a statement; whether that can be."""
    program, test = draft.program, guard.test
    named = isinstance(test, ast.NamedExpr) and test.value is whole
    if test is not whole and not named:
        return False
    draft.replace(program.start(guard), program.start(test), "")
    if isinstance(test, ast.NamedExpr):
        draft.replace(program.end(test.target), program.start(test.value), " = ")
    draft.replace(program.end(test), program.end(guard), "")
    return True


def _negate(draft: Draft, guard: ast.If) -> None:
    """`if won: r.expire(…) else: lose()` becomes `if not won: lose()`."""
    program = draft.program
    between = program.tokens_between(program.end(guard.body[0]), program.start(guard.orelse[0]))
    test = guard.test
    if not between or between[0].text != "else" or not isinstance(test, ast.Name | ast.Call | ast.Await):
        draft.remove_statement(guard.body[0])
        return
    header = program.tokens_between(program.end(test), program.start(guard.body[0]))
    if header[0].text != ":":  # the test stands in parentheses
        draft.remove_statement(guard.body[0])
        return
    draft.insert(program.start(test), "not ")
    draft.replace(header[0].end, between[1].end, "")
