"""Python files below a directory, without git's help.

Law of this file: it honours the .gitignore files it meets, enters no foreign directory and no
symbolic link, and skips what it may not read.
"""

import os
from collections.abc import Iterator

from redis_guard.source.foreign import ENVIRONMENT_MARKERS, FOREIGN_NAMES
from redis_guard.source.ignore import IgnoreRules, ignore_rules
from redis_guard.source.read import Unreadable, read_bytes

_Scopes = tuple[tuple[int, IgnoreRules], ...]
"""Ignore rules from the innermost outwards, each with the length of the path it lies at."""


def walk_files(root: str, start: str = "", exclude: IgnoreRules | None = None) -> Iterator[str]:
    """Paths relative to `root` of all `.py` and `.pyi` files and links below `root/start`, in no order.

    `start` is empty or ends in `/`. `exclude` holds whatever the .gitignore files say.
    """
    pending: list[tuple[str, _Scopes]] = [(start, ())]
    while pending:
        prefix, scopes = pending.pop()
        try:
            with os.scandir(f"{root}/{prefix}") as listing:
                entries = list(listing)
        except (OSError, ValueError):
            continue
        names = {entry.name for entry in entries}
        if prefix != start and not names.isdisjoint(ENVIRONMENT_MARKERS):
            continue
        if ".gitignore" in names and (rules := _read_rules(f"{root}/{prefix}.gitignore")):
            scopes = ((len(prefix), rules), *scopes)
        for entry in entries:
            name = entry.name
            if name in FOREIGN_NAMES:
                continue
            path = prefix + name
            if _is_directory(entry):
                if not (exclude and exclude.directory(path)) and not _ignored_directory(scopes, path):
                    pending.append((f"{path}/", scopes))
            elif (
                name.endswith((".py", ".pyi"))
                and not (exclude and exclude.python_file(path))
                and not _ignored_file(scopes, path)
            ):
                yield path


def _is_directory(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _read_rules(path: str) -> IgnoreRules | None:
    data = read_bytes(path)
    if isinstance(data, Unreadable):
        return None
    text = data.decode("utf-8-sig", "surrogateescape")
    return ignore_rules(line.removesuffix("\r") for line in text.split("\n"))


def _ignored_file(scopes: _Scopes, path: str) -> bool:
    for start, rules in scopes:
        verdict = rules.python_file(path[start:])
        if verdict is not None:
            return verdict
    return False


def _ignored_directory(scopes: _Scopes, path: str) -> bool:
    for start, rules in scopes:
        verdict = rules.directory(path[start:])
        if verdict is not None:
            return verdict
    return False
