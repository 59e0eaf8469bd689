"""Names of other files: the constant or the function that an imported name stands for.

Law of this file: it follows `from a import b` alone, and what it cannot follow is nothing.
"""

import ast
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from redis_guard.fixes.program import Program
from redis_guard.migrate.bindings import bindings
from redis_guard.project.names import ModuleNames

_HOPS = 4


@dataclass(slots=True)
class Lookup:
    """The texts of a project, parsed when they are asked for."""

    text: Callable[[str], str | None]
    names: ModuleNames
    programs: dict[str, Program | None] = field(default_factory=dict)

    @classmethod
    def of(
        cls, text: Callable[[str], str | None], paths: Collection[str], roots: tuple[str, ...]
    ) -> "Lookup":
        return cls(text, ModuleNames(paths, roots))

    def program(self, path: str) -> Program | None:
        if path not in self.programs:
            text = self.text(path)
            try:
                self.programs[path] = None if text is None else Program(text)
            except (SyntaxError, ValueError, RecursionError):
                self.programs[path] = None
        return self.programs[path]

    def definition(self, path: str, name: str, hops: int = _HOPS) -> tuple[str, ast.AST] | None:
        """The file and the one statement that gives a module-level name its value."""
        program = self.program(path)
        found = [] if program is None else bindings(program.tree, name)
        if program is None or len(found) != 1 or not hops:
            return None
        node = found[0]
        if isinstance(node, ast.Name):
            return path, program.statement(node)
        if not isinstance(node, ast.ImportFrom):
            return path, node
        there = self.names.find(path, "." * node.level + (node.module or ""))
        real = next(one.name for one in node.names if (one.asname or one.name) == name)
        return None if there is None else self.definition(there, real, hops - 1)

    def member(self, path: str, module: str, name: str) -> tuple[str, ast.AST] | None:
        """The same of `module.name`, where `module` is imported."""
        program = self.program(path)
        found = [] if program is None else bindings(program.tree, module)
        if len(found) != 1:
            return None
        match found[0]:
            case ast.ImportFrom(module=package, names=names, level=level):
                real = next(one.name for one in names if (one.asname or one.name) == module)
                dots = "." * level
                there = self.names.find(path, f"{dots}{package}.{real}" if package else f"{dots}{real}")
            case ast.Import(names=names):
                whole = [one.name for one in names if (one.asname or one.name) == module]
                there = self.names.find(path, whole[0]) if whole else None
            case _:
                return None
        return None if there is None else self.definition(there, name)
