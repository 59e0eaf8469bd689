"""Python files of a git work tree, as git itself lists them: tracked, or untracked and not ignored.

Law of this file: git is asked, never trusted to be there. Any failure gives None.
"""

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_LIST = ("git", "-c", "core.fsmonitor=false", "ls-files", "-z", "-s", "-c", "-o", "--exclude-standard")
"""File system monitors are off because a repository's own config could name any program as one."""

_ELSEWHERE = frozenset(
    {
        "GIT_COMMON_DIR",
        "GIT_DIR",
        "GIT_INDEX_FILE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_WORK_TREE",
    }
)
"""Set inside git hooks; they speak of the repository the hook runs for, which need not be ours."""

_TRACKED = re.compile(r"(?P<mode>[0-7]{6}) [0-9a-f]{40,64} [0-3]\t(?P<path>.*)", re.DOTALL)
_SUBMODULE = "160000"


@dataclass(frozen=True, slots=True)
class GitListing:
    """Paths relative to the directory that was asked about; they need not exist any more."""

    files: list[str]
    repositories: list[str]
    """Submodules, and repositories that lie in the work tree untracked."""
    environments: frozenset[str]
    """Directories that hold an environment's marker."""
    empty: bool
    """Git lists nothing whatever, Python or not."""


def in_work_tree(directory: str) -> bool:
    """Whether `directory` or one above it holds a `.git`; saves a process where none does."""
    here = Path(directory)
    return any(os.path.lexists(above / ".git") for above in (here, *here.parents))


def list_work_tree(directory: str, environment: Mapping[str, str] = os.environ) -> GitListing | None:
    """Ask git for the files at and below `directory`; None where it cannot or will not say."""
    try:
        answer = subprocess.run(
            _LIST,
            cwd=directory,
            env={name: value for name, value in environment.items() if name not in _ELSEWHERE},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            check=False,
        )
    except (OSError, ValueError):
        return None
    return read_listing(answer.stdout) if answer.returncode == 0 else None


def read_listing(output: bytes) -> GitListing:
    """Read NUL-ended entries: `MODE HASH STAGE<tab>PATH` for tracked ones, else the bare path."""
    files: list[str] = []
    repositories: list[str] = []
    environments: set[str] = set()
    for entry in os.fsdecode(output).split("\0"):
        if entry.endswith((".py", ".pyi")):
            files.append(_path(entry))
        elif entry.endswith("/pyvenv.cfg"):
            environments.add(_path(entry).removesuffix("/pyvenv.cfg"))
        elif entry.endswith("/conda-meta/history"):
            environments.add(_path(entry).removesuffix("/conda-meta/history"))
        elif entry.endswith("/"):
            repositories.append(entry.rstrip("/"))
        if entry.startswith(_SUBMODULE) and (tracked := _TRACKED.fullmatch(entry)):
            repositories.append(tracked["path"])
    return GitListing(files, repositories, frozenset(environments), empty=not output)


def _path(entry: str) -> str:
    tracked = _TRACKED.fullmatch(entry)
    return tracked["path"] if tracked else entry
