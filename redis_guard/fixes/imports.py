"""Imports that fixed code needs.

Law of this file: an import goes beside its like at the top of the file, and never in twice.
"""

import ast
import sys

from redis_guard.fixes.draft import Draft

_Import = ast.Import | ast.ImportFrom


def need_import(draft: Draft, statement: str) -> None:
    """Have `import uuid` or `from a import b` at the top of the file, unless it is there already."""
    program = draft.program
    wanted = ast.dump(ast.parse(statement).body[0])
    body = program.tree.body
    if any(ast.dump(each) == wanted for each in body):
        return
    head = _head(body)
    imports = [each for each in head if isinstance(each, _Import) and not _is_future(each)]
    if imports:
        _among(draft, statement, imports)
    elif head:
        last = head[-1]
        _line(
            draft,
            (last.end_lineno or last.lineno) + 1,
            f"{program.ending(last)}{statement}",
            program.ending(last),
        )
    else:
        first = body[0].lineno if body else 1
        ending = program.lines.ending(first)
        _line(draft, first, statement, ending * 3)


def _head(body: list[ast.stmt]) -> list[ast.stmt]:
    """The docstring and the first run of imports."""
    found: list[ast.stmt] = []
    for number, each in enumerate(body):
        if not isinstance(each, _Import) and not (number == 0 and _is_docstring(each)):
            break
        found.append(each)
    return found


def _is_docstring(statement: ast.stmt) -> bool:
    text = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(text, ast.Constant) and isinstance(text.value, str)


def _is_future(statement: _Import) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


def _among(draft: Draft, statement: str, imports: list[_Import]) -> None:
    """With those of its group, in the order of the alphabet, `import a` before `from a import b`."""
    program = draft.program
    mine = _rank(statement)
    before = [each for each in imports if _rank(program.source(each)) < mine]
    if not before:
        first = imports[0]
        ending = program.ending(first)
        apart = ending if _rank(program.source(first))[0] != mine[0] else ""
        _line(draft, first.lineno, statement, f"{ending}{apart}")
        return
    last = before[-1]
    ending = program.ending(last)
    apart = ending if _rank(program.source(last))[0] != mine[0] else ""
    _line(draft, (last.end_lineno or last.lineno) + 1, f"{apart}{statement}", ending)


def _rank(statement: str) -> tuple[int, bool, str]:
    """The standard library comes first; what is relative last."""
    words = statement.split()
    module = words[1].partition(".")[0].rstrip(",") if len(words) > 1 else ""
    group = 2 if not module else (0 if module in sys.stdlib_module_names else 1)
    return (group, statement.startswith("from "), statement.lower())


def _line(draft: Draft, number: int, text: str, ending: str) -> None:
    """Insert a whole line before the line of this number."""
    program = draft.program
    if number <= len(program.lines):
        draft.insert(program.lines.starts[number - 1], f"{text}{ending}")
    else:
        joint = "" if program.text.endswith(("\n", "\r")) or not program.text else ending
        draft.insert(len(program.text), f"{joint}{text}{ending}")
