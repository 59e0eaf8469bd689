"""GET and the DELETE of the same key become GETDEL.

Law of this file: between the two stands nothing but the question whether there is a value, and reading it otherwise:
GETDEL takes the value away before anything else is done with it.
"""

import ast
from dataclasses import dataclass

from redis_guard.finding import Fix
from redis_guard.fixes.draft import Draft
from redis_guard.fixes.program import Program
from redis_guard.project.model import Call
from redis_guard.repairs.plainly import at_once, plain
from redis_guard.repairs.variables import assigned
from redis_guard.repairs.written import find, neighbours, same_block

_SINCE = (6, 2)
_READING = frozenset(
    "loads load decode int float str bytes strip lower upper split UUID cast fromisoformat".split()
)
_LOGGING = frozenset("debug info warning error exception critical log print".split())
_LEAVES = ast.Return | ast.Raise | ast.Continue | ast.Break


@dataclass(frozen=True, slots=True)
class ReadAndDelete:
    """`read` is a GET, `delete` the DELETE after it."""

    read: Call
    delete: Call

    def fix(self, program: Program) -> Fix | None:
        if program.target_server < _SINCE or self.read.client != self.delete.client:
            return None
        read = find(program, self.read)
        if read is None or not plain(read) or self.read.method != "get":
            return None
        deletion = self._deletion(program)
        if deletion is None or len(self.read.keys) != 1:
            return None
        first = read.statement
        if not isinstance(first, ast.Assign | ast.AnnAssign) or first.value is not _reading(
            program, read.whole
        ):
            return None
        draft = Draft(program)
        draft.rename_method(read.node, "getdel")
        if neighbours(program, first, deletion):
            draft.remove_statement(deletion)
            if first.value is read.whole:
                return draft.fix("Read and delete in one step (GETDEL)", "safe")
            return draft.fix("Read and delete in one step (GETDEL), also what cannot be read then", "unsafe")
        name = assigned(program, read.whole)
        if name is None or not self._only_asked(program, name.id, first, deletion):
            return None
        _remove(draft, deletion)
        return draft.fix(
            "Read and delete in one step (GETDEL); the value is gone before it is looked at", "unsafe"
        )

    def _deletion(self, program: Program) -> ast.stmt | None:
        """The statement that deletes this key and does nothing else."""
        if len(self.delete.keys) != 1 or not at_once(self.delete):
            return None
        if self.delete.form == "subscript":
            item = program.expression(self.delete.span)
            statement = None if item is None else program.parent(item)
            return statement if isinstance(statement, ast.Delete) and len(statement.targets) == 1 else None
        found = find(program, self.delete)
        if found is None or not found.alone or not plain(found):
            return None
        return found.statement if len(found.node.args) == 1 and not found.node.keywords else None

    @staticmethod
    def _only_asked(program: Program, name: str, first: ast.stmt, deletion: ast.stmt) -> bool:
        """On the way from one to the other it is asked whether there is a value, and nothing is done with it."""
        here = deletion
        test = program.block(deletion).owner
        if isinstance(test, ast.If) and same_block(program, first, test) is not None:
            body = test.body
            if not any(each is deletion for each in body) or not _asks(test.test, name, there=True):
                return False
            if not all(_is_quiet(each) for each in body[: _number(body, deletion)]):
                return False
            here = test
        between = same_block(program, first, here)
        return between is not None and all(_is_quiet(each) or _leaves_without(each, name) for each in between)


def _reading(program: Program, node: ast.expr) -> ast.expr:
    """With the calls around it that read what it gives otherwise: `json.loads(…)`, `int(…)`, `….decode()`."""
    while True:
        above = program.parent(node)
        if isinstance(above, ast.Attribute):
            above = program.parent(above)
        if not isinstance(above, ast.Call) or _callee(above) not in _READING:
            return node
        node = above


def _number(block: list[ast.stmt], statement: ast.stmt) -> int:
    return next(number for number, each in enumerate(block) if each is statement)


def _asks(test: ast.expr, name: str, *, there: bool) -> bool:
    """Whether a value is there (or, with `there=False`, is not), and nothing else."""
    match test:
        case ast.Name():
            return there and test.id == name
        case ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=asked)):
            return not there and asked == name
        case ast.Compare(left=ast.Name(id=asked), ops=[operator], comparators=[ast.Constant(value=None)]):
            return asked == name and isinstance(operator, ast.IsNot if there else ast.Is)
    return False


def _leaves_without(statement: ast.stmt, name: str) -> bool:
    """`if value is None: return`."""
    return (
        isinstance(statement, ast.If)
        and not statement.orelse
        and _asks(statement.test, name, there=False)
        and isinstance(statement.body[-1], _LEAVES)
    )


def _is_quiet(statement: ast.stmt) -> bool:
    """A value is read otherwise, or a line is logged."""
    if not isinstance(statement, ast.Assign | ast.AnnAssign | ast.Expr):
        return False
    calls = [node for node in ast.walk(statement) if isinstance(node, ast.Call)]
    if any(isinstance(node, ast.Await | ast.Yield | ast.YieldFrom) for node in ast.walk(statement)):
        return False
    known = _LOGGING if isinstance(statement, ast.Expr) else _READING
    return all(_callee(call) in known | _READING for call in calls)


def _callee(call: ast.Call) -> str:
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _remove(draft: Draft, statement: ast.stmt) -> None:
    """A statement, and the `if` around it if nothing else is in it."""
    block = draft.program.block(statement)
    empty = isinstance(block.owner, ast.If) and len(block.statements) == 1 and not block.owner.orelse
    if empty and isinstance(block.owner, ast.If) and len(draft.program.block(block.owner).statements) > 1:
        draft.remove_statement(block.owner)
    else:
        draft.remove_statement(statement)
