"""Keys of the use case that are handed to functions of the project, which use them.

Law of this file: a function counts as using a key where it talks to Redis; one that writes a log line does not.
"""

import ast
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from redis_guard.finding import Span
from redis_guard.fixes.program import Program
from redis_guard.migrate.atoms import Reader
from redis_guard.migrate.lookup import Lookup
from redis_guard.migrate.model import Refused, Said
from redis_guard.project.model import ProjectUses
from redis_guard.registry import Registry, UseCase

_LOCK = re.compile(r"(?:Lock|^lock)$")
_TEXTS = ast.JoinedStr | ast.BinOp | ast.Call | ast.Name | ast.Constant | ast.Attribute


@dataclass(frozen=True, slots=True)
class Talkers:
    """Who uses a key that he is given."""

    functions: frozenset[str]
    classes: frozenset[str]
    """Of the project, with methods that talk to Redis: they may keep the key."""

    def how(self, name: str) -> str:
        """What is said of handing the key to `name`; empty where it is nobody."""
        if name in self.functions:
            return f"the key is handed to {name}(), which uses it; ask the runtime here"
        if name in self.classes:
            return f"the key is handed to {name}, which talks to Redis; ask the runtime here"
        if _LOCK.search(name):
            return f"{name} of another library may use the key; ask the runtime here"
        return ""


def talkers(project: ProjectUses) -> Talkers:
    """Those of the project."""
    calls = [call for module in project.modules if not module.test for call in module.calls]
    built = [one.place.function for module in project.modules for one in module.constructions]
    functions = {call.function.name for call in calls if any(not key.literal for key in call.keys)}
    classes = {one.cls for one in (*(call.function for call in calls), *built) if one.cls}
    return Talkers(
        frozenset(name for name in functions if name and not name.startswith("__")),
        frozenset(name.rpartition(".")[2] for name in classes),
    )


def handed_on(
    program: Program,
    path: str,
    known: Collection[Span],
    lookup: Lookup,
    registry: Registry,
    case: UseCase,
    users: Talkers,
) -> Iterator[Said]:
    """Calls that hand a key of the use case to `users`. `known`: call sites, of which that is said already."""
    head = next((part for part in case.key.parts if isinstance(part, str)), "")
    if not any(word in program.text for word in _words(head)):
        return
    for node in ast.walk(program.tree):
        if not isinstance(node, ast.Call) or program.span(node) in known:
            continue
        func = node.func
        name = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
        said = users.how(name)
        given = [*node.args, *(keyword.value for keyword in node.keywords)] if said else []
        if name not in users.classes:  # a word may be the key of anything
            given = [each for each in given if not (isinstance(each, ast.Constant) and _is_word(each.value))]
        if any(_is_key(program, path, each, lookup, registry, case) for each in given):
            line, column = program.place(program.start(node))
            yield Said(path, line, column, said)


def _words(head: str) -> list[str]:
    """A key's first text may be put together: any longer word of it will do."""
    return [word for word in head.replace("/", ":").split(":") if word] or [head]


def _is_word(value: object) -> bool:
    """`"flags"`."""
    return not isinstance(value, str) or value.isidentifier()


def _is_key(
    program: Program, path: str, expr: ast.expr, lookup: Lookup, registry: Registry, case: UseCase
) -> bool:
    if not isinstance(expr, _TEXTS):
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
