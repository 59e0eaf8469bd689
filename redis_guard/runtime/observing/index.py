"""A key as it is sent -> the entry of the registry it belongs to. On the path of every command that decides.

Law of this file: a key is compared with those entries only whose literal beginning it has, however many there are. The
registry has refused entries that overlap, so the first that matches is the only one.
"""

from collections.abc import Iterable
from typing import NamedTuple

from redis_guard.registry.model import Entry
from redis_guard.registry.templates import KeyTemplate


class Match(NamedTuple):
    """An entry, and the identifiers in the key."""

    entry: Entry
    identifiers: tuple[str, ...]


class Index:
    """The entries of one server's keys, or of its channels."""

    __slots__ = ("_by_head", "_depths")

    def __init__(self, entries: Iterable[Entry]) -> None:
        by_head: dict[str, list[Entry]] = {}
        for entry in entries:
            by_head.setdefault(_head(entry.key), []).append(entry)
        self._by_head = by_head
        self._depths = sorted({_depth(head) for head in by_head})

    def find(self, key: str) -> Match | None:
        """The entry that `key` belongs to."""
        if not self._depths:
            return None
        segments = key.split(":", self._depths[-1])
        for depth in self._depths:
            for entry in self._by_head.get(":".join(segments[:depth]), ()):
                identifiers = entry.key.match(key)
                if identifiers is not None:
                    return Match(entry, identifiers)
        return None


def _head(template: KeyTemplate) -> str:
    """The whole segments that every key of `template` begins with."""
    first = template.parts[0]
    if not isinstance(first, str):
        return ""
    return first if len(template.parts) == 1 else first.rpartition(":")[0]


def _depth(head: str) -> int:
    return head.count(":") + 1 if head else 0
