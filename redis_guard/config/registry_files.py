"""Which files the key `registry` names.

Law of this file: whatever the configuration names exists; only the default may be missing.
"""

import os
from collections.abc import Iterable
from pathlib import Path

from redis_guard.config.values import Values

GLOB_CHARACTERS = "*?["


def registry_files(values: Values, root: Path, patterns: Iterable[str]) -> tuple[Path, ...]:
    """The files of all patterns, each once; a pattern without a file is a problem."""
    found: dict[Path, None] = {}
    for pattern in patterns:
        files = _matching(values, root, pattern)
        found.update(dict.fromkeys(files))
    return tuple(found)


def _matching(values: Values, root: Path, pattern: str) -> list[Path]:
    if not any(character in pattern for character in GLOB_CHARACTERS):
        path = _normal(root / pattern)
        if path.is_file():
            return [path]
        reason = "is a directory, not a file" if path.is_dir() else "does not exist"
        values.add("registry", f'"registry" names {pattern}, which {reason}')
        return []
    relative = Path(pattern)
    start = Path(relative.anchor) if relative.is_absolute() else root
    try:
        found = start.glob(str(relative.relative_to(relative.anchor)))
        files = sorted({_normal(file) for file in found if file.is_file()})
    except ValueError as error:
        values.add("registry", f'"registry": the pattern {pattern} cannot be read: {error}')
        return []
    if not files:
        values.add("registry", f'"registry": the pattern {pattern} matches no file')
    return files


def _normal(path: Path) -> Path:
    """One file by two spellings is one path; symlinks keep the name they were given."""
    return Path(os.path.abspath(path))  # noqa: PTH100
