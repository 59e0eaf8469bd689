"""Values and exceptions of a program, in a form that can be compared.

Law of this file: `True`, `1` and `1.0` differ, and so do a list and what is only iterated like one.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import redis


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended: `returned`, `raised` or `crashed`, and with what."""

    how: str
    what: Any

    @property
    def refused(self) -> bool:
        """The server refused a command, and the program ended with that."""
        return self.how == "raised" and bool(self.what[1])


def canonical(value: Any) -> Any:
    """`value` with its type, all the way down; an iterator is used up."""
    name = type(value).__name__
    if value is None or isinstance(value, (bool, int, str, bytes)):
        return name, value
    if isinstance(value, float):
        return name, repr(value)
    if isinstance(value, Mapping):
        pairs = [(canonical(key), canonical(item)) for key, item in value.items()]
        return name, tuple(sorted(pairs, key=repr))
    if isinstance(value, (set, frozenset)):
        return name, tuple(sorted((canonical(item) for item in value), key=repr))
    if isinstance(value, (list, tuple)):
        return name, tuple(canonical(item) for item in value)
    if isinstance(value, Iterator):
        return "iterator", tuple(canonical(item) for item in value)
    if isinstance(value, BaseException):
        return raised(value).what
    # Of an object of the program's own nothing is known but its kind.
    return "object", f"{type(value).__module__}.{type(value).__qualname__}"


def raised(error: BaseException) -> Outcome:
    """The class and, of an error that the server gave, its first word (`WRONGTYPE`, `ERR`)."""
    kind = ""
    if isinstance(error, redis.ResponseError):
        kind = _kind(str(error))
    return Outcome("raised", (f"{type(error).__module__}.{type(error).__qualname__}", kind))


def _kind(message: str) -> str:
    """In a pipeline redis-py puts the command before what the server said; asyncio's adds quotes and brackets."""
    said = message.rpartition("caused error: ")[2]
    found = re.match(r"[('\"]*([A-Z]{3,})\b", said)
    return found[1] if found else "ERR"
