"""INCR and what goes with it: EXPIRE, reading, ending the window.

Law of this file: a number stays a number. What started the window goes, since the runtime starts it with the first
count.
"""

import ast

from redis_guard.behaviour.handmade import deletes
from redis_guard.behaviour.lookups import says_value
from redis_guard.behaviour.writes import is_expire
from redis_guard.migrate.asked import in_test
from redis_guard.migrate.counted import read_value
from redis_guard.migrate.lifetimes import note_lifetime
from redis_guard.migrate.model import Refused
from redis_guard.migrate.page import Page
from redis_guard.migrate.sites import Site

_COUNTS = frozenset({"INCR", "INCRBY"})
_CONDITIONS = frozenset({"nx", "xx", "gt", "lt"})


def rewrite_counters(page: Page) -> None:
    """Every count of the file that is sent by itself; what is queued on pipelines comes before."""
    counts = [site for site in page.open() if site.call.immediate and site.call.command in _COUNTS]
    others = [site for site in page.open() if site.call.immediate and site.call.command not in _COUNTS]
    for site in (*counts, *others):
        if site.id in page.done:
            continue
        try:
            if site.call.command in _COUNTS:
                _increment(page, site)
            elif is_expire(site.call):
                _expiry(page, site)
            elif says_value(site.call):
                read_value(page, site)
            elif deletes(site.call):
                _reset(page, site)
            else:
                continue
            page.settle(site)
        except Refused as refused:
            page.refuse(site, str(refused))


def step_of(site: Site, text: str | None) -> str:
    """What `increment()` is given. Raises Refused where it may not count upwards."""
    amount = site.call.argument("amount")
    if amount is None:
        return ""
    if not amount.constants or not all(isinstance(one, int) and one >= 1 for one in amount.constants):
        raise Refused(
            f"it may count by less than 1 ({amount.text}), and a window of the runtime counts upwards"
        )
    return "" if amount.constants == (1,) or text is None else f"by={text}"


def _increment(page: Page, site: Site) -> None:
    written = page.written(site)
    step = step_of(site, written.text("amount"))
    counted = page.awaited(site, f"{page.asking(site, written)}.increment({step})")
    if _first_hit(page, site, written.whole, counted):
        return
    if written.alone:
        page.draft.rewrite(written.whole, counted)
    else:
        page.draft.rewrite(written.whole, valued(counted))


def _first_hit(page: Page, site: Site, whole: ast.expr, counted: str) -> bool:
    """`if (count := r.incr(key)) == 1: r.expire(key, 60)`: the count alone is left of it."""
    program, block = page.program, page.program.statement(whole)
    if not isinstance(block, ast.If) or block.orelse:
        return False
    test = block.test
    if not isinstance(test, ast.Compare) or not all(
        isinstance(one, ast.Constant) for one in test.comparators
    ):
        return False
    kept = test.left.target.id if isinstance(test.left, ast.NamedExpr) and test.left.value is whole else ""
    if not (kept or test.left is whole) or program.text.startswith("elif", program.start(block)):
        return False
    same = [other for other in page.file.sites if other.call.function == site.call.function]
    expiries = [other for other in same if is_expire(other.call) and page.written(other).alone]
    only = next((one for one in expiries if block.body == [page.written(one).statement]), None)
    if only is None:
        return False
    page.draft.rewrite(block, f"{kept} = {valued(counted)}" if kept else counted)
    note_lifetime(page, only)
    page.settle(only)
    return True


def valued(counted: str) -> str:
    return f"({counted}).value" if counted.startswith("await ") else f"{counted}.value"


def _expiry(page: Page, site: Site) -> None:
    """EXPIRE beside a count of the same function goes."""
    written = page.written(site)
    same = [other for other in page.file.sites if other.call.function == site.call.function]
    counts = [other for other in same if other.call.command in _COUNTS and other.call.immediate]
    if not counts:
        raise Refused("the window is started apart from the count")
    if not written.alone:
        raise Refused(f"the answer of {site.call.method}() is used")
    if all(other.call.place.order > site.call.place.order for other in counts):
        raise Refused("the window is started before the count")
    start = _whole_test(page, written.statement, same)
    if start is written.statement and not _conditional(site) and not _decided(page, site, written.statement):
        page.note(
            site.call.span,
            "each count prolonged the window; the runtime's begins with the first count and then ends",
        )
    note_lifetime(page, site)
    page.draft.remove_statement(start)


def _whole_test(page: Page, statement: ast.stmt, same: list[Site]) -> ast.stmt:
    """`if count == 1: expire` goes as a whole, with the TTL that it may ask for."""
    program = page.program
    above = program.parent(statement)
    if not isinstance(above, ast.If) or above.body != [statement] or above.orelse:
        return statement
    if program.text.startswith("elif", program.start(above)):
        return statement
    calls = [node for node in ast.walk(above.test) if isinstance(node, ast.Call)]
    asks = [(site, page.written(site)) for site in same if site.call.command in ("TTL", "PTTL")]
    mine = [(site, found) for site, found in asks if any(found.node is call for call in calls)]
    within = [node for _, found in mine for node in ast.walk(found.node)]
    if not all(call in within for call in calls):
        return statement
    page.settle(*(site for site, _ in mine))
    return above


def _conditional(site: Site) -> bool:
    return any(name in _CONDITIONS for name, _ in site.call.arguments)


def _decided(page: Page, site: Site, statement: ast.stmt) -> bool:
    """It stands under a test that the count did not: the first count, most likely."""
    above = page.program.parent(statement)
    return isinstance(above, ast.If) and bool(site.call.guards)


def _reset(page: Page, site: Site) -> None:
    written = page.written(site)
    if site.call.command not in ("DEL", "UNLINK"):
        raise Refused("it reads and deletes at once")
    text = page.awaited(site, f"{page.asking(site, written)}.reset()")
    plain = written.alone or in_test(page.program, written.whole)
    page.draft.rewrite(written.whole, text if plain else f"int({text})")
