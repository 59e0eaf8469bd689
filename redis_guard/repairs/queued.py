"""What a pipeline answers, where a command is taken out of it.

Law of this file: answers are counted by their place, so that one command less moves all that come after it.
"""

import ast

from redis_guard.repairs.written import Written


def queued(call: Written) -> bool:
    """It is put into a pipeline, on some way through the code."""
    return not call.call.immediate or call.call.optional_pipeline


def may_be_queued(call: Written) -> bool:
    """It is, or a caller may hand in a pipeline in place of the client."""
    return queued(call) or _chosen_by_caller(call)


def _chosen_by_caller(call: Written) -> bool:
    """`conn = conn or r`: what a caller hands in may be a pipeline."""
    function, receiver = call.program.function(call.node), call.node.func
    if (
        not isinstance(receiver, ast.Attribute)
        or not isinstance(receiver.value, ast.Name)
        or function is None
    ):
        return False
    given = {each.arg for each in (*function.args.args, *function.args.kwonlyargs)}
    for node in ast.walk(function):
        match node:
            case ast.Assign(
                targets=[ast.Name(id=receiver.value.id)], value=ast.BoolOp() | ast.IfExp() as value
            ):
                # what an `a if test else b` asks is not what it gives
                parts = value.values if isinstance(value, ast.BoolOp) else [value.body, value.orelse]
                if any(isinstance(part, ast.Name) and part.id in given for part in parts):
                    return True
    return False


def answers_used(call: Written) -> bool | None:
    """Whether its function reads what the pipeline answers; None where the pipeline is sent out of sight.

    False for a call that is surely not queued.
    """
    function = call.node.func
    if not may_be_queued(call) or not isinstance(function, ast.Attribute):
        return False
    program = call.program
    receiver = ast.dump(function.value)
    sent = [
        node
        for node in ast.walk(program.function(call.node) or program.tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "execute"
        and ast.dump(node.func.value) == receiver
    ]
    if not sent:
        return None
    return any(
        not isinstance(program.parent(_awaited(program.parent(node), node)), ast.Expr) for node in sent
    )


def _awaited(above: ast.AST | None, node: ast.expr) -> ast.expr:
    return above if isinstance(above, ast.Await) else node
