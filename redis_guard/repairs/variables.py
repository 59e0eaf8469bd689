"""Local variables as a function's text shows them.

Law of this file: a name that is given values at several places, or shared with other functions, is not followed.
"""

import ast

from redis_guard.fixes.program import Program


def reads(program: Program, name: ast.Name, statement: ast.stmt) -> tuple[ast.Name, ...]:
    """Where a name that one statement gives a value is read, within its function; empty if it is given others too."""
    function = program.function(statement) or program.tree
    all_of_it = [each for each in ast.walk(function) if isinstance(each, ast.Name) and each.id == name.id]
    declared = any(
        isinstance(each, ast.Global | ast.Nonlocal) and name.id in each.names for each in ast.walk(function)
    )
    if declared or sum(not isinstance(each.ctx, ast.Load) for each in all_of_it) != 1:
        return ()
    return tuple(each for each in all_of_it if isinstance(each.ctx, ast.Load))


def assigned(program: Program, value: ast.expr) -> ast.Name | None:
    """The name that a statement of its own gives a value: `name = value`."""
    statement = program.statement(value)
    if isinstance(statement, ast.Assign) and statement.value is value and len(statement.targets) == 1:
        target = statement.targets[0]
        return target if isinstance(target, ast.Name) else None
    return None


def holds(program: Program, value: ast.expr) -> ast.AST | None:
    """Where a variable got the value that it keeps: a statement, or `value` itself for what has it all the time.

    None for what is no variable, or may get another value.
    """
    if isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name) and value.value.id == "self":
        return value
    if not isinstance(value, ast.Name):
        return None
    function = program.function(value)
    if isinstance(function, ast.Lambda):
        return None
    inside = _stores(function or program.tree, value.id)
    if function is not None and _is_parameter(function, value.id):
        return None if inside else value
    if function is not None and not inside:
        return value if len(_stores(program.tree, value.id)) == 1 else None
    return program.statement(inside[0]) if len(inside) == 1 else None


def _is_parameter(function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> bool:
    return any(isinstance(each, ast.arg) and each.arg == name for each in ast.walk(function.args))


def _stores(inside: ast.AST, name: str) -> list[ast.Name]:
    return [
        each
        for each in ast.walk(inside)
        if isinstance(each, ast.Name) and each.id == name and not isinstance(each.ctx, ast.Load)
    ]


def is_sure_before(program: Program, first: ast.AST, second: ast.stmt) -> bool:
    """Whenever `second` is reached, `first` was done: it stands in the same block, or in one around it, and before."""
    if not isinstance(first, ast.stmt):
        return False
    block = program.block(first).statements
    chain = [second, *program.parents(second)]
    number = next(n for n, each in enumerate(block) if each is first)
    return any(each is above for each in block[number:] for above in chain)
