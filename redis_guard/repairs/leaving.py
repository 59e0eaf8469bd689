"""Whether control reaches what comes after some statements.

Law of this file: errors raised by what is called are left out of account.
"""

import ast
from collections.abc import Iterable, Sequence

_LOOPS = ast.For | ast.AsyncFor | ast.While
_DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda


def always_leaves(body: Sequence[ast.stmt]) -> bool:
    """Control never passes the end of these statements."""
    return isinstance(body[-1], ast.Return | ast.Raise | ast.Continue | ast.Break)


def leave(nodes: Iterable[ast.AST]) -> bool:
    """On some way through them, what comes after them is not reached."""
    return any(_leaves(node, in_loop=False) for node in nodes)


def _leaves(node: ast.AST, *, in_loop: bool) -> bool:
    if isinstance(node, ast.Return | ast.Raise):
        return True
    if isinstance(node, ast.Break | ast.Continue):
        return not in_loop
    if isinstance(node, _DEFINITIONS):
        return False
    inner = in_loop or isinstance(node, _LOOPS)
    return any(_leaves(child, in_loop=inner) for child in ast.iter_child_nodes(node))


def breaks(node: ast.AST) -> bool:
    """It ends the loop that it stands in."""
    if isinstance(node, ast.Break):
        return True
    if isinstance(node, (*_LOOPS.__args__, *_DEFINITIONS.__args__)):
        return False
    return any(breaks(child) for child in ast.iter_child_nodes(node))
