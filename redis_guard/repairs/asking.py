"""What a test asks with a call: with `not` before it, or compared with a number.

Law of this file: zero and one are no and yes; other numbers are counted, and not asked.
"""

import ast

from redis_guard.fixes.program import Program


def asking(program: Program, node: ast.expr, holds: bool) -> tuple[ast.expr, bool]:
    """What is asked with a node: with the `not` before it, and the number it is compared with.

    `holds`: the step is meant when the node is true.
    """
    while True:
        above = program.parent(node)
        if isinstance(above, ast.UnaryOp) and isinstance(above.op, ast.Not):
            node, holds = above, not holds
        elif isinstance(above, ast.Compare) and above.left is node and (said := _truth(above)) is not None:
            node, holds = above, holds is said
        else:
            return node, holds


def _truth(comparison: ast.Compare) -> bool | None:
    """Whether a comparison of a number that is zero or one asks for one; None where it is no such comparison."""
    other = comparison.comparators[0]
    if len(comparison.ops) != 1 or not isinstance(other, ast.Constant) or type(other.value) is not int:
        return None
    asked = type(comparison.ops[0]), other.value
    if asked in ((ast.Eq, 1), (ast.NotEq, 0), (ast.Gt, 0), (ast.GtE, 1)):
        return True
    return False if asked in ((ast.Eq, 0), (ast.Lt, 1), (ast.LtE, 0), (ast.NotEq, 1)) else None
