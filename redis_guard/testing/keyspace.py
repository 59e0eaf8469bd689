"""Keys, values and lifetimes as a server has them, with the time given from outside.

Law of this file: an operation does what the command of that name does in Redis 6.2 to 8 and Valkey 9, reads no clock,
and a copy costs one dict.
"""

import re
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import NamedTuple, Self

from redis_guard.runtime.faults import Fault

FOR_EVER = -1
NO_KEY = -2
_INTEGER = re.compile(rb"0|-?[1-9][0-9]{0,18}")
_INT64 = range(-(2**63), 2**63)


class Stored(NamedTuple):
    """A value; None stands for one that is no string. `end` is the last millisecond of its life, None without one."""

    value: bytes | None
    end: int | None = None


@dataclass(slots=True)
class Keyspace:
    """One database. Lifetimes are in milliseconds, `now` is the server's time in milliseconds."""

    keys: dict[bytes, Stored] = field(default_factory=dict)

    def copy(self) -> Self:
        return type(self)(self.keys.copy())

    def state(self, now: int) -> Hashable:
        """Equal for keyspaces that cannot be told apart from `now` on, but by waiting."""
        self._expire(now)
        return frozenset(self.keys.items())

    def age(self, milliseconds: int) -> None:
        """Let lifetimes run on by so much, without the time that is told to anybody."""
        for key, stored in self.keys.items():
            if stored.end is not None:
                self.keys[key] = stored._replace(end=stored.end - milliseconds)

    def exists(self, key: bytes, now: int) -> bool:
        stored = self.keys.get(key)
        if stored and stored.end is not None and now > stored.end:
            del self.keys[key]
            return False
        return stored is not None

    def get(self, key: bytes, now: int) -> bytes | None:
        """None without a key; raises the `Fault` wrongtype for what is no string."""
        if not self.exists(key, now):
            return None
        value = self.keys[key].value
        if value is None:
            raise Fault("wrongtype", "WRONGTYPE Operation against a key holding the wrong kind of value")
        return value

    def holds(self, key: bytes, value: bytes, now: int) -> bool:
        """GET == value, where a value of another type is only another value."""
        return self.exists(key, now) and self.keys[key].value == value

    def set(self, key: bytes, value: bytes | None, now: int, px: int | None = None) -> None:
        """SET without KEEPTTL, or, with None, the making of a list or hash in the key's place."""
        self.keys[key] = Stored(value, None if px is None else now + px)

    def delete(self, key: bytes, now: int) -> int:
        """How many were deleted: 0 or 1."""
        there = self.exists(key, now)
        self.keys.pop(key, None)
        return int(there)

    def pexpire(self, key: bytes, ttl: int, now: int) -> int:
        """1 if there was a key; a lifetime that is over deletes it."""
        if not self.exists(key, now):
            return 0
        if ttl > 0:
            self.keys[key] = self.keys[key]._replace(end=now + ttl)
        else:
            del self.keys[key]
        return 1

    def persist(self, key: bytes, now: int) -> None:
        if self.exists(key, now):
            self.keys[key] = self.keys[key]._replace(end=None)

    def pttl(self, key: bytes, now: int) -> int:
        """`FOR_EVER` and `NO_KEY` as the command has them. 0 is the last millisecond, in which the key still lives."""
        if not self.exists(key, now):
            return NO_KEY
        end = self.keys[key].end
        return FOR_EVER if end is None else end - now

    def incrby(self, key: bytes, step: int, now: int) -> int:
        """Raises the `Fault` wrongtype for what is no integer, or would become too large a one."""
        text = self.get(key, now)
        value = int(text) if text and _INTEGER.fullmatch(text) else None if text is not None else 0
        if value is None or value not in _INT64:
            raise Fault("wrongtype", "ERR value is not an integer or out of range")
        if value + step not in _INT64:
            raise Fault("wrongtype", "ERR increment or decrement would overflow")
        self.keys[key] = Stored(b"%d" % (value + step), self.keys[key].end if text is not None else None)
        return value + step

    def _expire(self, now: int) -> None:
        for key in tuple(self.keys):
            self.exists(key, now)
