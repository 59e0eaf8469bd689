"""Keys of the use case that are handed to functions of the project, which use them.

Law of this file: a function counts as using a key where it talks to Redis; one that writes a log line does not.
"""

import ast
from collections.abc import Collection, Iterator

from redis_guard.finding import Span
from redis_guard.fixes.program import Program
from redis_guard.migrate.atoms import Reader
from redis_guard.migrate.lookup import Lookup
from redis_guard.migrate.model import Refused, Said
from redis_guard.project.model import ProjectUses
from redis_guard.registry import Registry, UseCase

_TEXTS = ast.JoinedStr | ast.BinOp | ast.Call | ast.Name | ast.Constant | ast.Attribute


def talkers(project: ProjectUses) -> frozenset[str]:
    """Names of the functions that use Redis with a key they are given."""
    return frozenset(
        call.function.name
        for module in project.modules
        for call in module.calls
        if call.function.name
        and not call.function.name.startswith("__")
        and any(not key.literal for key in call.keys)
    )


def handed_on(
    program: Program,
    path: str,
    known: Collection[Span],
    lookup: Lookup,
    registry: Registry,
    case: UseCase,
    functions: Collection[str],
) -> Iterator[Said]:
    """Calls of `functions` that are given a key of the use case. `known`: call sites, of which that is said already."""
    head = next((part for part in case.key.parts if isinstance(part, str)), "")
    if not any(word in program.text for word in _words(head)):
        return
    for node in ast.walk(program.tree):
        if not isinstance(node, ast.Call) or program.span(node) in known:
            continue
        func = node.func
        name = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
        if name not in functions:
            continue
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        if any(_is_key(program, path, each, lookup, registry, case) for each in given):
            line, column = program.place(program.start(node))
            yield Said(
                path,
                line,
                column,
                f"the key is handed to {name}(), which uses it; ask the runtime here",
            )


def _words(head: str) -> list[str]:
    """A key's first text may be put together: any longer word of it will do."""
    return [word for word in head.replace("/", ":").split(":") if word] or [head]


def _is_word(value: object) -> bool:
    """`"flags"` may be the key of anything."""
    return not isinstance(value, str) or value.isidentifier()


def _is_key(
    program: Program, path: str, expr: ast.expr, lookup: Lookup, registry: Registry, case: UseCase
) -> bool:
    if not isinstance(expr, _TEXTS) or (isinstance(expr, ast.Constant) and _is_word(expr.value)):
        return False
    try:
        atoms = Reader(program, path, lookup).atoms(expr)
    except Refused:
        return False
    template = "".join(
        atom.replace("{", "{{").replace("}", "}}") if isinstance(atom, str) else "{x}" for atom in atoms
    )
    if not any(isinstance(atom, str) for atom in atoms):
        return False
    find = registry.signal_for_channel if case.primitive == "signal" else registry.entry_for_key
    return find(template) is case
