"""Whether an expression means the same in another place.

Law of this file: names and attributes that are set on the way make it another one.
"""

import ast
from collections.abc import Iterable


def rebound(value: ast.expr, nodes: Iterable[ast.AST]) -> bool:
    """Some name or attribute that the value is made of is given another value in these nodes."""
    used = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
    fields = {ast.dump(_as_read(node)) for node in ast.walk(value) if isinstance(node, ast.Attribute)}
    for node in (inner for each in nodes for inner in ast.walk(each)):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) if name in used:
                return True
            case ast.Attribute(ctx=ast.Store() | ast.Del()) if ast.dump(_as_read(node)) in fields:
                return True
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                if name in used:
                    return True
            case ast.alias(name=name, asname=other) if (other or name.partition(".")[0]) in used:
                return True
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) if name in used:
                return True
    return False


def _as_read(node: ast.Attribute) -> ast.Attribute:
    return ast.Attribute(node.value, node.attr, ast.Load())
