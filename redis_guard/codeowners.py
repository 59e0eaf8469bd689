"""Whom a CODEOWNERS file names for a path.

Law of this file: GitHub's semantics. The last line that matches decides, a line without owners takes the path from
everybody, and a line that GitHub does not understand (`!`, `[`) counts for nothing. Of GitLab's own words sections are
read: their owners hold for their lines that name none.

Source: GitHub, "About code owners"; GitLab, "Code Owners syntax".
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from redis_guard.mistake import Mistake
from redis_guard.plain_files import is_there, read_plain

PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
"""In the order in which they are looked for; the first one counts alone."""

OwnersOf = Callable[[str], tuple[str, ...]]
"""The owners of a path, relative to the project root; empty where nobody owns it."""

_SECTION = re.compile(r"\^?\[[^\]]+\](?:\[\d+\])?(?:\s+(?P<owners>.*))?$")
_WORD = re.compile(r"(?:\\.|[^\s\\])+")
_OWNER = re.compile(r"@[\w.@/-]+|[^\s@]+@[^\s@]+")
_Line = tuple[Callable[[str], bool], tuple[str, ...]]


class CodeOwnersError(Mistake):
    """The file is there and cannot be read; the message is one line."""


def code_owners(root: Path) -> OwnersOf | None:
    """What the repository around the project at `root` says; None where it has no such file.

    Raises CodeOwnersError.
    """
    repository = next((above for above in (root, *root.parents) if is_there(above / ".git")), root)
    path = next((repository / place for place in PLACES if is_there(repository / place)), None)
    if path is None:
        return None
    try:
        text = read_plain(path).decode("utf-8-sig", "replace")
    except OSError as error:
        raise CodeOwnersError(f"{path}: cannot be read: {error.strerror or error}") from None
    below = root.relative_to(repository).as_posix()
    return owners_by(text, "" if below == "." else f"{below}/")


def owners_by(text: str, below: str = "") -> OwnersOf:
    """The owners that a file's text gives; `below` leads from its repository to the paths that are asked for."""
    lines = tuple(reversed(tuple(_lines(text))))

    @cache
    def owners(path: str) -> tuple[str, ...]:
        return next((named for matches, named in lines if matches(below + path)), ())

    return owners


def _lines(text: str) -> Iterator[_Line]:
    section: tuple[str, ...] = ()
    for line in (raw.strip() for raw in text.splitlines()):
        if not line or line.startswith(("#", "!")):
            continue
        if header := _SECTION.match(line):
            section = _owners(header["owners"] or "")
            continue
        pattern = _WORD.match(line)
        if pattern is None or "[" in pattern[0]:
            continue
        matches = _matcher(pattern[0])
        if matches is not None:
            yield matches, _owners(line[pattern.end() :]) or section


def _owners(words: str) -> tuple[str, ...]:
    return tuple(_OWNER.findall(words.partition("#")[0]))


def _matcher(pattern: str) -> Callable[[str], bool] | None:
    from pathspec import GitIgnoreSpec

    try:
        matches = GitIgnoreSpec.from_lines([pattern]).match_file
    except ValueError:
        return None
    if pattern.endswith("/*") and not pattern.endswith("**/*"):
        # Here alone GitHub differs from gitignore: `docs/*` is what lies in docs, and nothing deeper.
        inner = GitIgnoreSpec.from_lines([f"{pattern}/**"]).match_file
        return lambda path: matches(path) and not inner(path)
    return matches
