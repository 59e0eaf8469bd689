"""Which of the project's files a user asked about.

Law of this file: a path somebody names is taken at his word. Git may ignore it and its name may
lack `.py`; only `exclude` outweighs it, because pre-commit names every file it has.
"""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from redis_guard.mistake import Mistake
from redis_guard.source.ignore import IgnoreRules, ignore_rules
from redis_guard.source.tree import Tree, regular_file, stat_files
from redis_guard.source.walk import walk_files


class PathError(Mistake):
    """A named path cannot be checked; the message is one line and names it."""


@dataclass(frozen=True, slots=True)
class Requested:
    """`tree` is the project, with the named files that discovery had passed over added to it."""

    tree: Tree
    paths: frozenset[str]
    """What to report on, relative to the tree's root."""


def requested(
    tree: Tree, paths: Iterable[str | os.PathLike[str]], *, exclude: Sequence[str] = ()
) -> Requested:
    """Resolve files and directories, relative to the working directory; no paths mean all files.

    Raises PathError for a path that does not exist, lies outside the root, or is no regular file.
    """
    named = [os.fspath(path) for path in paths]
    if not named:
        return Requested(tree, frozenset(tree.files))
    rules = ignore_rules(exclude)
    wanted: set[str] = set()
    added: set[str] = set()
    for name in named:
        path = _inside(tree.root, name)
        full = tree.full(path)
        if os.path.isdir(full):  # noqa: PTH112 # pathlib raises where a folder may not be entered
            if not os.access(full, os.R_OK | os.X_OK):
                raise PathError(f"{name}: cannot be listed: permission denied")
            below = _below(tree, path, rules)
            added.update(below - tree.files.keys())
            wanted |= below
        elif not os.path.lexists(full):
            raise PathError(f"{name}: no such file or directory")
        elif regular_file(full) is None:
            raise PathError(f"{name}: neither a regular file nor a directory")
        elif not (rules and rules.hides(path)):
            wanted.add(path)
            if path not in tree.files:
                added.add(path)
    return Requested(_with(tree, added), frozenset(wanted))


def _inside(root: str, name: str) -> str:
    """The path relative to `root`; empty for the root itself."""
    try:
        full = os.path.normpath(Path(name).absolute())
        for inner, outer in ((full, root), (os.path.realpath(full), os.path.realpath(root))):
            if inner == outer:
                return ""
            if inner.startswith(outer.rstrip(os.sep) + os.sep):
                return inner[len(outer.rstrip(os.sep)) + 1 :].replace(os.sep, "/")
    except ValueError:
        raise PathError(f"{name!r}: not a path") from None
    raise PathError(f"{name}: outside the project at {root}; run redis-guard in that file's own project")


def _below(tree: Tree, directory: str, exclude: IgnoreRules | None) -> set[str]:
    prefix = f"{directory}/" if directory else ""
    known = {path for path in tree.files if path.startswith(prefix)}
    if known or (directory and exclude and exclude.hides(directory, is_directory=True)):
        return known
    return set(stat_files(tree.root, walk_files(tree.root, prefix, exclude)))


def _with(tree: Tree, added: Iterable[str]) -> Tree:
    """The tree with more files, which are followed through links because somebody named them."""
    found = {path: status for path in added if (status := regular_file(tree.full(path)))}
    if not found:
        return tree
    return Tree(tree.root, dict(sorted({**tree.files, **found}.items())), tree.seen_ns)
