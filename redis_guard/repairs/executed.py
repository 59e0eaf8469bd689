"""A pipeline that is filled is sent.

Law of this file: behind the last command that is queued, in the block in which the pipeline is opened.
"""

import ast
from dataclasses import dataclass

from redis_guard.finding import Fix
from redis_guard.fixes.draft import Draft
from redis_guard.fixes.program import Program
from redis_guard.project.model import Call
from redis_guard.repairs.leaving import leave
from redis_guard.repairs.written import Written, find, stands_alone_on_lines


@dataclass(frozen=True, slots=True)
class Executed:
    """`opening` makes the pipeline on which `queued` are put."""

    opening: Call
    queued: tuple[Call, ...]

    def fix(self, program: Program) -> Fix | None:
        opening = find(program, self.opening)
        found = [find(program, call) for call in self.queued]
        calls = [call for call in found if call is not None]
        if opening is None or not calls or len(calls) < len(found):
            return None
        wait = "await " * self.opening.asynchronous
        place = _kept_in(opening)
        if place is None:
            return self._chained(opening, calls, wait)
        name, block = place
        filling = [each for each in block if any(_inside(each, call.node) for call in calls)]
        if not filling or leave(block[: block.index(filling[-1])]) or leave([filling[-1]]):
            return None
        last = filling[-1]
        if not stands_alone_on_lines(program, last):
            return None
        draft = Draft(program)
        number = (last.end_lineno or last.lineno) + 1
        text = f"{program.indent(last)}{wait}{name}.execute()"
        if number <= len(program.lines):
            draft.insert(program.lines.starts[number - 1], f"{text}{program.ending(last)}")
        else:
            joint = "" if program.text.endswith(("\n", "\r")) else program.ending(last)
            draft.insert(len(program.text), f"{joint}{text}{program.ending(last)}")
        return draft.fix("Send it", "unsafe")

    def _chained(self, opening: Written, calls: list[Written], wait: str) -> Fix | None:
        """`r.pipeline().set("a", 1).set("b", 2)` as a statement."""
        outermost = max(calls, key=lambda call: opening.program.end(call.node))
        if self.opening.result.use != "chained" or not outermost.alone:
            return None
        draft = Draft(opening.program)
        draft.insert(opening.program.start(outermost.node), wait)
        draft.insert(opening.program.end(outermost.node), ".execute()")
        return draft.fix("Send it", "unsafe")


def _kept_in(opening: Written) -> tuple[str, list[ast.stmt]] | None:
    """The variable that holds the pipeline, and the block in which it is there."""
    program, statement = opening.program, opening.statement
    if isinstance(statement, ast.With | ast.AsyncWith):
        for item in statement.items:
            if item.context_expr is opening.whole and isinstance(item.optional_vars, ast.Name):
                return item.optional_vars.id, statement.body
    if isinstance(statement, ast.Assign) and statement.value is opening.whole and len(statement.targets) == 1:
        target = statement.targets[0]
        if isinstance(target, ast.Name | ast.Attribute):
            block = program.block(statement).statements
            return program.source(target), block[block.index(statement) :]
    return None


def _inside(statement: ast.stmt, node: ast.AST) -> bool:
    return any(each is node for each in ast.walk(statement))
