"""GET of a counter: `int(r.get(key) or 0)` and its kin become the number that the runtime gives.

Law of this file: no count is 0, as text was None; where code tells an absent key from 0 otherwise, it is left.
"""

import ast

from redis_guard.migrate.asked import compares, in_test
from redis_guard.migrate.bindings import Function, assigned, reads, seen_within
from redis_guard.migrate.model import Refused
from redis_guard.migrate.page import Page
from redis_guard.migrate.sites import Site

_ZEROS = (0, "0", b"0", None)


def read_value(page: Page, site: Site) -> None:
    """Draft the edits. Raises Refused."""
    if site.call.command != "GET":
        raise Refused(f"{site.call.command} has no counterpart; read the count with value()")
    written = page.written(site)
    text = page.awaited(site, f"{page.asking(site, written)}.value()")
    program, whole = page.program, written.whole
    number = _number(page, whole)
    if number is not None:
        page.draft.rewrite(number, text)
        return
    if in_test(program, whole):
        page.draft.rewrite(whole, text)
        return
    above = program.parent(whole)
    kept = (
        above.targets[0]
        if isinstance(above, ast.Assign)
        else above.target
        if isinstance(above, ast.NamedExpr)
        else None
    )
    if not isinstance(kept, ast.Name):
        raise Refused("the text of the count is used; the runtime gives a number")
    _kept(page, above, kept.id)
    page.draft.rewrite(whole, text)


def _number(page: Page, value: ast.expr) -> ast.expr | None:
    """The `int(value or 0)` around an expression."""
    above = page.program.parent(value)
    match above:
        case ast.BoolOp(op=ast.Or(), values=[first, ast.Constant(value=zero)]) if (
            first is value and zero in _ZEROS
        ):
            return _int(page, above) if zero is not None else None
    return None


def _int(page: Page, value: ast.expr) -> ast.Call | None:
    match page.program.parent(value):
        case ast.Call(func=ast.Name(id="int"), args=[only], keywords=[]) as call if only is value:
            return call
    return None


def _kept(page: Page, made: ast.AST | None, name: str) -> None:
    """Every use of the variable is of its number, or whether there is one."""
    program, draft = page.program, page.draft
    scope = page.scope(made) if made is not None else None
    if not isinstance(scope, Function) or seen_within(scope, name):
        raise Refused(f"{name} is seen by others than this function")
    if isinstance(made, ast.Assign) and assigned(program, scope, name) is not made:
        raise Refused(f"{name} is given other values too")
    done: list[ast.expr] = []
    for read in reads(scope, name):
        if any(read in ast.walk(one) for one in done):
            continue
        above = program.parent(read)
        chosen = _chosen(page, read, name)
        number = chosen or _number(page, read) or _int(page, read)
        if number is not None:
            draft.rewrite(number, name)
            done.append(number)
        elif isinstance(above, ast.Compare) and (yes := compares(above, read)) is not None:
            draft.rewrite(above, name if yes else f"not {name}")
        elif not in_test(program, read):
            raise Refused(f"{name} is used as text (line {read.lineno}); the runtime gives a number")


def _chosen(page: Page, read: ast.Name, name: str) -> ast.IfExp | None:
    """`int(value) if value else 0`."""
    for above in page.program.parents(read):
        if isinstance(above, ast.stmt):
            return None
        match above:
            case ast.IfExp(
                test=ast.Name(id=asked)
                | ast.Compare(
                    left=ast.Name(id=asked), ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]
                ),
                body=ast.Call(func=ast.Name(id="int"), args=[ast.Name(id=number)], keywords=[]),
                orelse=ast.Constant(value=0),
            ) if asked == number == name:
                return above
    return None
