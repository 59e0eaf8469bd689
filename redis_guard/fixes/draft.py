"""A fix being written: edits collected, and at the end looked at together.

Law of this file: no comment is lost. A fix that would lose one is none.
"""

import ast
from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from redis_guard.finding import Edit, Fix
from redis_guard.fixes.edits import EditError, apply_edits
from redis_guard.fixes.program import Program

Applicability = Literal["safe", "unsafe"]


@dataclass(slots=True)
class Draft:
    """Edits of one program."""

    program: Program
    edits: list[Edit] = field(default_factory=list)

    def replace(self, start: int, end: int, text: str) -> None:
        """Write `text` over what stands between two offsets."""
        if self.program.text[start:end] != text:
            self.edits.append(Edit(self.program.between(start, end), text))

    def insert(self, offset: int, text: str) -> None:
        self.replace(offset, offset, text)

    def rewrite(self, node: ast.expr | ast.stmt | ast.keyword, text: str) -> None:
        """Write `text` in place of a node."""
        self.replace(self.program.start(node), self.program.end(node), text)

    # -- calls -----------------------------------------------------------------------------------------------------

    def rename_method(self, call: ast.Call, name: str) -> None:
        """Another method of the same object. The call has the form `object.method(…)`."""
        assert isinstance(call.func, ast.Attribute)
        end = self.program.end(call.func)
        self.replace(end - len(call.func.attr), end, name)

    def add_argument(self, call: ast.Call, text: str) -> None:
        """One argument more, behind the others, on a line of its own where the last one has one."""
        program = self.program
        close = program.end(call) - 1
        inside = program.tokens_between(program.end(call.func), close)
        trailing = inside[-1].text == ","
        last = inside[-2] if trailing else inside[-1]
        if not call.args and not call.keywords:
            self.insert(close, text)
            return
        arguments: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
        sole = arguments[0]
        if isinstance(sole, ast.GeneratorExp) and len(arguments) == 1 and program.end(sole) > close:
            self.insert(program.start(sole), "(")
            self.insert(close, f"), {text}")
            return
        line = program.lines.line(arguments[-1].lineno)
        indent = line[: len(line) - len(line.lstrip(" \t"))]
        own_line = line[len(indent) :].startswith(program.source(arguments[-1]).splitlines()[0])
        if own_line and trailing and arguments[-1].lineno != call.func.end_lineno:
            self.insert(inside[-1].end, f"{program.lines.ending(arguments[-1].lineno)}{indent}{text},")
        else:
            self.insert(last.end, f", {text}")

    def remove_argument(self, call: ast.Call, argument: ast.expr | ast.keyword) -> None:
        """Take an argument out, with the comma before it (or after, if it is the first)."""
        program = self.program
        start, end = program.start(argument), program.end(argument)
        inside = program.tokens_between(program.end(call.func), program.end(call))
        before = [token for token in inside if token.end <= start]
        after = [token for token in inside if token.start >= end]
        while before and after and before[-1].text == "(" and after[0].text == ")" and len(before) > 1:
            start, end = before.pop().start, after.pop(0).end
        if before and before[-1].text == ",":
            self.replace(before[-1].start, end, "")
        elif after and after[0].text == "," and len(after) > 1:
            self.replace(start, after[1].start, "")
        else:
            self.replace(start, end, "")

    # -- statements ------------------------------------------------------------------------------------------------

    def remove_statement(self, statement: ast.stmt) -> None:
        """Take a statement out with its line; its trailing comment stays behind on a line of its own.

        The last statement of a block leaves `pass` behind.
        """
        program = self.program
        start, end = program.start(statement), program.end(statement)
        block = program.block(statement)
        if len(block.statements) == 1 and not isinstance(block.owner, ast.Module):
            self.replace(start, end, "pass")
            return
        lines = program.lines
        line_start = lines.starts[statement.lineno - 1]
        line_stop = lines.stops[(statement.end_lineno or statement.lineno) - 1]
        before = program.text[line_start:start]
        rest = program.text[end:line_stop]
        following = program.tokens_between(end, line_stop)
        if before.strip() or (following and following[0].text == ";" and len(following) > 1):
            self._remove_among_others(statement, start, end)
        elif "#" in rest:
            self.replace(start, end + rest.index("#"), "")
        else:
            number = (statement.end_lineno or statement.lineno) + 1
            stop = lines.starts[number - 1] if number <= len(lines) else len(program.text)
            self.replace(line_start, stop, "")

    def _remove_among_others(self, statement: ast.stmt, start: int, end: int) -> None:
        """`a; b; c`: with the semicolon after it, else with the one before."""
        program = self.program
        block = program.block(statement).statements
        number = next(n for n, each in enumerate(block) if each is statement)
        if number + 1 < len(block) and block[number + 1].lineno == statement.end_lineno:
            self.replace(start, program.start(block[number + 1]), "")
        elif number and block[number - 1].end_lineno == statement.lineno:
            self.replace(program.end(block[number - 1]), end, "")
        else:
            self.replace(start, end, "pass")

    # -- the end ---------------------------------------------------------------------------------------------------

    def fix(self, title: str, applicability: Applicability) -> Fix | None:
        """All edits as one fix; None where there are none, or a comment would be lost, or it is no program any more."""
        if not self.edits or self.loses_comments():
            return None
        edits = tuple(sorted(self.edits, key=lambda edit: edit.span))
        try:
            ast.parse(apply_edits(self.program.text, edits))
        except (EditError, SyntaxError, ValueError, RecursionError):
            return None
        return Fix(title, applicability, edits)

    def loses_comments(self) -> bool:
        """Some edit writes over a comment, and none writes it again; of equal ones, as often."""
        offset = self.program.lines.offset
        gone: Counter[str] = Counter()
        for edit in self.edits:
            start = offset(edit.span.line, edit.span.column)
            end = offset(edit.span.end_line, edit.span.end_column)
            gone.update(
                comment.text.rstrip() for comment in self.program.comments if start <= comment.start < end
            )
        written = "\n".join(edit.text for edit in self.edits)
        return any(written.count(text) < times for text, times in gone.items())
