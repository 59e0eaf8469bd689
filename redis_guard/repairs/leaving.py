"""Whether control reaches what comes after some statements.

Law of this file: errors raised by what is called are left out of account, and what stands in a function that is only
defined there leaves nothing.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence

_LOOPS = ast.For | ast.AsyncFor | ast.While
_DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda


def always_leaves(body: Sequence[ast.stmt]) -> bool:
    """Control never passes the end of these statements."""
    return isinstance(body[-1], ast.Return | ast.Raise | ast.Continue | ast.Break)


def leave(nodes: Iterable[ast.AST]) -> bool:
    """On some way through them, what comes after them is not reached."""
    return any(True for node in nodes for _ in _ways_out(node, in_loop=False))


def leaves(statement: ast.stmt) -> bool:
    """On some way through it what comes after it is passed by, exceptions apart."""
    return any(not isinstance(way, ast.Raise) for way in _ways_out(statement, in_loop=False))


def _ways_out(node: ast.AST, *, in_loop: bool) -> Iterator[ast.AST]:
    if isinstance(node, _DEFINITIONS):
        return
    if isinstance(node, ast.Return | ast.Raise) or (
        isinstance(node, ast.Break | ast.Continue) and not in_loop
    ):
        yield node
    for name, value in ast.iter_fields(node):
        inside = in_loop or (isinstance(node, _LOOPS) and name == "body")
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, ast.AST):
                yield from _ways_out(each, in_loop=inside)


def breaks(node: ast.AST) -> bool:
    """It ends the loop that it stands in."""
    if isinstance(node, ast.Break):
        return True
    if isinstance(node, (*_LOOPS.__args__, *_DEFINITIONS.__args__)):
        return False
    return any(breaks(child) for child in ast.iter_child_nodes(node))
