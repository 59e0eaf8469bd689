"""Handlers of redis-py's lock errors, which the runtime does not raise.

Law of this file: a handler of nothing else, around the lock and nothing else, gets the runtime's errors; any other is
in the way.
"""

import ast
from collections.abc import Iterator

from redis_guard.migrate.bindings import Function
from redis_guard.migrate.model import Refused
from redis_guard.migrate.page import Page

_ERRORS = frozenset({"LockError", "LockNotOwnedError"})
_OTHER_LOCKS = frozenset({"lock", "acquire", "release", "extend", "reacquire"})


def rewrite_handlers(page: Page, only: ast.stmt, raised: tuple[str, ...]) -> None:
    """Let handlers around `only` catch what the runtime raises in it. Raises Refused."""
    for block, handler in _around(page, only):
        names = _names(handler.type)
        if not names & _ERRORS or handler.type is None:
            continue
        said = f"{min(names & _ERRORS)} is caught around it (line {handler.lineno})"
        if names - _ERRORS or not _is_alone(page, block, only):
            raise Refused(f"{said}; the runtime raises LockNotAcquired and LockLost")
        page.draft.rewrite(handler.type, raised[0] if len(raised) == 1 else f"({', '.join(raised)})")
        page.errors.update(raised)


def _around(page: Page, statement: ast.stmt) -> Iterator[tuple[ast.Try, ast.ExceptHandler]]:
    below: ast.AST = statement
    for above in page.program.parents(statement):
        if isinstance(above, Function):
            return
        if isinstance(above, ast.Try) and any(below is one for one in above.body):
            for handler in above.handlers:
                yield above, handler
        below = above


def _names(caught: ast.expr | None) -> frozenset[str]:
    """Last names of the classes."""
    match caught:
        case ast.Tuple(elts=several):
            return frozenset(name for one in several for name in _names(one))
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return frozenset({name})
    return frozenset()


def _is_alone(page: Page, block: ast.Try, only: ast.stmt) -> bool:
    """The block is the lock's, with its test at most, and nothing in it handles another lock."""
    statement = block.body[0] if len(block.body) == 1 else None
    if isinstance(statement, ast.If) and statement.body == [only] and not statement.orelse:
        return True
    if statement is not only:
        return False
    inside = only.body if isinstance(only, ast.With | ast.AsyncWith) else []
    return not any(
        isinstance(node, ast.Attribute) and node.attr in _OTHER_LOCKS
        for each in inside
        for node in ast.walk(each)
    )
