"""A test and the step that it decides about become one: the step's own answer decides.

Law of this file: only where nothing happens between the two. What cannot be said in the same shape is refused.
"""

import ast
from dataclasses import dataclass

from redis_guard.fixes.draft import Draft
from redis_guard.fixes.program import Program
from redis_guard.fixes.reading import moved
from redis_guard.repairs.written import neighbours

_LEAVES = ast.Return | ast.Raise | ast.Continue | ast.Break


@dataclass(frozen=True, slots=True)
class Step:
    """What is done, as an expression of the new code."""

    statement: ast.stmt
    """Where it stands: a statement of its own, or `return step`."""
    text: str
    as_bool: str
    """The same as True or False: `bool({})`, `{} == 1`, `{}`."""
    lost: object
    """What it gives when somebody else was first."""


def decide(draft: Draft, asked: ast.expr, holds: bool, step: Step) -> bool:
    """Let the step decide instead of what is asked; False where the shape is not a plain one.

    `holds`: the step is done when what is asked is true.
    """
    program = draft.program
    above = program.parent(asked)
    test: ast.expr = asked
    if isinstance(above, ast.BoolOp) and above.values[-1] is asked:
        test, above = above, program.parent(above)
    if not isinstance(above, ast.If) or above.test is not test or _is_elif(program, above):
        return False
    whole = test is asked
    if holds and above.body[0] is step.statement and (whole or _joined_by(test, ast.And)):
        return _inside(draft, above, asked, step)
    if not holds and above.orelse and above.orelse[0] is step.statement and whole:
        return _in_else(draft, above, step)
    if (
        not holds
        and not above.orelse
        and isinstance(above.body[-1], _LEAVES)
        and neighbours(program, above, step.statement)
        and (whole or _joined_by(test, ast.Or))
    ):
        return _behind(draft, above, asked, step)
    return False


def _joined_by(test: ast.expr, operator: type[ast.boolop]) -> bool:
    return isinstance(test, ast.BoolOp) and isinstance(test.op, operator)


def _is_elif(program: Program, statement: ast.If) -> bool:
    return program.text.startswith("elif", program.start(statement))


def _inside(draft: Draft, test: ast.If, asked: ast.expr, step: Step) -> bool:
    """`if absent: step; …`"""
    program = draft.program
    text = moved(program, step.text, step.statement, test)
    following = _next(program, test)
    otherwise = test.orelse[0] if len(test.orelse) == 1 else following if not test.orelse else None
    if test.test is asked and otherwise is not None and isinstance(otherwise, ast.Return):
        answers = test.body[1:] if isinstance(step.statement, ast.Expr) else test.body
        if len(answers) == 1 and _answer(draft, test, otherwise, answers[0], otherwise, step, text):
            return True
    if isinstance(step.statement, ast.Return):
        return False
    if len(test.body) > 1:
        draft.rewrite(asked, text)
        draft.remove_statement(step.statement)
    elif test.orelse:
        return test.test is asked and _turned_round(draft, test, text)
    elif test.test is asked:
        draft.rewrite(test, text)
    else:
        assert isinstance(test.test, ast.BoolOp)
        before = test.test.values[-2]
        closing = program.tokens_between(program.end(before), program.start(asked))
        kept = next(token for token in closing if token.text == "and").start
        draft.replace(_behind_space(program, kept), program.end(asked), "")
        draft.rewrite(step.statement, step.text)
    return True


def _behind_space(program: Program, offset: int) -> int:
    return len(program.text[:offset].rstrip(" \t"))


def _turned_round(draft: Draft, test: ast.If, text: str) -> bool:
    """`if absent: step; else: …` is `if not step: …`."""
    program = draft.program
    if program.text.startswith("elif", program.start(test.orelse[0])):
        return False
    between = program.tokens_between(program.end(test.body[-1]), program.start(test.orelse[0]))
    colon = next(token for token in between if token.text == ":")
    draft.replace(program.start(test.test), colon.end, f"not {text}:")
    return True


def _in_else(draft: Draft, test: ast.If, step: Step) -> bool:
    """`if present: …; else: step; …`"""
    program = draft.program
    if isinstance(step.statement, ast.Return):
        return False
    if program.text.startswith("elif", program.start(step.statement)):
        return False
    draft.rewrite(test.test, f"not {moved(program, step.text, step.statement, test)}")
    if len(test.orelse) > 1:
        draft.remove_statement(step.statement)
    else:
        draft.replace(program.end(test.body[-1]), program.end(step.statement), "")
    return True


def _behind(draft: Draft, test: ast.If, asked: ast.expr, step: Step) -> bool:
    """`if present: return; step; …`"""
    program = draft.program
    following = _next(program, step.statement)
    if test.test is asked and len(test.body) == 1:
        returned = isinstance(step.statement, ast.Return)
        last = step.statement if returned else following
        if last is not None and _answer(draft, test, test.body[0], last, last, step, step.text):
            return True
    if isinstance(step.statement, ast.Return):
        return False
    draft.rewrite(asked, f"not {step.text}")
    draft.remove_statement(step.statement)
    return True


def _answer(
    draft: Draft, test: ast.If, lost: ast.stmt, won: ast.stmt, last: ast.stmt, step: Step, text: str
) -> bool:
    """All that follows is to say whether it was done: then the step's answer is returned."""
    program = draft.program
    start, end = program.start(test), program.end(last)
    if not isinstance(lost, ast.Return) or not isinstance(won, ast.Return):
        return False
    if any(start <= comment.start < end for comment in program.comments):
        return False
    said = _constant(lost)
    sure = (True,) if won is step.statement else _constant(won)
    if said is None or sure is None:
        return False
    if said[0] is True and sure[0] is False:
        answer = f"not {text}"
    elif sure[0] is not True:
        return False
    elif said[0] is False:
        answer = step.as_bool.format(text)
    elif won is step.statement and said[0] == step.lost and type(said[0]) is type(step.lost):
        answer = text
    else:
        return False
    draft.replace(start, end, f"return {answer}")
    return True


def _constant(statement: ast.Return) -> tuple[object] | None:
    """What is returned, where it is a constant."""
    if statement.value is None:
        return (None,)
    return (statement.value.value,) if isinstance(statement.value, ast.Constant) else None


def _next(program: Program, statement: ast.stmt) -> ast.stmt | None:
    block = program.block(statement).statements
    number = next(n for n, each in enumerate(block) if each is statement)
    return block[number + 1] if number + 1 < len(block) else None
