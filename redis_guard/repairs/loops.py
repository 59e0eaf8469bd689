"""What is looped over, in statements and comprehensions.

Law of this file: a loop over something asynchronous has to say so.
"""

import ast
from dataclasses import dataclass

from redis_guard.fixes.draft import Draft
from redis_guard.fixes.program import Program
from redis_guard.project.model import Call


@dataclass(frozen=True, slots=True)
class Turning:
    """A loop and where its `for` stands."""

    node: ast.For | ast.comprehension
    start: int
    """The offset of the word `for`."""


def loop_over(program: Program, node: ast.expr) -> Turning | None:
    """The loop that goes over an expression, and over nothing but it."""
    above = program.parent(node)
    if isinstance(above, ast.For) and above.iter is node:
        return Turning(above, program.start(above))
    if isinstance(above, ast.comprehension) and above.iter is node and not above.is_async:
        before = program.tokens_between(0, program.start(above.target))
        words = [token for token in before if token.text == "for"]
        return Turning(above, words[-1].start) if words else None
    return None


def counts_each(program: Program, turning: Turning) -> bool:
    """What the loop makes would differ if it met the same thing twice: a list, or what a generator is handed to."""
    return isinstance(program.parent(turning.node), ast.ListComp | ast.GeneratorExp)


def within(program: Program, turning: Turning, call: Call) -> bool:
    """The call stands in the loop's body."""
    body = turning.node.body if isinstance(turning.node, ast.For) else [program.parent(turning.node)]
    lines = [
        (node.lineno, node.end_lineno or node.lineno)
        for node in body
        if isinstance(node, ast.stmt | ast.expr)
    ]
    return any(start <= call.span.line <= end for start, end in lines)


def may_be_asynchronous(program: Program, turning: Turning) -> bool:
    """`async for` may be written there: in a function of asyncio, and where it makes the same kind of object."""
    if isinstance(turning.node, ast.comprehension):
        made = program.parent(turning.node)
        if (
            not isinstance(made, ast.ListComp | ast.SetComp | ast.DictComp)
            or made.generators[0] is not turning.node
        ):
            return False
    return isinstance(program.function(turning.node), ast.AsyncFunctionDef)


def say_async(draft: Draft, turning: Turning) -> None:
    """`for` -> `async for`."""
    draft.insert(turning.start, "async ")
