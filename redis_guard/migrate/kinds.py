"""What type a value has, as far as one file shows it: the runtime takes str, int, UUID and bytes, and nothing else.

Law of this file: an annotation, a constant or a built-in function says so, or nothing does.
"""

import ast
from typing import Literal

from redis_guard.fixes.program import Program
from redis_guard.migrate.bindings import Function, assigned, bindings, scope_of

Kind = Literal["str", "int", "uuid", "bytes"]

_ANNOTATIONS: dict[str, Kind] = {
    "str": "str",
    "int": "int",
    "bytes": "bytes",
    "UUID": "uuid",
    "uuid.UUID": "uuid",
}
_FUNCTIONS: dict[str, Kind] = {
    "str": "str", "repr": "str", "hex": "str", "int": "int", "len": "int", "ord": "int", "UUID": "uuid",
    "uuid1": "uuid", "uuid4": "uuid", "uuid5": "uuid", "uuid.uuid1": "uuid", "uuid.uuid4": "uuid", "uuid.uuid5": "uuid",
    "uuid.UUID": "uuid",
}  # fmt: skip
_METHODS: dict[str, Kind] = {
    "hexdigest": "str", "isoformat": "str", "strftime": "str", "decode": "str", "format": "str", "encode": "bytes",
}  # fmt: skip
_DEPTH = 6


def kind_of(program: Program, expr: ast.expr, depth: int = 0) -> Kind | None:
    """The type of an expression's value; None where the file does not show it."""
    if depth > _DEPTH:
        return None
    match expr:
        case ast.Constant(value=bool()):
            return None
        case (
            ast.Constant(value=str())
            | ast.JoinedStr()
            | ast.BinOp(op=ast.Mod(), left=ast.Constant(value=str()))
        ):
            return "str"
        case ast.Constant(value=int()):
            return "int"
        case ast.Constant(value=bytes()):
            return "bytes"
        case ast.Call(func=ast.Attribute(attr=name) as func):
            return _FUNCTIONS.get(ast.unparse(func)) or _METHODS.get(name)
        case ast.Call(func=ast.Name(id=name)):
            return _FUNCTIONS.get(name)
        case ast.Name(id=name):
            return _of_name(program, expr, name, depth)
    return None


def annotated(annotation: ast.expr | None) -> Kind | None:
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return _ANNOTATIONS.get(annotation.value)
    return None if annotation is None else _ANNOTATIONS.get(ast.unparse(annotation))


def _of_name(program: Program, expr: ast.expr, name: str, depth: int) -> Kind | None:
    scope = scope_of(program, expr)
    found = bindings(scope, name)
    if len(found) != 1:
        return None
    if isinstance(scope, Function) and isinstance(found[0], ast.arg):
        return annotated(found[0].annotation)
    made = assigned(program, scope, name)
    if isinstance(made, ast.AnnAssign):
        return annotated(made.annotation)
    return None if made is None else kind_of(program, made.value, depth + 1)
