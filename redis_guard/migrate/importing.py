"""How one file comes by the coordination object.

Law of this file: a name that means something else in the file is not taken, and the import stands with those of the
project's own modules.
"""

import ast
from dataclasses import dataclass

from redis_guard.fixes.draft import Draft
from redis_guard.fixes.imports import need_import
from redis_guard.fixes.program import Program
from redis_guard.migrate.lookup import Lookup
from redis_guard.migrate.model import Target


@dataclass(frozen=True, slots=True)
class Imported:
    """What the object is called, and the import that is still needed."""

    name: str
    statement: str


def imported(program: Program, path: str, target: Target, lookup: Lookup) -> Imported:
    """The object as it is imported already, or is to be."""
    rest = target.attribute.removeprefix(target.name)
    there = lookup.names.find(path, target.module)
    for node in program.tree.body:
        if isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            if module == target.module or (there is not None and lookup.names.find(path, module) == there):
                for one in node.names:
                    if one.name == target.name:
                        return Imported((one.asname or one.name) + rest, "")
    if target.name not in _bound(program):
        return Imported(target.name + rest, f"from {target.module} import {target.name}")
    other = program.new_name(f"redis_{target.name}", f"app_{target.name}")
    return Imported(other + rest, f"from {target.module} import {target.name} as {other}")


def _bound(program: Program) -> set[str]:
    """Names that the file gives a meaning of its own; attributes of other objects do not count."""
    found: set[str] = set()
    for node in ast.walk(program.tree):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name):
                found.add(name)
            case ast.alias(name=name, asname=other):
                found.add(other or name.partition(".")[0])
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
    return found


def insert(draft: Draft, path: str, statement: str, lookup: Lookup) -> None:
    """The import among those of the project's own modules, as import sorters have it; else in a group of its own."""
    program = draft.program
    head = _head(program.tree.body)
    own = [each for each in head if _is_own(each, path, lookup)]
    before = [each for each in own if program.source(each).lower() < statement.lower()]
    relative = [each for each in head if isinstance(each, ast.ImportFrom) and each.level]
    if own:
        _line(draft, before[-1] if before else own[0], statement, after=bool(before))
    elif relative:
        _line(draft, relative[0], f"{statement}{program.ending(relative[0])}", after=False)
    elif head and not all(isinstance(each, ast.ImportFrom) and each.module == "__future__" for each in head):
        _line(draft, head[-1], f"{program.ending(head[-1])}{statement}", after=True)
    else:
        need_import(draft, statement)


def _head(body: list[ast.stmt]) -> list[ast.stmt]:
    """The first run of imports, which a docstring may precede."""
    start = 1 if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) else 0
    found = []
    for each in body[start:]:
        if not isinstance(each, ast.Import | ast.ImportFrom):
            break
        found.append(each)
    return list(found)


def _is_own(statement: ast.stmt, path: str, lookup: Lookup) -> bool:
    """`from a import b` of the project's own, relative ones left out."""
    return (
        isinstance(statement, ast.ImportFrom)
        and not statement.level
        and lookup.names.find(path, statement.module or "") is not None
    )


def _line(draft: Draft, beside: ast.stmt, text: str, *, after: bool) -> None:
    """A whole line before or after a statement."""
    program = draft.program
    number = (beside.end_lineno or beside.lineno) + 1 if after else beside.lineno
    ending = program.ending(beside)
    if number <= len(program.lines):
        draft.insert(program.lines.starts[number - 1], f"{text}{ending}")
    else:
        joint = "" if program.text.endswith(("\n", "\r")) else ending
        draft.insert(len(program.text), f"{joint}{text}{ending}")
