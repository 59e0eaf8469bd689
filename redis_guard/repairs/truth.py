"""Whether anybody sees more of a value than whether it is true.

Law of this file: a use that cannot be seen counts as one that sees all.
"""

import ast

from redis_guard.fixes.program import Program


def only_tested(program: Program, node: ast.expr) -> bool:
    """The value is unused, or serves as the test of a branch, alone or with others.

    True and 1 may be compared with: what is true is True here.
    """
    above = program.parent(node)
    match above:
        case ast.Expr():
            return True
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) | ast.Assert(test=test):
            return test is node
        case ast.comprehension(ifs=ifs):
            return any(each is node for each in ifs)
        case ast.UnaryOp(op=ast.Not()):
            return True
        case ast.BoolOp(op=op, values=values):
            passes_on = isinstance(op, ast.Or) and values[-1] is not node
            return passes_on or only_tested(program, above)
        case ast.Compare(
            left=left,
            ops=[ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq()],
            comparators=[ast.Constant(value=True)],
        ):
            return left is node
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq()], comparators=[ast.Constant(value=1)]):
            return left is node
        case ast.Call(func=ast.Name(id="bool")):
            return True
        case ast.NamedExpr(target=target):
            return only_tested(program, above) and _name_only_tested(program, target)
        case ast.Assign(targets=[ast.Name() as target]):
            return _name_only_tested(program, target)
        case ast.AnnAssign(target=ast.Name() as target):
            return _name_only_tested(program, target)
    return False


def _name_only_tested(program: Program, target: ast.Name) -> bool:
    function = program.function(target)
    if function is None or isinstance(function, ast.Lambda):
        return False
    for node in ast.walk(function):
        match node:
            case ast.Global(names=names) | ast.Nonlocal(names=names) if target.id in names:
                return False
            case ast.Name(id=target.id, ctx=ast.Load()):
                if program.function(node) is not function or not only_tested(program, node):
                    return False
    return True
