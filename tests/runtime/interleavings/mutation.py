"""Broken variants of the core and of the scripts, for as long as a test needs them.

Law of this file: a variant is told as the words that are replaced in the source; when they stand there no longer, the
test fails rather than tries nothing.
"""

import inspect
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any


@contextmanager
def broken(function: Any, instead_of: str, stands: str) -> Iterator[None]:
    """`function`, wherever it was imported to, with other words in its source."""
    assert isinstance(function, FunctionType)
    source = textwrap.dedent(inspect.getsource(function))
    assert source.count(instead_of) == 1, (
        f"{instead_of!r} stands {source.count(instead_of)} times in {source}"
    )
    made: dict[str, Any] = {}
    exec(compile(source.replace(instead_of, stands), "<broken>", "exec"), function.__globals__, made)
    whole = function.__code__
    function.__code__ = made[function.__name__].__code__
    try:
        yield
    finally:
        function.__code__ = whole
