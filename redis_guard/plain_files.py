"""The bytes of a file that somebody names: configuration, registry, baseline.

Law of this file: reading never waits and has a limit, so that no pipe, device or endless file hangs a run or eats its
memory; whatever is wrong is an OSError whose `strerror` says so.
"""

import errno
import os
import stat
from pathlib import Path

_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
"""Without O_NONBLOCK, opening a named pipe waits for its writer."""

_CHUNK = 1 << 20
MOST_BYTES = 64 * _CHUNK


def read_plain(path: Path) -> bytes:
    """The content of a regular file of at most `MOST_BYTES`. Raises OSError."""
    try:
        descriptor = os.open(path, _FLAGS)
    except FileNotFoundError:
        if not path.is_symlink():
            raise
        said = f"it is a symbolic link to {path.readlink()}, which does not exist"
        raise FileNotFoundError(errno.ENOENT, said, str(path)) from None
    try:
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file", str(path))
        pieces, left = [], MOST_BYTES + 1 if status.st_size <= MOST_BYTES else 0
        while left and (piece := os.read(descriptor, min(left, _CHUNK))):
            pieces.append(piece)
            left -= len(piece)
    finally:
        os.close(descriptor)
    if not left:
        raise OSError(errno.EFBIG, f"it has more than {MOST_BYTES:,} bytes", str(path))
    return b"".join(pieces)


def is_there(path: Path) -> bool:
    """Whether something has this name, be it a link that leads nowhere; no where nobody may look."""
    return os.path.lexists(path)
