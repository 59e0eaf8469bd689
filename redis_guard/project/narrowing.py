"""Where the code has ruled out None for a variable before it is used.

Law of this file: tests on the variable itself, in the same function, on every way to the use.
"""

from redis_guard.facts.model import Attr, Bool, Compare, Cond, Const, Expr, Name, Root, Scope, Step, Unary, Walrus
from redis_guard.project.inference import Inference
from redis_guard.project.walk import every, text


def never_none(inf: Inference, path: str, scope: int, expr: Name | Attr) -> bool:
    """Whether every way to this use has gone through a test that the variable is something."""
    facts = inf.index.modules[path].scopes[scope]
    use = _root_of(facts, expr)
    if use is None:
        return False
    name = text(expr)
    for step in use.path:
        construct = facts.constructs[step.construct]
        if construct.kind in ("if", "while") and construct.roots:
            test = facts.roots[construct.roots[0]].expr
            if _holds(test, name, wanted=step.arm == 0):
                return True
    return _guarded_before(facts, use, name) or _within(use.expr, expr, name)


def _root_of(facts: Scope, expr: Expr) -> Root | None:
    for root in facts.roots:
        if any(node is expr for node in every(root.expr)):
            return root
    return None


def _holds(test: Expr, name: str, *, wanted: bool) -> bool:
    """Whether `test` being true (or false) means that `name` is not None."""
    match test:
        case Name() | Attr():
            return wanted and text(test) == name
        case Walrus(name=bound):
            return wanted and bound == name
        case Unary(op="not", value=value):
            return _holds(value, name, wanted=not wanted)
        case Compare(left=left, ops=(op,), rights=(right,)):
            if isinstance(right, Const) and right.value is None and _means(left, name):
                return wanted == (op in ("is not", "!="))
            # an order comparison would have raised on None
            return _means(left, name) and wanted and op in ("<", ">", "<=", ">=")
        case Bool(op=op, left=left, right=right):
            if (op == "and") == wanted:
                return _holds(left, name, wanted=wanted) or _holds(right, name, wanted=wanted)
            return _holds(left, name, wanted=wanted) and _holds(right, name, wanted=wanted)
    return False


def _means(expr: Expr, name: str) -> bool:
    return text(expr) == name or (isinstance(expr, Walrus) and expr.name == name)


def _guarded_before(facts: Scope, use: Root, name: str) -> bool:
    """`if x is None: x = …` or `if x is None: return` above the use, in one of the blocks around it; `assert x`."""
    for root in facts.roots:
        if root is use:
            return False
        if root.path != use.path[: len(root.path)]:
            continue
        if root.use == "assert" and _holds(root.expr, name, wanted=True):
            return True
        if root.use == "test" and _holds(root.expr, name, wanted=False):
            number = _construct_of(facts, root)
            if number is None or Step(number, 0) in use.path:
                continue
            construct = facts.constructs[number]
            if construct.kind == "if" and (construct.ends[0] or _rebinds(facts, Step(number, 0), name)):
                return True
    return False


def _construct_of(facts: Scope, root: Root) -> int | None:
    for number, construct in enumerate(facts.constructs):
        if construct.roots and facts.roots[construct.roots[0]] is root:
            return number
    return None


def _rebinds(facts: Scope, arm: Step, name: str) -> bool:
    """Whether the arm gives the variable a value that is not None."""
    for root in facts.roots:
        if arm not in root.path or root.use != "assign":
            continue
        if isinstance(root.expr, Const) and root.expr.value is None:
            continue
        if any(facts.defs[number].name == name for number in root.defs if number >= 0):
            return True
    return any(
        arm in facts.roots[store.root].path and text(store.target) == name for store in facts.stores if store.root >= 0
    )


def _within(whole: Expr, expr: Expr, name: str) -> bool:
    """`x if x else 60`, `x and f(x)` inside one expression."""
    for node in every(whole):
        if isinstance(node, Cond):
            if _holds(node.test, name, wanted=True) and any(part is expr for part in every(node.body)):
                return True
            if _holds(node.test, name, wanted=False) and any(part is expr for part in every(node.orelse)):
                return True
        elif isinstance(node, Bool) and node.op == "and" and _holds(node.left, name, wanted=True):
            if any(part is expr for part in every(node.right)):
                return True
    return False
