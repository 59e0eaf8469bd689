"""KEYS becomes a scan, or DBSIZE where only the number of keys was wanted.

Law of this file: SCAN may give a key twice and has no order, so what is more than a loop over the keys is unsafe.
"""

import ast
from dataclasses import dataclass

from redis_guard.finding import Fix
from redis_guard.fixes.draft import Draft
from redis_guard.fixes.program import Program
from redis_guard.project.model import Call
from redis_guard.repairs.loops import counts_each, loop_over, may_be_asynchronous, say_async, within
from redis_guard.repairs.written import Written, find

_TAKERS = frozenset({"list", "set", "tuple", "sorted", "frozenset"})
_TWICE = "a scan may give a key twice, in any order"


@dataclass(frozen=True, slots=True)
class Scan:
    """`keys(pattern)`."""

    call: Call
    made: tuple[Call, ...] = ()
    """Calls of the same function that may make keys: in the loop a scan may or may not show them."""

    def fix(self, program: Program) -> Fix | None:
        keys = find(program, self.call)
        if keys is None or not keys.method_named or keys.starred or not self.call.immediate:
            return None
        if {name for name, _ in self.call.arguments} - {"pattern"} or self.call.kind != "client":
            return None
        if self.call.asynchronous is not isinstance(program.parent(keys.node), ast.Await):
            return None
        draft = Draft(program)
        turning = loop_over(program, keys.whole)
        if turning is not None and any(within(program, turning, each) for each in self.made):
            return None
        if turning is not None:
            if self.call.asynchronous:
                if not may_be_asynchronous(program, turning):
                    return None
                say_async(draft, turning)
                self._unawait(draft, keys)
            self._scan(draft, keys)
            if counts_each(program, turning):
                return draft.fix(f"Scan for the keys in steps; {_TWICE}", "unsafe")
            return draft.fix("Scan for the keys in steps", "safe")
        return self._count(keys) or self._collection(keys)

    def _scan(self, draft: Draft, keys: Written) -> None:
        pattern = keys.argument("pattern")
        draft.rename_method(keys.node, "scan_iter")
        if pattern is not None:
            named = keys.node.keywords[0] if keys.node.keywords else pattern
            draft.replace(draft.program.start(named), draft.program.start(pattern), "match=")

    @staticmethod
    def _unawait(draft: Draft, keys: Written) -> None:
        draft.replace(draft.program.start(keys.whole), draft.program.start(keys.node), "")

    def _count(self, keys: Written) -> Fix | None:
        """`len(client.keys())`."""
        program = keys.program
        counted = program.parent(keys.whole)
        pattern = keys.argument("pattern")
        everything = pattern is None or (isinstance(pattern, ast.Constant) and pattern.value in ("*", b"*"))
        if not _is_call_of(counted, ("len",), keys.whole) or not everything:
            return None
        assert isinstance(counted, ast.Call) and isinstance(keys.node.func, ast.Attribute)
        wait = "await " if self.call.asynchronous else ""
        draft = Draft(program)
        draft.rewrite(counted, f"{wait}{program.source(keys.node.func.value)}.dbsize()")
        return draft.fix("Ask for the number of keys", "unsafe")

    def _collection(self, keys: Written) -> Fix | None:
        """A list of the keys."""
        program = keys.program
        draft = Draft(program)
        above = program.parent(keys.whole)
        taken = isinstance(above, ast.Starred) or _is_call_of(above, _TAKERS, keys.whole)
        if self.call.asynchronous:
            if not isinstance(program.function(keys.node), ast.AsyncFunctionDef):
                return None
            self._unawait(draft, keys)
            name = program.new_variable(keys.node, "key", "name")
            draft.insert(program.start(keys.node), f"[{name} async for {name} in ")
            draft.insert(program.end(keys.node), "]")
        elif not taken:
            draft.insert(program.start(keys.node), "list(")
            draft.insert(program.end(keys.node), ")")
        self._scan(draft, keys)
        return draft.fix(f"Scan for the keys in steps; {_TWICE}", "unsafe")


def _is_call_of(node: ast.AST | None, names: tuple[str, ...] | frozenset[str], argument: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in names
        and node.args == [argument]
        and not node.keywords
    )
