"""The answer of `acquire()` is looked at, and without the lock the work is not done.

Law of this file: what to do instead is a decision. A function or a turn of a loop that does not wait, and gives nothing
back, does nothing; every other one raises LockError, as `with lock:` does.
"""

import ast
from dataclasses import dataclass

from redis_guard.finding import Fix
from redis_guard.fixes.draft import Draft
from redis_guard.fixes.imports import need_import
from redis_guard.fixes.indenting import owns_its_lines, unit_at
from redis_guard.fixes.program import Program
from redis_guard.project.model import Held, LockUse
from redis_guard.repairs.variables import assigned, reads

_AROUND = ast.Try | ast.For | ast.AsyncFor | ast.While | ast.With | ast.AsyncWith | ast.Match
_GIVES = ast.Yield | ast.YieldFrom


@dataclass(frozen=True, slots=True)
class AcquireAnswered:
    """`taking` is an `acquire()` whose answer nobody looks at."""

    held: Held
    taking: LockUse
    waits: bool
    """It waits for a limited time; else not at all."""

    def fix(self, program: Program) -> Fix | None:
        node = program.call(self.taking.span)
        if node is None:
            return None
        above = program.parent(node)
        whole = above if isinstance(above, ast.Await) else node
        statement = program.statement(node)
        name = assigned(program, whole)
        if name is not None:
            if reads(program, name, statement):
                return None
        elif not isinstance(statement, ast.Expr) or statement.value is not whole:
            return None
        if self.held.asynchronous is not (whole is not node) or not owns_its_lines(program, statement):
            return None
        draft = Draft(program)
        decided = self._instead(draft, statement)
        if decided is None:
            return None
        instead, meaning = decided
        ending = program.ending(statement)
        indent = program.indent(statement) + unit_at(program, statement)
        draft.insert(program.start(statement), "if not ")
        draft.replace(program.start(statement), program.start(whole), "")
        draft.insert(program.end(statement), ":")
        stop = program.lines.stops[(statement.end_lineno or statement.lineno) - 1]
        draft.insert(stop, f"{ending}{indent}{instead}")
        return draft.fix(f"Look at the answer; without the lock {meaning}", "unsafe")

    def _instead(self, draft: Draft, statement: ast.stmt) -> tuple[str, str] | None:
        """What is done without the lock, and in words."""
        program = draft.program
        block = program.block(statement)
        spares = not self.waits and "." not in self.held.text and block.statements[-1] is not statement
        if (
            isinstance(block.owner, ast.For | ast.AsyncFor)
            and block.statements is block.owner.body
            and spares
        ):
            return "continue", "the turn of the loop is left out"
        function = program.function(statement)
        if self._something_around(program, statement):
            return None
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and spares:
            if not function.name.startswith("__") and _gives_nothing(program, function):
                return "return", "the function does nothing"
        error = self._error(draft)
        return None if error is None else (f"raise {error}", "LockError is raised")

    @staticmethod
    def _something_around(program: Program, statement: ast.stmt) -> bool:
        """A handler would hear of it, a `finally` would release, a loop would have another turn."""
        for above in program.parents(statement):
            if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                return False
            if isinstance(above, _AROUND):
                return True
        return False

    def _error(self, draft: Draft) -> str | None:
        """The making of the error that redis-py's own `with lock:` raises."""
        if not self.held.makings or any(making.library != "redis-py" for making in self.held.makings):
            return None
        program = draft.program
        imported = any(
            isinstance(each, ast.ImportFrom)
            and each.module in ("redis.exceptions", "redis")
            and any(alias.name == "LockError" and alias.asname is None for alias in each.names)
            for each in program.tree.body
        )
        if not imported:
            if "LockError" in program.names:
                return None
            need_import(draft, "from redis.exceptions import LockError")
        return f'LockError("{self._name()} is held by somebody else")'

    def _name(self) -> str:
        names = [making.argument("name", "key") for making in self.held.makings]
        constants = {one for name in names for one in (name.constants or (None,) if name else (None,))}
        [known] = constants if len(constants) == 1 else [None]
        if isinstance(known, str) and known.isprintable() and not set(known) & {'"', "\\"}:
            return known
        return "the lock"


def _gives_nothing(program: Program, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    own = [node for node in ast.walk(function) if program.function(node) is function]
    gives = any(isinstance(node, _GIVES) or (isinstance(node, ast.Return) and node.value) for node in own)
    return not gives
