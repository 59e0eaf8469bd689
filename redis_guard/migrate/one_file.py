"""One file's call sites of one use case, all rewritten or none.

Law of this file: what a site is refused for is found out here or in its primitive's shapes, and a file with one
refused site is left as it is.
"""

from collections.abc import Callable, Collection, Sequence

from redis_guard.fixes.draft import Draft
from redis_guard.fixes.edits import apply_edits
from redis_guard.fixes.imports import need_import
from redis_guard.fixes.program import Program
from redis_guard.migrate import locks_by_hand, locks_of_redis_py
from redis_guard.migrate.claims import rewrite_claims
from redis_guard.migrate.counters import rewrite_counters
from redis_guard.migrate.counting_pipelines import rewrite_pipelines
from redis_guard.migrate.importing import Imported, imported, insert
from redis_guard.migrate.leftovers import tidied
from redis_guard.migrate.lookup import Lookup
from redis_guard.migrate.model import FileResult, Said, Target
from redis_guard.migrate.page import Page
from redis_guard.migrate.refusing import left_over, refuse_by_facts
from redis_guard.migrate.signals import rewrite_signals
from redis_guard.migrate.sites import FileSites

_SHAPES: dict[str, tuple[Callable[[Page], None], ...]] = {
    "lock": (locks_of_redis_py.rewrite_locks, locks_by_hand.rewrite_locks),
    "claim": (rewrite_claims,),
    "counter": (rewrite_pipelines, rewrite_counters),
    "signal": (rewrite_signals,),
}


def migrate_file(
    file: FileSites,
    text: str,
    target: Target,
    lookup: Lookup,
    *,
    blocked: str = "",
    exported: Collection[str] = (),
    handed: Sequence[Said] = (),
) -> FileResult:
    """The new text of one file.

    `blocked` is a reason that holds for all its sites; `exported` are names that other files import from it; `handed`
    is what was found about keys that it hands to functions.
    """
    path = file.module.path
    try:
        program = Program(text)
    except (SyntaxError, ValueError, RecursionError):
        return FileResult(path, None, 0, (Said(path, 1, 1, "this file does not parse"),))
    lookup.programs[path] = program
    known = imported(program, path, target, lookup)
    page = Page(program, file, target, lookup, known.name, Draft(program))
    refuse_by_facts(page, blocked)
    for shape in _SHAPES[target.case.primitive]:
        shape(page)
    for site in list(page.open()):
        page.refuse(site, left_over(page, site))
    said = [*page.refused.values(), *_built(page), *handed]
    if said:
        return _left(page, said)
    return _written(page, known, exported)


def _written(page: Page, known: Imported, exported: Collection[str]) -> FileResult:
    path, program = page.path, page.program
    if known.statement:
        insert(page.draft, path, known.statement, page.lookup)
    if page.errors:
        need_import(page.draft, f"from redis_guard.runtime import {', '.join(sorted(page.errors))}")
    fix = page.draft.fix("", "unsafe")
    if fix is None:
        return _left(page, [], "a comment stands in what would go, or the edits do not fit together")
    text = tidied(program.text, apply_edits(program.text, fix.edits), path, exported, page.lookup)
    return FileResult(path, text, len(page.file.sites), (), tuple(sorted(set(page.notes))))


def _left(page: Page, said: list[Said], reason: str = "") -> FileResult:
    """All sites: those that were refused with their reasons, the others with the file's."""
    refused = {(one.line, one.column) for one in said}
    first = min(said).line if said else 0
    why = reason or f"a file is rewritten wholly or not at all, and line {first} is in the way"
    others = [
        Said(page.path, span.line, span.column, why)
        for site in page.file.sites
        if ((span := site.call.span).line, span.column) not in refused
    ]
    return FileResult(page.path, None, 0, tuple(sorted([*said, *others])))


def _built(page: Page) -> list[Said]:
    """Locks that are built by their class."""
    why = "the lock is built by its class; take it with client.lock(), then migrate"
    return [Said(page.path, span.line, span.column, why) for span in page.file.built]
