"""A WATCH that was in vain is tried again.

Law of this file: the whole block of the pipeline is the attempt, as what was read belongs to it.
"""

import ast
from dataclasses import dataclass

from redis_guard.finding import Fix
from redis_guard.fixes.draft import Draft
from redis_guard.fixes.imports import need_import
from redis_guard.fixes.program import Program
from redis_guard.project.model import Call
from redis_guard.repairs.leaving import breaks
from redis_guard.repairs.written import find, stands_alone_on_lines

_ERROR = "WatchError"


@dataclass(frozen=True, slots=True)
class WatchedAgain:
    """`watch` and `sent` stand in one `with client.pipeline() as pipe:`."""

    watch: Call
    sent: Call

    def fix(self, program: Program) -> Fix | None:
        watch, sent = find(program, self.watch), find(program, self.sent)
        if watch is None or sent is None:
            return None
        owner = program.block(watch.statement).owner
        if not isinstance(owner, ast.With | ast.AsyncWith) or owner.body[0] is not watch.statement:
            return None
        if (
            owner.body[-1] is not sent.statement
            or not sent.alone
            or not stands_alone_on_lines(program, sent.statement)
        ):
            return None
        if any(_loops_out(each) for each in owner.body) or _has_text_over_lines(program, owner):
            return None
        if _ERROR in program.names and not _imported(program):
            return None
        draft = Draft(program)
        unit, ending = program.indent_unit, program.ending(watch.statement)
        base = program.indent(watch.statement)
        first = watch.statement.lineno
        last = sent.statement.end_lineno or sent.statement.lineno
        draft.insert(program.lines.starts[first - 1], f"{base}while True:{ending}{base}{unit}try:{ending}")
        for number in range(first, last + 1):
            if program.lines.line(number).strip():
                draft.insert(program.lines.starts[number - 1], unit * 2)
        stop = program.lines.stops[last - 1]
        deeper = f"{base}{unit}"
        rest = f"{ending}{deeper}{unit}break{ending}{deeper}except {_ERROR}:{ending}{deeper}{unit}continue"
        draft.insert(stop, rest)
        if not _imported(program):
            need_import(draft, f"from redis.exceptions import {_ERROR}")
        return draft.fix(
            "Try again when somebody else was first; nothing in it may be done twice in vain", "unsafe"
        )


def _loops_out(statement: ast.stmt) -> bool:
    """It ends or turns a loop around the block."""
    turns = any(isinstance(node, ast.Continue) for node in ast.walk(statement))
    return breaks(statement) or turns


def _has_text_over_lines(program: Program, block: ast.With | ast.AsyncWith) -> bool:
    """A string or a backslash goes over lines, which may not be indented."""
    inside = program.tokens_between(program.start(block.body[0]), program.end(block.body[-1]))
    text = program.text[program.start(block.body[0]) : program.end(block.body[-1])]
    return "\\\n" in text or any("\n" in token.text or "\r" in token.text for token in inside)


def _imported(program: Program) -> bool:
    return any(
        isinstance(each, ast.ImportFrom)
        and any(name.name == _ERROR and not name.asname for name in each.names)
        for each in program.tree.body
    )
