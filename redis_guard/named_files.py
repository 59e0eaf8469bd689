"""Files that a path or a pattern names.

Law of this file: a name leads to at least one file, or there is a reason why not; one file by two spellings is one.
"""

import os
from pathlib import Path

GLOB_CHARACTERS = "*?["


class NoFileError(Exception):
    """No file is named so; the text says why, to follow the name: `does not exist`."""


def files_named(name: str, root: Path) -> list[Path]:
    """The file at `name`, or in order all that the pattern `name` matches (`**` too), as absolute paths.

    Relative names begin at `root`. A file whose name merely looks like a pattern is found too. Raises `NoFileError`.
    """
    try:
        path = _normal(root / name)
        if path.is_file():
            return [path]
        if path.is_symlink() and not path.exists():
            raise NoFileError(_nowhere(path))
        if any(character in name for character in GLOB_CHARACTERS):
            return _matching(Path(name), root)
        is_folder, is_other = path.is_dir(), path.exists()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise NoFileError(f"cannot be looked up: {reason or error}") from error
    if is_folder:
        raise NoFileError("is a directory, not a file")
    raise NoFileError("is not a regular file" if is_other else "does not exist")


def _matching(pattern: Path, root: Path) -> list[Path]:
    start = Path(pattern.anchor) if pattern.is_absolute() else root
    found = start.glob(str(pattern.relative_to(pattern.anchor)))
    # a symlink keeps the name it was given
    files = sorted({_normal(file) for file in found if file.is_file() or _is_broken(file)})
    if not files:
        raise NoFileError("matches no file")
    return files


def _is_broken(file: Path) -> bool:
    """A link that leads nowhere, to be told by its reader. Hidden ones are the marks by which editors lock files."""
    return file.is_symlink() and not file.exists() and not file.name.startswith(".")


def _nowhere(path: Path) -> str:
    try:
        path.stat()
    except OSError as error:
        return f"is a symbolic link that leads nowhere: {error.strerror}"
    return "does not exist"


def _normal(path: Path) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100 - Path.resolve would follow symlinks
