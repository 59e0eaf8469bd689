"""A loop over a whole collection becomes a loop over its parts as they come.

Law of this file: only where the loop sees the same things: members of a set, pairs of a hash.
"""

import ast
from dataclasses import dataclass

from redis_guard.finding import Fix
from redis_guard.fixes.draft import Draft
from redis_guard.fixes.program import Program
from redis_guard.project.model import Call
from redis_guard.repairs.loops import counts_each, loop_over, may_be_asynchronous, say_async, within
from redis_guard.repairs.written import Written, find

_SIZES = {"smembers": "scard", "hgetall": "hlen", "hkeys": "hlen", "hvals": "hlen"}


@dataclass(frozen=True, slots=True)
class InSteps:
    """`for member in r.smembers(key)`, `for field, value in r.hgetall(key).items()`."""

    read: Call
    written: tuple[Call, ...] = ()
    """Calls of the same function that may change the collection: in the loop a scan may or may not show that."""

    def fix(self, program: Program) -> Fix | None:
        read = find(program, self.read)
        if read is None or not read.method_named or read.starred or not self.read.immediate:
            return None
        if self.read.kind != "client" or len(self.read.arguments) != 1:
            return None
        if self.read.asynchronous is not (read.whole is not read.node):
            return None
        looped: ast.expr = read.whole
        if self.read.method in _SIZES and (counted := self._counted(read)) is not None:
            return counted
        if self.read.method == "hgetall":
            items = program.parent(read.whole)
            call = None if items is None else program.parent(items)
            if (
                not isinstance(items, ast.Attribute)
                or items.attr != "items"
                or not isinstance(call, ast.Call)
            ):
                return None
            looped = call
        elif self.read.method != "smembers":
            return None
        turning = loop_over(program, looped)
        if turning is None:
            return None
        if any(within(program, turning, each) for each in self.written) or (
            self.read.asynchronous and not may_be_asynchronous(program, turning)
        ):
            return None
        draft = Draft(program)
        if self.read.asynchronous:
            say_async(draft, turning)
        draft.replace(program.start(looped), program.start(read.node), "")
        draft.rename_method(read.node, "sscan_iter" if self.read.method == "smembers" else "hscan_iter")
        draft.replace(program.end(read.node), program.end(looped), "")
        if counts_each(program, turning):
            return draft.fix("Read it in steps; a member may come twice", "unsafe")
        return draft.fix("Read it in steps", "safe")

    def _counted(self, read: Written) -> Fix | None:
        """`len(r.smembers(key))` -> `r.scard(key)`."""
        program = read.program
        counted = program.parent(read.whole)
        if not isinstance(counted, ast.Call) or counted.args != [read.whole] or counted.keywords:
            return None
        if not isinstance(counted.func, ast.Name) or counted.func.id != "len":
            return None
        draft = Draft(program)
        draft.rename_method(read.node, _SIZES[self.read.method])
        draft.replace(program.start(counted), program.start(read.whole), "")
        draft.replace(program.end(read.whole), program.end(counted), "")
        return draft.fix("Ask for the size", "safe")
