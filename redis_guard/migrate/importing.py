"""How one file comes by the coordination object.

Law of this file: a name that means something else in the file is not taken.
"""

import ast
from dataclasses import dataclass

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
