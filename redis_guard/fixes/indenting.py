"""Lines that get one level deeper.

Law of this file: what stands inside a string keeps its content, and so do blank lines.
"""

import ast

from redis_guard.fixes.draft import Draft
from redis_guard.fixes.program import Program
from redis_guard.fixes.reading import lines_in_strings


def indent_lines(draft: Draft, first: int, last: int, unit: str) -> None:
    """Indent the lines from one number to another by `unit`."""
    program = draft.program
    kept = lines_in_strings(program)
    for number in range(first, last + 1):
        line = program.lines.line(number)
        content = line.lstrip("\f")  # a form feed starts the counting of columns anew
        if content.strip() and number not in kept:
            draft.insert(program.lines.starts[number - 1] + len(line) - len(content), unit)


def unit_at(program: Program, statement: ast.stmt) -> str:
    """What one level is in the neighbourhood of a statement."""
    return "\t" if "\t" in program.indent(statement) else program.indent_unit


def owns_its_lines(program: Program, statement: ast.stmt) -> bool:
    """Nothing stands before it on its first line, and nothing but a comment behind it on its last."""
    start, end = program.start(statement), program.end(statement)
    first = program.lines.starts[program.place(start)[0] - 1]
    stop = program.lines.stops[program.place(end)[0] - 1]
    rest = program.text[end:stop].strip()
    return not program.text[first:start].strip() and (not rest or rest.startswith("#"))


def first_line(statement: ast.stmt) -> int:
    """The number of the line on which it begins, decorators included."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return min([statement.lineno, *(each.lineno for each in statement.decorator_list)])
    return statement.lineno
