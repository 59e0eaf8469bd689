"""`await` before a call that nobody awaits, `async` before a loop over one.

Law of this file: only in a function of asyncio itself; a lambda or a generator expression in it awaits elsewhere.
"""

import ast
from dataclasses import dataclass

from redis_guard.finding import Fix, Span
from redis_guard.fixes.draft import Draft
from redis_guard.fixes.program import Program
from redis_guard.repairs.loops import loop_over, may_be_asynchronous, say_async


@dataclass(frozen=True, slots=True)
class Awaited:
    """The call at `span`; `iterated` where it gives an asynchronous iterator."""

    span: Span
    iterated: bool = False

    def fix(self, program: Program) -> Fix | None:
        call = program.call(self.span)
        if call is None or not isinstance(program.function(call), ast.AsyncFunctionDef):
            return None
        draft = Draft(program)
        if self.iterated:
            turning = loop_over(program, call)
            if turning is None or not may_be_asynchronous(program, turning):
                return None
            say_async(draft, turning)
            return draft.fix("Loop with `async for`", "safe")
        if any(isinstance(above, ast.GeneratorExp | ast.Await) for above in _in_statement(program, call)):
            return None
        above = program.parent(call)
        within = isinstance(above, ast.Attribute | ast.Subscript) and above.value is call
        within = within or (isinstance(above, ast.Call) and above.func is call)
        draft.insert(program.start(call), "(await " if within else "await ")
        if within:
            draft.insert(program.end(call), ")")
        return draft.fix("Await it", "safe")


def _in_statement(program: Program, node: ast.AST) -> list[ast.AST]:
    found = []
    for above in program.parents(node):
        if isinstance(above, ast.stmt):
            break
        found.append(above)
    return found
