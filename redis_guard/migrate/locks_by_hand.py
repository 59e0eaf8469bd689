"""SET NX and the DELETE after it: a lock made by hand.

Law of this file: the lock is taken and given back in one function, or it is left.
"""

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from redis_guard.behaviour.handmade import takes
from redis_guard.behaviour.holding import gives_up, has_lifetime
from redis_guard.behaviour.lookups import says_value
from redis_guard.behaviour.writes import is_expire
from redis_guard.migrate.asked import held_at
from redis_guard.migrate.bindings import reads
from redis_guard.migrate.leasing import Taking, rewrite
from redis_guard.migrate.lifetimes import note_lifetime
from redis_guard.migrate.model import Refused
from redis_guard.migrate.page import Page
from redis_guard.migrate.sites import Site

_PLAIN_SET = frozenset({"name", "value", "nx", "ex", "px", "exat", "pxat"})


@dataclass(frozen=True, slots=True)
class _Release:
    """One way to give the lock back: what goes, and the sites in it."""

    statement: ast.stmt
    sites: tuple[Site, ...]
    before: ast.stmt | None = None
    """A look at the token that goes with it."""


def rewrite_locks(page: Page) -> None:
    """Every lock made by hand of the file."""
    for site in list(page.open()):
        if takes(site.call):
            try:
                _one(page, site)
            except Refused as refused:
                page.refuse(site, str(refused))


def _one(page: Page, site: Site) -> None:
    written = page.written(site)
    refuse_odd_set(site)
    whole = written.whole
    own = [
        other for other in page.file.sites if other.call.function == site.call.function and other is not site
    ]
    releases = [_release(page, other, own) for other in own if gives_up(other.call)]
    if any(takes(other.call) for other in own):
        raise Refused("the function takes this lock in several places")
    if not releases:
        raise Refused(_elsewhere(page, site))
    expiries = [other for other in own if is_expire(other.call)]
    if expiries and (has_lifetime(site.call) or len(expiries) > 1):
        raise Refused("the lock is prolonged by hand; register it with renew and max_hold")
    text = page.awaited(site, f"{page.asking(site, written)}.try_acquire()")
    statements = tuple(one.statement for one in releases)
    taking = Taking(whole, text, site.asynchronous, statements, site.call.command == "SETNX")
    for expiry in expiries:
        remove_expiry(page, expiry, whole)
    rewrite(page, taking)
    for release in releases:
        if release.before is not None:
            page.draft.remove_statement(release.before)
    for one in (site, *expiries):
        note_lifetime(page, one)
    if not has_lifetime(site.call) and not expiries:
        page.note(site.call.span, "the lock never expired here; the runtime's does")
    page.settle(site, *expiries, *(one for release in releases for one in release.sites))


def refuse_odd_set(site: Site) -> None:
    """Raises Refused for a SET NX that does more than take."""
    odd = {name for name, _ in site.call.arguments} - _PLAIN_SET
    if odd:
        raise Refused(f"it is given {', '.join(sorted(odd))}=, which the runtime has no word for")


def _elsewhere(page: Page, site: Site) -> str:
    others = [other for other in page.file.sites if gives_up(other.call)]
    if others:
        return f"it is given back in another function (line {others[0].call.span.line}); take it with `with` in one"
    return "nothing gives it back in this function: what is never given back is registered as a claim"


def _release(page: Page, site: Site, own: Sequence[Site]) -> _Release:
    """What stands for giving the lock back, and goes."""
    program, written = page.program, page.written(site)
    if not written.alone:
        raise Refused(f"the answer of giving it back is used (line {site.call.span.line})")
    statement = written.statement
    above = program.parent(statement)
    if not isinstance(above, ast.If) or above.body != [statement] or above.orelse:
        return _Release(statement, (site,))
    for read in own:
        if not says_value(read.call):
            continue
        look = page.written(read)
        asks = program.statement(look.node)
        if asks is above:
            return _Release(above, (site, read))
        if isinstance(asks, ast.Assign) and isinstance(asks.targets[0], ast.Name) and len(asks.targets) == 1:
            name = asks.targets[0].id
            seen = reads(page.scope(asks), name)
            if seen and all(program.statement(one) is above and _in_head(page, one, above) for one in seen):
                return _Release(above, (site, read), asks)
    return _Release(statement, (site,))


def _in_head(page: Page, name: ast.Name, block: ast.If) -> bool:
    return page.program.end(name) <= page.program.end(block.test)


def remove_expiry(page: Page, site: Site, whole: ast.expr) -> None:
    """The EXPIRE behind a SETNX: the runtime takes with a lifetime."""
    written = page.written(site)
    if not written.alone:
        raise Refused(f"the answer of {site.call.method}() is used (line {site.call.span.line})")
    statement = written.statement
    program = page.program
    above = program.parent(statement)
    answer = program.parent(whole)
    name = answer.targets[0] if isinstance(answer, ast.Assign) else None

    def says(test: ast.expr) -> bool:
        return test is whole or (
            isinstance(name, ast.Name) and isinstance(test, ast.Name) and test.id == name.id
        )

    if not held_at(program, statement, says):
        page.note(site.call.span, "each attempt prolonged the lifetime; the runtime's begins with the taking")
    only = isinstance(above, ast.If) and above.body == [statement] and not above.orelse
    if only and isinstance(above, ast.If) and not any(node is whole for node in ast.walk(above.test)):
        page.draft.remove_statement(above)
    else:
        page.draft.remove_statement(statement)
