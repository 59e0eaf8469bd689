"""The project's Python files as one look at the disk saw them.

Law of this file: a path is relative to the root, parted by `/`, and may hold surrogates where the
file system holds bytes that are not UTF-8 (`os.fsencode` gives them back).
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISLNK, S_ISREG
from typing import NamedTuple


class FileStat(NamedTuple):
    """What speaks for a file being unchanged; size in bytes, times in nanoseconds.

    The change time is there because tools that copy or unpack set the modification time back.
    """

    size: int
    mtime_ns: int
    ctime_ns: int

    @classmethod
    def of(cls, status: os.stat_result) -> "FileStat":
        """The three numbers out of what the system says."""
        return cls(status.st_size, status.st_mtime_ns, status.st_ctime_ns)


@dataclass(frozen=True, slots=True)
class Tree:
    """Regular files under `root` (absolute), sorted by path, looked at not before `seen_ns` (epoch)."""

    root: str
    files: dict[str, FileStat]
    seen_ns: int

    def full(self, path: str) -> str:
        """The path to open."""
        return f"{self.root}/{path}"


def stat_files(root: str, paths: Iterable[str]) -> dict[str, FileStat]:
    """Stat all `paths`, sorted, and leave out what is gone or no regular file.

    A symbolic link counts only where the file it leads to is not listed itself, and the first of
    several links to one file: nobody wants each finding twice.
    """
    found: dict[str, FileStat] = {}
    links: list[str] = []
    lstat, is_regular, keep = os.lstat, S_ISREG, FileStat
    for path in sorted(paths):
        try:
            status = lstat(f"{root}/{path}")
        except (OSError, ValueError):
            continue
        if is_regular(status.st_mode):
            found[path] = keep(status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        elif S_ISLNK(status.st_mode):
            links.append(path)
    if not links:
        return found
    found.update(_followed(root, links, found))
    return dict(sorted(found.items()))


def _followed(root: str, links: Iterable[str], found: dict[str, FileStat]) -> dict[str, FileStat]:
    real_root = os.path.realpath(root)
    seen: set[str] = set()
    kept: dict[str, FileStat] = {}
    for path in links:
        target = os.path.realpath(f"{root}/{path}")
        inside = os.path.relpath(target, real_root).replace(os.sep, "/")
        status = regular_file(target)
        if status is not None and target not in seen and inside not in found:
            seen.add(target)
            kept[path] = status
    return kept


def regular_file(full: str) -> FileStat | None:
    """Stat a file, through links; None where it is no regular file or cannot be reached."""
    try:
        status = Path(full).stat()
    except (OSError, ValueError):
        return None
    return FileStat.of(status) if S_ISREG(status.st_mode) else None
