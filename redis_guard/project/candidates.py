"""Which files of a project are worth parsing: by their own bytes, and by what others want to know of them.

Law of this file: bytes and names only; nothing is parsed here, and no file is read twice without need.
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from redis_guard.project.sources import Sources
from redis_guard.source.read import Unreadable
from redis_guard.source.recall import Recall
from redis_guard.source.sieve import mentions_any
from redis_guard.source.survey import survey_file
from redis_guard.source.tree import Tree


def survey(tree: Tree, known: Recall, overlay: Mapping[str, bytes]) -> Sources:
    """Look once at every file that is not known; after this no file is read whose bytes rule it out."""
    sources = Sources(tree, dict(known.known), overlay)
    for path in known.changed:
        if path in overlay:
            continue
        found = survey_file(tree, path)
        sources.counters.surveyed += 1
        if isinstance(found, Unreadable):
            sources.unreadable[path] = found
        else:
            sources.entries[path] = found
    return sources


def seeds(sources: Sources, forced: Iterable[str] = ()) -> set[str]:
    """Files worth parsing by their own bytes."""
    return {path for path, entry in sources.entries.items() if entry.mentions} | set(forced)


@dataclass(frozen=True, slots=True)
class Wish:
    """What linking wants to see next: words by the last component of the module that exports them."""

    by_module: Mapping[str, tuple[tuple[frozenset[bytes], frozenset[bytes]], ...]]
    """tail of the module -> (one of these names, and one of these attributes if there are any)."""
    fixtures: tuple[tuple[str, bytes], ...]
    """folder, name of a pytest fixture: wanted below that folder."""
    files: frozenset[str]


def granted(sources: Sources, wish: Wish, loaded: set[str]) -> set[str]:
    """Files not loaded yet whose bytes answer the wish."""
    found = {path for path in wish.files if path in sources.entries and path not in loaded}
    tails = frozenset(os.fsencode(tail) for tail in wish.by_module)
    for path, entry in sources.entries.items():
        if path in loaded or path in found:
            continue
        wanted = tails & entry.tokens if tails else frozenset()
        fixtures = [name for folder, name in wish.fixtures if path.startswith(folder)]
        if not wanted and not fixtures:
            continue
        data = sources.data(path)
        if data is None:
            continue
        if fixtures and mentions_any(data, fixtures):
            found.add(path)
            continue
        for tail in wanted:
            if any(
                mentions_any(data, names) and (not then or mentions_any(data, then))
                for names, then in wish.by_module[tail.decode()]
            ):
                found.add(path)
                break
    return found
