"""Lifetimes that would end together are spread by chance.

Law of this file: a lifetime only grows, by a tenth at most, and stays a whole number or a timedelta.
"""

import ast
from dataclasses import dataclass

from redis_guard.finding import Fix
from redis_guard.fixes.draft import Draft
from redis_guard.fixes.imports import need_import
from redis_guard.fixes.program import Program
from redis_guard.project.model import Argument, CacheCall, Call
from redis_guard.repairs.lifetimes import as_operand, figure

_BATCHES = frozenset({"set_many"})
"""One lifetime for all that they write: chance would be the same for each."""


@dataclass(frozen=True, slots=True)
class Jitter:
    """`ex=3600` becomes `ex=3600 + random.randrange(360)`."""

    call: Call | CacheCall
    parameter: str
    given: Argument

    def fix(self, program: Program) -> Fix | None:
        call = program.call(self.call.span)
        if call is None or self.call.method in _BATCHES or _otherwise_bound(program):
            return None
        time = self._time(call)
        text = None if time is None else self._spread(program, time)
        if time is None or text is None:
            return None
        draft = Draft(program)
        draft.rewrite(time, text)
        if not _imported(program):
            need_import(draft, "import random")
        return draft.fix("Spread the lifetimes by a tenth; assumes that they need not be exact", "unsafe")

    def _time(self, call: ast.Call) -> ast.expr | None:
        if any(isinstance(each, ast.Starred) for each in call.args) or self.call.method == "execute_command":
            return None
        for keyword in call.keywords:
            if keyword.arg == self.parameter:
                return keyword.value
        names = [name for name, _ in self.call.arguments]
        number = names.index(self.parameter) if self.parameter in names else len(call.args)
        return call.args[number] if number < len(call.args) else None

    def _spread(self, program: Program, time: ast.expr) -> str | None:
        source = as_operand(program, time)
        if self.given.milliseconds is not None:
            return f"{source} * random.uniform(1, 1.1)"
        number = figure(time)
        if number is not None:
            most = number // 10
            return f"{program.source(time)} + random.randrange({most if most < 10_000 else f'{most:_}'})"
        whole = self.given.constants is not None and all(type(each) is int for each in self.given.constants)
        if whole and isinstance(time, ast.Name | ast.Attribute):
            return f"{source} + random.randrange({source} // 10)"
        return None


def _imported(program: Program) -> bool:
    return any(
        isinstance(statement, ast.Import)
        and any(alias.name == "random" and alias.asname is None for alias in statement.names)
        for statement in program.tree.body
    )


def _otherwise_bound(program: Program) -> bool:
    """The file calls something else `random`."""
    for node in ast.walk(program.tree):
        match node:
            case ast.Name(id="random", ctx=ast.Store()) | ast.arg(arg="random"):
                return True
            case (
                ast.FunctionDef(name="random")
                | ast.AsyncFunctionDef(name="random")
                | ast.ClassDef(name="random")
            ):
                return True
            case ast.Import(names=names) if any(each.asname == "random" for each in names):
                return True
            case ast.ImportFrom(names=names) if any((each.asname or each.name) == "random" for each in names):
                return True
    return False
