"""A node as it will read once drafted edits are in, to be written elsewhere.

Law of this file: the text is the old one but for the edits; the lines of a string keep their content.
"""

import ast
import tokenize
from collections.abc import Callable

from redis_guard.fixes.draft import Draft
from redis_guard.fixes.program import Program


def edited(program: Program, node: ast.expr | ast.stmt, change: Callable[[Draft], None]) -> str:
    """The text of a node after a change that stays inside it."""
    draft = Draft(program)
    change(draft)
    offset, start = program.lines.offset, program.start(node)
    text = program.source(node)
    places = [
        (offset(e.span.line, e.span.column), offset(e.span.end_line, e.span.end_column), e.text)
        for e in draft.edits
    ]
    for begin, end, new in sorted(places, reverse=True):
        text = text[: begin - start] + new + text[end - start :]
    return text


def moved(program: Program, text: str, origin: ast.stmt, target: ast.stmt) -> str:
    """A text of one statement as it stands at the level of another: its further lines go along."""
    ours, theirs = program.indent(origin), program.indent(target)
    if ours == theirs or has_long_strings(program, program.start(origin), program.end(origin)):
        return text
    first, *others = text.splitlines(keepends=True)
    return first + "".join(
        theirs + line.removeprefix(ours) if line.startswith(ours) else line for line in others
    )


def has_long_strings(program: Program, start: int, end: int) -> bool:
    """A string goes over the end of a line."""
    first, last = program.place(start)[0], program.place(end)[0]
    return any(first < number <= last for number in lines_in_strings(program))


def lines_in_strings(program: Program) -> frozenset[int]:
    """The numbers of the lines that begin inside a string."""
    found: set[int] = set()
    opened: list[int] = []
    for token in program.tokens:
        kind = tokenize.tok_name[token.kind]
        first, last = program.place(token.start)[0], program.place(token.end)[0]
        if kind.endswith("STRING_START"):  # from Python 3.12 an f-string is many tokens
            opened.append(first)
        elif kind.endswith("STRING_END"):
            found.update(range(opened.pop() + 1, last + 1))
        elif kind == "STRING":
            found.update(range(first + 1, last + 1))
    return frozenset(found)
