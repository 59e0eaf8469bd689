"""One file of a start: what was done to it, or why it was left alone; and the only writing there is.

Law of this file: a new file never takes the place of another, and a changed one was not changed by somebody else
meanwhile.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from redis_guard.fixes.write import replace_file, write_file
from redis_guard.mistake import Mistake
from redis_guard.plain_files import is_there


class InitError(Mistake):
    """The start cannot be made; the message is one line with what to do."""


@dataclass(frozen=True, slots=True)
class Step:
    """What happened to one file."""

    done: Literal["created", "changed", "left alone"]
    path: str
    """Relative to the project root."""
    note: str
    """What is in it, or why it was left alone."""
    add: str = ""
    """Text that the user has to add by hand."""


def create(root: Path, path: str, content: str, note: str) -> Step:
    """Write a new file. Raises InitError."""
    target = root / path
    if is_there(target):
        return Step("left alone", path, "it exists already")
    try:
        write_file(target, content.encode())
    except OSError as error:
        raise InitError(f"{path}: cannot be written: {error.strerror or error}") from None
    return Step("created", path, note)


def change(root: Path, path: str, before: bytes, after: bytes, note: str) -> Step:
    """Write a new version of a file that held `before`. Raises InitError."""
    if (refused := replace_file(root / path, before, after)) is not None:
        raise InitError(refused)
    return Step("changed", path, note)


def appended(before: bytes, text: str) -> bytes:
    """`text` behind what a file holds, on lines of their own, with the file's own line ends."""
    newline = b"\r\n" if b"\r\n" in before else b"\n"
    gap = b"" if not before or before.endswith(b"\n") else newline
    return before + gap + text.encode().replace(b"\n", newline)
