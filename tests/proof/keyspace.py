"""What lies on the server: entries of keys in a form that can be compared, read back and put there.

Law of this file: whatever two programs could tell apart on the server differs here, and nothing else does.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import redis

Place = tuple[int, bytes]
"""A database and a key in it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A key's type and value.

    Sets, sorted sets and hashes in order of their members, a hash with each field's lifetime in ms (None: none), and
    a stream without its ids, which are times.
    """

    type: str
    value: Any
    deadline: int | None
    """When it goes, in ms of the server's clock; None if never."""

    @property
    def content(self) -> tuple[str, Any]:
        return self.type, self.value


Keyspace = Mapping[Place, Entry]


@dataclass(frozen=True, slots=True)
class Initial:
    """An entry to be put on the server before a run."""

    type: str
    value: Any
    milliseconds: int | None = None

    # redis-guard: allow[RG204, RG201] it puts there what a crash may have left, lifetime and all
    def put(self, client: redis.Redis, key: bytes | str) -> None:
        match self.type:
            case "string":
                client.set(key, self.value)
            case "list":
                client.rpush(key, *self.value)
            case "set":
                client.sadd(key, *self.value)
            case "zset":
                client.zadd(key, dict(self.value))
            case "hash":
                client.hset(key, mapping=dict(self.value))
            case "stream":
                for fields in self.value:
                    client.xadd(key, dict(fields))
            case other:
                raise ValueError(f"no entry of type {other} can be put")
        if self.milliseconds is not None:
            client.pexpire(key, self.milliseconds)


def read(client: redis.Redis) -> dict[Place, Entry]:
    """All keys of all databases. `client` has one connection at most and does not decode."""
    found: dict[Place, Entry] = {}
    databases = [int(name.removeprefix("db")) for name in client.info("keyspace")]
    for database in databases:
        client.execute_command("SELECT", database)
        keys = sorted(client.scan_iter(count=1000))
        found |= {(database, key): entry for key in keys if (entry := _entry(client, key)) is not None}
    if databases:
        client.execute_command("SELECT", 0)
    return found


def now(client: redis.Redis) -> int:
    """The server's clock, in ms."""
    seconds, microseconds = client.time()
    return int(seconds) * 1000 + int(microseconds) // 1000


def _entry(client: redis.Redis, key: bytes) -> Entry | None:
    with client.pipeline(transaction=True) as pipe:
        pipe.time()
        pipe.pttl(key)
        pipe.type(key)
        (seconds, microseconds), left, kind = pipe.execute()
    name = kind.decode()
    if name == "none":
        return None
    clock = int(seconds) * 1000 + int(microseconds) // 1000
    return Entry(name, _value(client, key, name), None if left < 0 else clock + left)


def _value(client: redis.Redis, key: bytes, kind: str) -> Any:
    match kind:
        case "string":
            return client.get(key)
        case "list":
            return tuple(client.lrange(key, 0, -1))
        case "set":
            return tuple(sorted(client.smembers(key)))
        case "zset":
            return tuple((member, score) for member, score in client.zrange(key, 0, -1, withscores=True))
        case "hash":
            fields = sorted(client.hgetall(key).items())
            left = _lifetimes(client, key, [name for name, _ in fields])
            return tuple(
                (name, value, lifetime) for (name, value), lifetime in zip(fields, left, strict=True)
            )
        case "stream":
            return tuple(tuple(sorted(fields.items())) for _, fields in client.xrange(key))
    raise ValueError(f"no value of type {kind} can be read")


def _lifetimes(client: redis.Redis, key: bytes, fields: Iterable[bytes]) -> list[int | None]:
    """Rounded to whole seconds: two runs are not at the same moment."""
    names = list(fields)
    try:
        left = client.execute_command("HPTTL", key, "FIELDS", len(names), *names)
    except redis.ResponseError:
        # Older than fields with a lifetime.
        return [None] * len(names)
    return [None if milliseconds < 0 else round(milliseconds / 1000) for milliseconds in left]
