"""The standard streams, whatever the caller did to them, and how the program leaves them.

Law of this file: a reader that has gone, a full disk or a closed stream is a line at most, never a traceback.
"""

import os
import sys
from collections.abc import Callable
from contextlib import suppress


def guarded(work: Callable[[], int]) -> int:
    """The exit status of `work`: its own, 1 where the reader has seen enough, 2 where output cannot be written."""
    _open_closed()
    try:
        status = work()
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        _silence()
        return 1
    except OSError as error:
        _silence()
        where = error.filename if error.filename is not None else "output"
        with suppress(OSError):
            sys.stderr.write(f"{where}: {error.strerror or error}\n")
        return 2
    except KeyboardInterrupt:
        _silence()
        return 130


def _open_closed() -> None:
    """A stream that was closed before the start takes what is written, and nobody reads it."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))


def _silence() -> None:
    """Nothing more is written, not even what a stream still holds at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
