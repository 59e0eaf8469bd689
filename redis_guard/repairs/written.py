"""A call of the facts as it stands in the text.

Law of this file: it finds; it changes nothing.
"""

import ast
from dataclasses import dataclass
from itertools import pairwise

from redis_guard.fixes.program import Program
from redis_guard.project.model import Call


@dataclass(frozen=True, slots=True)
class Written:
    """A call and its node."""

    program: Program
    call: Call
    node: ast.Call

    @property
    def whole(self) -> ast.expr:
        """The call with the `await` before it."""
        above = self.program.parent(self.node)
        return above if isinstance(above, ast.Await) else self.node

    @property
    def statement(self) -> ast.stmt:
        return self.program.statement(self.node)

    @property
    def alone(self) -> bool:
        """Its statement is this call and nothing else: the result is not used."""
        statement = self.statement
        return isinstance(statement, ast.Expr) and statement.value is self.whole

    @property
    def method_named(self) -> bool:
        """Written as `client.method(…)`, and not `execute_command("METHOD", …)`."""
        return (
            isinstance(self.node.func, ast.Attribute)
            and self.node.func.attr == self.call.method != "execute_command"
        )

    @property
    def client(self) -> ast.expr:
        """What the method is called on."""
        assert isinstance(self.node.func, ast.Attribute)
        return self.node.func.value

    @property
    def client_text(self) -> str:
        """As `client`, as written."""
        return self.program.source(self.client)

    @property
    def starred(self) -> bool:
        """Some argument is `*a` or `**k`."""
        return starred(self.node)

    def argument(self, *names: str) -> ast.expr | None:
        """The value given for the first parameter of these names that is given one."""
        return argument_of(self.node, self.call, *names)

    def text(self, *names: str) -> str | None:
        """As `argument`, as written."""
        found = self.argument(*names)
        return None if found is None else self.program.source(found)


def find(program: Program, call: Call) -> Written | None:
    """The node of a call; None for what is no call (an item assignment, a bound method) or not in this text."""
    if call.form != "call" or call.lent_by is not None:
        return None
    node = program.call(call.span)
    return None if node is None else Written(program, call, node)


def neighbours(program: Program, first: ast.stmt, second: ast.stmt) -> bool:
    """The second statement comes directly after the first, in one block."""
    block = program.block(first).statements
    return any(one is first and other is second for one, other in pairwise(block))


def same_block(program: Program, first: ast.stmt, second: ast.stmt) -> tuple[ast.stmt, ...] | None:
    """The statements between two of one block; None where they are not in one, in this order."""
    block = program.block(first).statements
    places = [number for number, each in enumerate(block) if each is first or each is second]
    if len(places) != 2 or block[places[0]] is not first:
        return None
    return tuple(block[places[0] + 1 : places[1]])


def argument_of(node: ast.Call, call: Call, *names: str) -> ast.expr | None:
    """The value that a call gives for the first parameter of these names that is given one."""
    for keyword in node.keywords:
        if keyword.arg in names:
            return keyword.value
    if starred(node):
        return None
    shift = 1 if call.method == "execute_command" else 0
    for number, (name, _) in enumerate(call.arguments):
        if name in names and number + shift < len(node.args):
            return node.args[number + shift]
    return None


def starred(node: ast.Call) -> bool:
    """Some argument is `*a` or `**k`."""
    return any(isinstance(each, ast.Starred) for each in node.args) or any(
        keyword.arg is None for keyword in node.keywords
    )


def stands_alone_on_lines(program: Program, statement: ast.stmt) -> bool:
    """No other code shares a line with it, so that a block may take its place."""
    start, end = program.start(statement), program.end(statement)
    lines = program.lines
    first = lines.starts[statement.lineno - 1]
    last = lines.stops[(statement.end_lineno or statement.lineno) - 1]
    return not program.text[first:start].strip() and not program.tokens_between(end, last)


def once(program: Program, node: ast.AST) -> bool:
    """It is evaluated once whenever its statement is reached: no loop, condition or function lies between."""
    inner = node
    for above in program.parents(node):
        if isinstance(above, ast.stmt):
            return not isinstance(above, ast.While)
        if isinstance(above, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            return False
        if isinstance(above, ast.IfExp) and above.test is not inner:
            return False
        if isinstance(above, ast.BoolOp) and above.values[0] is not inner:
            return False
        inner = above
    return False
