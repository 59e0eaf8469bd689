"""What tells that a file or a folder has changed, at the price of one question to the file system.

Law of this file: nothing is read. What is not there, or may not be asked about, has a stamp too.
"""

import os
from collections.abc import Iterable

from redis_guard.source.tree import FileStat, Tree

Stamp = FileStat | None


def stamps(paths: Iterable[str]) -> dict[str, Stamp]:
    """The stamp of each path, through links."""
    return {path: _stamp(path) for path in paths}


def unlike(tree: Tree) -> set[str]:
    """The files of a tree, relative to its root, that are gone or not what they were when it was made."""
    return {path for path, known in tree.files.items() if _stamp(tree.full(path)) != known}


def folders(tree: Tree) -> set[str]:
    """The full paths of all folders that hold a file of the tree, and of those above them up to its root."""
    found = {tree.root}
    for path in tree.files:
        while (path := path.rpartition("/")[0]) and (full := tree.full(path)) not in found:
            found.add(full)
    return found


def _stamp(path: str) -> Stamp:
    try:
        return FileStat.of(os.stat(path))  # noqa: PTH116 # asked of thousands of files, four times a second
    except (OSError, ValueError):
        return None
