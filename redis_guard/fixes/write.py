"""Putting changed bytes into a file.

Law of this file: at every moment the path holds the old file or the new one, whole.
"""

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path


def replace_file(path: Path, before: bytes, after: bytes) -> str | None:
    """Write `after` over a file which held `before`; None when done, else why the file was left alone.

    The mode (and, where permitted, the owner) is kept, and of a symbolic link the target is edited.
    """
    try:
        target = Path(os.path.realpath(path, strict=True))  # Path.resolve hides loops from OSError
        if target.read_bytes() != before:
            return f"{path}: changed since it was read, left alone; run again"
        if not os.access(target, os.W_OK):
            return f"{path}: not writable, left alone"
        if after != before:
            write_file(target, after)
    except OSError as error:
        return f"{path}: left alone: {error.strerror or error}"
    return None


def write_file(path: Path, content: bytes) -> None:
    """Create or replace a file by renaming a temporary of the same directory. Raises OSError."""
    target = Path(os.path.realpath(path))
    try:
        old = target.stat()
    except FileNotFoundError:
        old = None
    # Made by hand, as tempfile's would be private to the user, which a new file should not be.
    temporary = target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}")
    try:
        with temporary.open("xb") as stream:
            stream.write(content)
        if old is not None:
            # Windows has no owners; elsewhere only some may give files away. Before chmod, which it may undo.
            with suppress(OSError, AttributeError):
                os.chown(temporary, old.st_uid, old.st_gid)
            temporary.chmod(stat.S_IMODE(old.st_mode))
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
