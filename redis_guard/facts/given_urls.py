"""Literal URLs with a password that are given to a name: a setting, an argument, an entry of a table.

Law of this file: the text is what stands there, whole; one that is put together or looked up is nobody's setting.
"""

import ast
import re
from collections.abc import Iterator

from redis_guard.facts.model import GivenUrl, Place4
from redis_guard.facts.positions import Columns

_URL = re.compile(r"^(?:redis|rediss|valkey|valkeys)(?:\+\w+)?://[^/?#]*:[^/?#]+@", re.IGNORECASE)
_IN_TEXT = re.compile(r"(?:rediss?|valkeys?)(?:\+\w+)?://", re.IGNORECASE)


def given_urls(tree: ast.AST | None, text: str) -> tuple[GivenUrl, ...]:
    """Those of a file in the order of the tree; none where Python's own parser refuses it."""
    if tree is None or not _IN_TEXT.search(text):
        return ()
    return tuple(_found(tree, "", "", Columns(text)))


def _found(node: ast.AST, name: str, function: str, column: Columns) -> Iterator[GivenUrl]:
    """`name` is that of the nearest thing the node is given to."""
    match node:
        case ast.Constant(value=str(url)) if name and _URL.match(url):
            yield GivenUrl(name, url, _place(node, column), function)
        case (
            ast.Assign(targets=[target, *_], value=value)
            | ast.AnnAssign(target=target, value=ast.expr() as value)
        ):
            yield from _found(value, _name(target), function, column)
        case ast.keyword(arg=str(keyword), value=value):
            yield from _found(value, keyword, function, column)
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                word = key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else name
                yield from _found(value, word, function, column)
        case ast.Expr() | ast.JoinedStr():
            # a statement gives its value to nobody, but the call in it may
            for inner in ast.iter_child_nodes(node):
                yield from _found(inner, "", function, column)
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            qualname = f"{function}.{node.name}" if function else node.name
            for inner in ast.iter_child_nodes(node):
                yield from _found(inner, "", qualname, column)
        case _:
            for inner in ast.iter_child_nodes(node):
                yield from _found(inner, name, function, column)


def _name(target: ast.expr) -> str:
    """`URL`, `conf.URL` and `conf["URL"]` all say URL."""
    match target:
        case (
            ast.Name(id=name) | ast.Attribute(attr=name) | ast.Subscript(slice=ast.Constant(value=str(name)))
        ):
            return name
    return ""


def _place(node: ast.Constant, column: Columns) -> Place4:
    end_line, end = node.end_lineno or node.lineno, node.end_col_offset or 0
    return node.lineno, column(node.lineno, node.col_offset), end_line, column(end_line, end)
