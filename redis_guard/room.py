"""Room for deep recursion and large trees.

Law of this file: what is changed for the whole interpreter is put back, whatever happens within.
"""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def room(frames: int) -> Iterator[None]:
    """Let Python functions nest at least `frames` deep, and keep the collector from looking at trees that all stay.

    Calls between Python functions take no stack of the process (CPython 3.11 and later), so the limit is free to rise.
    """
    limit, collecting = sys.getrecursionlimit(), gc.isenabled()
    sys.setrecursionlimit(max(limit, frames))
    gc.disable()
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
        if collecting:
            gc.enable()
