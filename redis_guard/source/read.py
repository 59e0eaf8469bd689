"""Bytes of a file.

Law of this file: it never waits and never raises. What cannot be read is a value that says why.
"""

import os
from dataclasses import dataclass
from stat import S_ISREG

_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
"""Without O_NONBLOCK, opening a named pipe waits for its writer."""

_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a file is not analysed: one line, without the path; `line` is 1-based where it is known."""

    reason: str
    line: int | None = None


def read_bytes(full: str, size: int | None = None) -> bytes | Unreadable:
    """Read a regular file; `size` in bytes, if somebody has just asked for it, saves asking again."""
    try:
        descriptor = os.open(full, _FLAGS)
    except (OSError, ValueError) as error:
        return Unreadable(_reason(error))
    try:
        if size is None:
            status = os.fstat(descriptor)
            if not S_ISREG(status.st_mode):
                return Unreadable("not a regular file")
            size = status.st_size
        data = os.read(descriptor, size + 1)
        if len(data) == size:
            return data
        # Shorter or longer than it was, or a file system that answers in pieces.
        pieces = [data]
        while data:
            data = os.read(descriptor, _CHUNK)
            pieces.append(data)
        return b"".join(pieces)
    except (OSError, OverflowError, MemoryError) as error:
        return Unreadable(_reason(error))
    finally:
        os.close(descriptor)


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"cannot be read: {error.strerror[0].lower()}{error.strerror[1:]}"
    return f"cannot be read: {error}"
