"""Which Python files make up a project.

Law of this file: a file is left out because git ignores it, because it is excluded, or because it
is not the project's own, and for no other reason.
"""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from redis_guard.source.foreign import FOREIGN_NAMES
from redis_guard.source.git_files import in_work_tree, list_work_tree
from redis_guard.source.ignore import IgnoreRules, ignore_rules
from redis_guard.source.tree import Tree, stat_files
from redis_guard.source.walk import walk_files


def discover(root: str | os.PathLike[str], *, exclude: Sequence[str] = ()) -> Tree:
    """Find all `.py` and `.pyi` files of the project at `root`.

    In a git work tree these are the files that git tracks or would track, submodules and nested
    repositories included; elsewhere all that the .gitignore files on the way leave. `exclude` are
    lines in the language of .gitignore, relative to `root`; they hold for tracked files too.
    A root that cannot be listed has no files.
    """
    seen_ns = time.time_ns()
    absolute = os.path.normpath(Path(root).absolute())
    return Tree(absolute, stat_files(absolute, _candidates(absolute, "", ignore_rules(exclude))), seen_ns)


def _candidates(root: str, start: str, exclude: IgnoreRules | None) -> Iterator[str]:
    directory = f"{root}/{start}"
    listing = list_work_tree(directory) if in_work_tree(directory.rstrip("/")) else None
    # A repository that knows nothing of this directory, as one that keeps the dot files of a whole
    # home directory, is no guide to it.
    if listing is None or listing.empty:
        yield from walk_files(root, start, exclude)
        return
    own = _own_directories(start, {start + path for path in listing.environments}, exclude)
    for path in listing.files:
        path = start + path
        if own(path.rpartition("/")[0]) and not (exclude and exclude.python_file(path)):
            yield path
    for repository in listing.repositories:
        inner = start + repository
        if own(inner) and os.path.lexists(f"{root}/{inner}/.git"):
            yield from _candidates(root, f"{inner}/", exclude)


def _own_directories(
    start: str, environments: set[str], exclude: IgnoreRules | None
) -> Callable[[str], bool]:
    """A test whether a directory is the project's own, which asks about each directory once."""
    known = {start.rstrip("/"): True}

    def own(directory: str) -> bool:
        unknown: list[str] = []
        while directory not in known:
            unknown.append(directory)
            directory = directory.rpartition("/")[0]
        verdict = known[directory]
        for path in reversed(unknown):
            verdict = known[path] = (
                verdict
                and path.rpartition("/")[2] not in FOREIGN_NAMES
                and path not in environments
                and not (exclude and exclude.directory(path))
            )
        return verdict

    return own
