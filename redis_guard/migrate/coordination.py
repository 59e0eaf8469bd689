"""The coordination object that the configuration names: where it is made, and for which world.

Law of this file: what its module does not show is not known; a module that is not there is the user's mistake.
"""

import ast

from redis_guard.migrate.bindings import assigned, bindings
from redis_guard.migrate.lookup import Lookup
from redis_guard.mistake import Mistake
from redis_guard.nearest import did_you_mean

_ASYNC = ("redis_guard.runtime.aio", "redis_guard.testing.aio")
_BLOCKING = ("redis_guard.runtime", "redis_guard.testing")
_EXAMPLE = 'coordination = "app.coordination:coordination"'


class CoordinationMistake(Mistake):
    """The configuration names no coordination object that call sites could ask."""


def split(configured: str | None, where: str) -> tuple[str, str]:
    """Module and attribute. Raises CoordinationMistake."""
    if not configured:
        raise CoordinationMistake(
            f"{where}: no coordination object is named, and migrated code has to import one; write a module that "
            "makes it (coordination = Coordination.from_file(...)) and name it in [tool.redis-guard]: "
            f"{_EXAMPLE}"
        )
    module, _, attribute = configured.partition(":")
    return module, attribute


def world(module: str, attribute: str, where: str, lookup: Lookup) -> bool | None:
    """Whether the object is one of asyncio's; None where its module does not show it. Raises CoordinationMistake."""
    path = lookup.names.find("", module)
    program = None if path is None else lookup.program(path)
    if path is None or program is None:
        raise CoordinationMistake(
            f'{where}: the module of "{module}:{attribute}" is not in the project, or does not parse; make it '
            "(coordination = Coordination.from_file(...)), or name the module that has it"
        )
    name = attribute.partition(".")[0]
    found = bindings(program.tree, name)
    if not found:
        names = [node for node in ast.walk(program.tree) if isinstance(node, ast.Name)]
        known = sorted({node.id for node in names if isinstance(node.ctx, ast.Store)})
        raise CoordinationMistake(f"{where}: {path} has no {name}{did_you_mean(name, known)}")
    made = assigned(program, program.tree, name)
    if made is None or made.value is None or "." in attribute:
        return None
    return _world(program.tree, made.value)


def _world(tree: ast.Module, value: ast.expr) -> bool | None:
    """By the class that the value is made with."""
    while isinstance(value, ast.Call | ast.Attribute | ast.Await):
        if isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name):
            break
        value = value.func if isinstance(value, ast.Call) else value.value
    root = value.value if isinstance(value, ast.Attribute) else value
    if not isinstance(root, ast.Name):
        return None
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and any(
            (one.asname or one.name) == root.id for one in node.names
        ):
            module = node.module or ""
            if any(one.name == "aio" and (one.asname or one.name) == root.id for one in node.names):
                return True
            return True if module in _ASYNC else False if module in _BLOCKING else None
        if isinstance(node, ast.Import):
            for one in node.names:
                if (one.asname or one.name) == root.id and one.name in (*_ASYNC, *_BLOCKING):
                    return one.name in _ASYNC
    return None
