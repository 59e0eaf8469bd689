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
