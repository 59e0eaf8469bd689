"""A lock's owner is compared by the script that deletes, and not in Python before.

Law of this file: bytes or text is no question for the script. A comparison that asks for more than the token, or a
value that is used elsewhere too, is refused.
"""

import ast
from dataclasses import dataclass

from redis_guard.finding import Fix
from redis_guard.fixes.draft import Draft
from redis_guard.fixes.program import Program
from redis_guard.project.model import Call
from redis_guard.repairs.deciding import Step, decide
from redis_guard.repairs.plainly import plain
from redis_guard.repairs.release_script import release_call
from redis_guard.repairs.variables import assigned, reads
from redis_guard.repairs.written import Written, find, neighbours

_CONVERTING = frozenset({"decode", "encode"})


@dataclass(frozen=True, slots=True)
class ComparedRelease:
    """`read` is a GET that is compared with the token, `deletion` the DELETE of the same key."""

    read: Call
    deletion: Call
    sole_client: bool
    """No other client of the file gives locks back."""

    def fix(self, program: Program) -> Fix | None:
        read, deletion = find(program, self.read), find(program, self.deletion)
        if read is None or deletion is None or not _plain(read, "get") or not _plain(deletion, "delete"):
            return None
        if self.read.client != self.deletion.client or self.read.keys != self.deletion.keys:
            return None
        statement = deletion.statement
        returned = isinstance(statement, ast.Return) and statement.value is deletion.whole
        if not deletion.alone and not returned:
            return None
        draft = Draft(program)
        asked = self._asked(draft, read)
        if asked is None:
            return None
        node, token, equal = asked
        key = program.source(deletion.node.args[0])
        text = release_call(draft, deletion, key, token, register=self.sole_client)
        if deletion.whole is not deletion.node:
            text = f"await {text}"
        if not decide(draft, node, equal, Step(statement, text, "{} == 1", 0)):
            return None
        return draft.fix("Compare the token in the script that deletes", "unsafe")

    def _asked(self, draft: Draft, read: Written) -> tuple[ast.expr, str, bool] | None:
        """The whole question, the token, and whether it asks for the same one."""
        program = draft.program
        name = assigned(program, read.whole)
        if name is None:
            uses: tuple[ast.expr, ...] = (read.whole,)
        else:
            uses = reads(program, name, read.statement)
            tests = {program.statement(use) for use in uses}
            if len(tests) != 1 or not neighbours(program, read.statement, next(iter(tests))):
                return None
            draft.remove_statement(read.statement)
        compared = [found for use in uses if (found := _comparison(program, use)) is not None]
        if len(compared) != 1:
            return None
        comparison, token, equal = compared[0]
        return self._with_presence(program, comparison, uses, token, equal=equal)

    @staticmethod
    def _with_presence(
        program: Program, comparison: ast.Compare, uses: tuple[ast.expr, ...], token: str, *, equal: bool
    ) -> tuple[ast.expr, str, bool] | None:
        """`value and value == token`, `value is None or value != token`."""
        above = program.parent(comparison)
        inside = [use for use in uses if comparison in program.parents(use)]
        if len(inside) == len(uses):
            return comparison, token, equal
        if not isinstance(above, ast.BoolOp) or isinstance(above.op, ast.And) is not equal:
            return None
        others = [each for each in above.values if each is not comparison]
        source = program.source(uses[0])
        if len(others) != len(uses) - 1 or not all(_asks(program, each, source, equal) for each in others):
            return None
        return above, token, equal


def _plain(call: Written, method: str) -> bool:
    """`client.method(key)`, done at once."""
    named = call.call.method in (("delete", "unlink") if method == "delete" else (method,))
    return named and plain(call) and len(call.node.args) == 1 and not call.node.keywords


def _comparison(program: Program, use: ast.expr) -> tuple[ast.Compare, str, bool] | None:
    """The comparison of a value, as it is or decoded, with a variable."""
    node = _outside(program, use)
    above = program.parent(node)
    if not isinstance(above, ast.Compare) or len(above.ops) != 1:
        return None
    if not isinstance(above.ops[0], ast.Eq | ast.NotEq):
        return None
    other = above.comparators[0] if above.left is node else above.left
    token = _variable(other)
    equal = isinstance(above.ops[0], ast.Eq)
    return None if token is None else (above, program.source(token), equal)


def _outside(program: Program, node: ast.expr) -> ast.expr:
    """With `.decode()` behind it, or `str(…, "utf-8")` around it."""
    above = program.parent(node)
    if isinstance(above, ast.Attribute) and above.attr in _CONVERTING:
        call = program.parent(above)
        return call if isinstance(call, ast.Call) else node
    if isinstance(above, ast.Call) and isinstance(above.func, ast.Name) and above.func.id in ("str", "bytes"):
        return above if above.args[:1] == [node] else node
    return node


def _variable(node: ast.expr) -> ast.expr | None:
    """A name or an attribute, taken out of `.encode()`."""
    match node:
        case ast.Call(func=ast.Attribute(value=inner, attr=attr)) if attr in _CONVERTING:
            return _variable(inner)
        case ast.Name():
            return node
        case ast.Attribute(value=inner):
            return node if _variable(inner) is not None else None
    return None


def _asks(program: Program, node: ast.expr, source: str, there: bool) -> bool:
    """`value` or `value is not None`; with `there=False`, the contrary."""
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return not there and program.source(inner) == source
        case ast.Compare(left=left, ops=[operator], comparators=[ast.Constant(value=None)]):
            wanted = ast.IsNot if there else ast.Is
            return isinstance(operator, wanted) and program.source(left) == source
    return there and program.source(node) == source
