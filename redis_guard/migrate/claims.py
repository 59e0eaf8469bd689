"""SET NX (or SETNX and EXPIRE) that is never deleted: a claim.

Law of this file: what the answer was, it stays: a truth where a truth is asked, True or None where the value is seen.
"""

import ast

from redis_guard.behaviour.handmade import takes
from redis_guard.behaviour.holding import has_lifetime
from redis_guard.behaviour.writes import is_expire
from redis_guard.migrate.asked import compares, in_test
from redis_guard.migrate.bindings import Function, assigned, reads, seen_within
from redis_guard.migrate.lifetimes import note_lifetime
from redis_guard.migrate.locks_by_hand import refuse_odd_set, remove_expiry
from redis_guard.migrate.model import Refused
from redis_guard.migrate.page import Page
from redis_guard.migrate.sites import Site


def rewrite_claims(page: Page) -> None:
    """Every claim of the file."""
    for site in list(page.open()):
        if takes(site.call):
            try:
                _one(page, site)
            except Refused as refused:
                page.refuse(site, str(refused))


def _one(page: Page, site: Site) -> None:
    written = page.written(site)
    refuse_odd_set(site)
    own = [
        other for other in page.file.sites if other.call.function == site.call.function and other is not site
    ]
    if any(takes(other.call) for other in own):
        raise Refused("the function claims in several places")
    expiries = [other for other in own if is_expire(other.call)]
    for expiry in expiries:
        remove_expiry(page, expiry, written.whole)
    text = page.awaited(site, page.asking(site, written))
    _answer(page, site, written.whole, text)
    for one in (site, *expiries):
        note_lifetime(page, one)
    if not has_lifetime(site.call) and not expiries and page.target.case.ttl_ms is not None:
        page.note(site.call.span, "the claim never ended here; the runtime's does")
    page.settle(site, *expiries)


def _answer(page: Page, site: Site, whole: ast.expr, text: str) -> None:
    program, draft = page.program, page.draft
    above = program.parent(whole)
    if isinstance(above, ast.Expr) or in_test(program, whole):
        if isinstance(above, ast.Call):  # bool(…) is what .accepted is
            draft.rewrite(above, text if in_test(program, above) else _accepted(text))
        else:
            draft.rewrite(whole, text)
        return
    if isinstance(above, ast.Compare):
        found = compares(above, whole)
        if found is not None:
            draft.rewrite(
                above, (text if in_test(program, above) else _accepted(text)) if found else f"not {text}"
            )
            return
    if isinstance(above, ast.Assign | ast.AnnAssign | ast.NamedExpr) and _only_tested(page, above):
        draft.rewrite(whole, text)
        return
    if site.call.command == "SETNX" or (isinstance(above, ast.Return) and _says_bool(page, whole)):
        draft.rewrite(whole, _accepted(text))
        return
    # SET NX answers True or None
    exact = f"{_accepted(text)} or None"
    bare = isinstance(above, ast.Return | ast.Assign | ast.AnnAssign)
    draft.rewrite(whole, exact if bare else f"({exact})")


def _accepted(text: str) -> str:
    return f"({text}).accepted" if text.startswith("await ") else f"{text}.accepted"


def _only_tested(page: Page, made: ast.Assign | ast.AnnAssign | ast.NamedExpr) -> bool:
    """The variable is asked for its truth, and nothing else."""
    target = made.targets[0] if isinstance(made, ast.Assign) else made.target
    scope = page.scope(made)
    if not isinstance(target, ast.Name) or not isinstance(scope, Function) or isinstance(made, ast.AnnAssign):
        return False
    single = isinstance(made, ast.NamedExpr) or assigned(page.program, scope, target.id) is made
    if not single or seen_within(scope, target.id):
        return False
    found = [(read, page.program.parent(read)) for read in reads(scope, target.id)]
    if not all(in_test(page.program, read) or compares(above, read) is not None for read, above in found):
        return False
    for read, above in found:
        if isinstance(above, ast.Compare):
            page.draft.rewrite(above, f"{'not ' * (not compares(above, read))}{target.id}")
    return True


def _says_bool(page: Page, node: ast.AST) -> bool:
    scope = page.scope(node)
    return (
        isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef)
        and scope.returns is not None
        and ast.unparse(scope.returns).strip("'\"") == "bool"
    )
