"""Statements that leave the stretch in which they stand.

Law of this file: what stands in a function that is only defined there leaves nothing.
"""

import ast
from collections.abc import Iterator

_LOOPS = ast.For | ast.AsyncFor | ast.While
_DEFINES = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda


def leaves(statement: ast.stmt) -> bool:
    """On some way through it what comes after it is passed by, exceptions apart."""
    return next(_ways_out(statement, in_loop=False), None) is not None


def _ways_out(node: ast.AST, *, in_loop: bool) -> Iterator[ast.AST]:
    if isinstance(node, _DEFINES):
        return
    if isinstance(node, ast.Return) or (isinstance(node, ast.Break | ast.Continue) and not in_loop):
        yield node
    for name, value in ast.iter_fields(node):
        inside = in_loop or (isinstance(node, _LOOPS) and name == "body")
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, ast.AST):
                yield from _ways_out(each, in_loop=inside)
