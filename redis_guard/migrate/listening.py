"""The loop over a subscription, without its sorting out of messages.

Law of this file: of a message nothing may be read but what kind it is.
"""

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from redis_guard.migrate.bindings import bindings, reads
from redis_guard.migrate.dedenting import dedented
from redis_guard.migrate.model import Refused
from redis_guard.migrate.page import Page

_CLOSING = frozenset({"close", "aclose", "unsubscribe", "reset"})


@dataclass(frozen=True, slots=True)
class Subscription:
    """A Pub/Sub object of one function."""

    name: str
    made: ast.stmt
    subscribed: ast.stmt


def loop_of(page: Page, subscription: Subscription, uses: Sequence[ast.Name]) -> ast.For | ast.AsyncFor:
    """The one loop over `listen()`, its test for messages taken out. Raises Refused."""
    program = page.program
    loops: list[ast.For | ast.AsyncFor] = []
    for read in uses:
        attribute = program.parent(read)
        call = program.parent(attribute) if isinstance(attribute, ast.Attribute) else None
        if not isinstance(attribute, ast.Attribute) or not isinstance(call, ast.Call):
            raise Refused("the subscription is handed on")
        statement = program.statement(call)
        if (
            attribute.attr == "listen"
            and isinstance(statement, ast.For | ast.AsyncFor)
            and statement.iter is call
        ):
            loops.append(statement)
        elif attribute.attr in _CLOSING:
            raise Refused(f"the subscription is ended by {attribute.attr}() (line {call.lineno})")
        elif attribute.attr != "subscribe":
            raise Refused(f"{attribute.attr}() is no plain loop over listen() (line {call.lineno})")
    if len(loops) != 1 or loops[0].orelse:
        raise Refused("there is no plain loop over listen()")
    _without_sorting(page, loops[0])
    return loops[0]


def _without_sorting(page: Page, loop: ast.For | ast.AsyncFor) -> None:
    message = loop.target
    if not isinstance(message, ast.Name):
        raise Refused("the loop takes messages apart")
    scope = page.scope(loop)
    assert isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Module)
    if len(bindings(scope, message.id)) != 1:
        raise Refused(f"{message.id} is given other values too")
    used = reads(scope, message.id)
    first = loop.body[0]
    if used and isinstance(first, ast.If) and _sorts(first.test, message.id, ast.NotEq) and len(used) == 1:
        if (
            len(first.body) == 1
            and isinstance(first.body[0], ast.Continue)
            and not first.orelse
            and len(loop.body) > 1
        ):
            page.draft.remove_statement(first)
            used = []
    if used and isinstance(first, ast.If) and len(loop.body) == 1 and len(used) == 1 and not first.orelse:
        if _sorts(first.test, message.id, ast.Eq):
            dedented(page, first, first.body[0])
            used = []
    if used:
        raise Refused(
            f"the content of {message.id} is read (line {used[0].lineno}); a signal carries no data"
        )
    page.draft.rewrite(message, "_wake")


def _sorts(test: ast.expr, message: str, operator: type[ast.cmpop]) -> bool:
    """`message["type"] != "message"`, or by `get`."""
    match test:
        case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value="message")]) if isinstance(
            op, operator
        ):
            match left:
                case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value="type")):
                    return name == message
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id=name), attr="get"), args=[ast.Constant(value="type")]
                ):
                    return name == message
    return False
