"""What the cache still knows of a tree.

Law of this file: stat first, content when stat differs. A file counts as unchanged only if size and
times are those recorded, or its bytes hash to what is recorded.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from redis_guard.source.cache import Cache, Entry, content_digest, tree_digest
from redis_guard.source.cache_file import pack_paths, pack_stats
from redis_guard.source.read import Unreadable, read_bytes
from redis_guard.source.tree import Tree


@dataclass(frozen=True, slots=True)
class Recall:
    """The files of one tree, parted into known and changed; or the whole tree's result."""

    result: bytes | None
    """The result kept for exactly these files and settings. It is bytes from a file: decode with care."""
    known: dict[str, Entry] = field(default_factory=dict)
    """Entries of unchanged files, with today's stat; empty where a result came from stats alone."""
    changed: list[str] = field(default_factory=list)
    """Files that are new or not what they were, sorted: to be read."""
    refreshed: bool = False
    """Whether content had to vouch for some file: worth saving, so that stats do the next time."""


def recall(cache: Cache, tree: Tree, settings: bytes) -> Recall:
    """Compare a tree with the cache; `settings` is all that the result depends on beside the files."""
    columns = cache.columns
    if columns.stats == pack_stats(tree.files.values()) and columns.paths == pack_paths(tree.files):
        if columns.result_digest == tree_digest(columns.paths, columns.digests, settings):
            return Recall(columns.result)
        return Recall(None, cache.entries())
    known, changed, refreshed = compare(cache.entries(), tree)
    unchanged = columns.result_digest and not changed
    if unchanged and columns.result_digest == _digest(known, settings):
        return Recall(columns.result, known, [], refreshed)
    return Recall(None, known, changed, refreshed)


def compare(recorded: Mapping[str, Entry], tree: Tree) -> tuple[dict[str, Entry], list[str], bool]:
    """What is known of the tree's files, which files are to be read, and whether content had to vouch for some."""
    known: dict[str, Entry] = {}
    changed: list[str] = []
    refreshed = False
    for path, stat in tree.files.items():
        entry = recorded.get(path)
        if entry is not None and entry.stat != stat:
            entry = _vouched(tree, path, entry)
            refreshed = refreshed or entry is not None
        if entry is None:
            changed.append(path)
        else:
            known[path] = entry
    return known, changed, refreshed


def _vouched(tree: Tree, path: str, entry: Entry) -> Entry | None:
    """The entry with today's stat, if the file still has the recorded content."""
    stat = tree.files[path]
    if stat.size != entry.stat.size:
        return None
    data = read_bytes(tree.full(path), stat.size)
    if isinstance(data, Unreadable) or content_digest(data) != entry.digest:
        return None
    return entry._replace(stat=stat)


def _digest(known: dict[str, Entry], settings: bytes) -> bytes:
    return tree_digest(pack_paths(known), b"".join([entry.digest for entry in known.values()]), settings)
