"""Which files of a project are worth parsing: by their own bytes, and by what others want to know of them.

Law of this file: bytes and names only; nothing is parsed here, and no file is read twice without need.
"""

from collections.abc import Iterable, Mapping

from redis_guard.project.sources import Counters, Sources
from redis_guard.source.read import Unreadable
from redis_guard.source.recall import Recall
from redis_guard.source.survey import survey_file
from redis_guard.source.tree import Tree


def survey(
    tree: Tree, known: Recall, overlay: Mapping[str, bytes], counters: Counters | None = None
) -> Sources:
    """Look once at every file that is not known; after this no file is read whose bytes rule it out."""
    sources = Sources(tree, dict(known.known), overlay, counters=counters or Counters())
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
