"""Whether an expression gives the same value at another place.

Law of this file: what is bound once, and attributes that the function does not set, keep their values; what a call
gives is not asked for a second time.
"""

import ast

from redis_guard.fixes.program import Program
from redis_guard.migrate.atoms import Filler
from redis_guard.migrate.bindings import Function, bindings, own, scope_of
from redis_guard.migrate.model import Refused

_PURE = frozenset({"str", "int", "len", "hex", "repr"})


def refuse_to_move(program: Program, filler: Filler, at: ast.AST) -> None:
    """Raises Refused where the value may be another at `at`."""
    for node in ast.walk(ast.parse(filler.text or "", mode="eval")) if filler.text else ():
        if isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in _PURE):
            raise Refused(
                f"{ast.unparse(node)} is called before, for the key; give the identifier a variable of its own"
            )
        if isinstance(node, ast.Await | ast.Yield | ast.NamedExpr):
            raise Refused("the key is computed before; give the identifier a variable of its own")
        if isinstance(node, ast.Name):
            _once(program, node, at)
        if isinstance(node, ast.Attribute):
            _unset(program, node, at)


def _once(program: Program, name: ast.Name, at: ast.AST) -> None:
    scope = scope_of(program, at)
    while isinstance(scope, Function):
        found = bindings(scope, name.id)
        if found:
            if len(found) > 1:
                raise Refused(f"{name.id} may have another value by then; it is bound in several places")
            return
        scope = scope_of(program, scope)


def _unset(program: Program, attribute: ast.Attribute, at: ast.AST) -> None:
    for node in own(scope_of(program, at)):
        if (
            isinstance(node, ast.Attribute)
            and node.attr == attribute.attr
            and isinstance(node.ctx, ast.Store | ast.Del)
        ):
            raise Refused(
                f"{ast.unparse(attribute)} is set in the function, and may have another value by then"
            )
