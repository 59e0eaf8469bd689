"""One simple call of each client method that writes: the key written is `k`, other keys are `s` and `d`.

Law of this file: a method that writes and stands neither here nor in UNTRIED makes the tests fail.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import redis


@dataclass(frozen=True, slots=True)
class Case:
    """Arguments of a call, and what must be there before it."""

    args: tuple[Any, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    """Keys beside `k`, of the type the method works on."""
    absent: bool = False
    """The call succeeds only where `k` is not there."""


def _stream(client: redis.Redis, key: str) -> None:
    client.xadd(key, {"f": "1"}, id="1-1")
    client.xadd(key, {"f": "2"}, id="1-2")
    client.xgroup_create(key, "g", id="0")
    client.xreadgroup("g", "c", {key: ">"}, count=1)


MAKE: dict[str, Callable[[redis.Redis, str], object]] = {
    "string": lambda client, key: client.set(key, "1"),
    "none": lambda client, key: client.set(key, "1"),
    "bitmap": lambda client, key: client.set(key, "1"),
    "hash": lambda client, key: client.hset(key, mapping={"f": "1", "g": "2"}),
    "list": lambda client, key: client.rpush(key, "a", "b"),
    "set": lambda client, key: client.sadd(key, "a", "b"),
    "zset": lambda client, key: client.zadd(key, {"a": 1, "b": 2}),
    "geo": lambda client, key: client.geoadd(key, (13.4, 52.5, "a")),
    "hyperloglog": lambda client, key: client.pfadd(key, "a"),
    "stream": _stream,
}
"""How a key of a type is made, with more than one element so that a removal does not end it."""

CASES: dict[str, Case] = {
    "__delitem__": Case(("k",)),
    "__setitem__": Case(("k", "v")),
    "append": Case(("k", "x")),
    "bitop": Case(("OR", "k", "s"), sources=("s",)),
    "blmove": Case(("s", "k", 1), sources=("s",)),
    "blmpop": Case((0.01, 1, "k"), {"direction": "LEFT"}),
    "blpop": Case(("k", 0.01)),
    "brpop": Case(("k", 0.01)),
    "brpoplpush": Case(("s", "k"), sources=("s",)),
    "bzmpop": Case((0.01, 1, ["k"]), {"min": True}),
    "bzpopmax": Case(("k", 0.01)),
    "bzpopmin": Case(("k", 0.01)),
    "copy": Case(("k", "d")),
    "decr": Case(("k",)),
    "decrby": Case(("k", 2)),
    "delete": Case(("k",)),
    "expire": Case(("k", 50)),
    "expireat": Case(("k", "<now+50 s>")),
    "flushall": Case(()),
    "flushdb": Case(()),
    "geoadd": Case(("k", (13.5, 52.6, "b"))),
    "geosearchstore": Case(("k", "s"), {"member": "a", "radius": 10}, sources=("s",)),
    "getdel": Case(("k",)),
    "getex": Case(("k",)),
    "getset": Case(("k", "v")),
    "hdel": Case(("k", "f")),
    "hexpire": Case(("k", 50, "f")),
    "hexpireat": Case(("k", "<now+50 s>", "f")),
    "hgetdel": Case(("k", "f")),
    "hgetex": Case(("k", "f"), {"ex": 50}),
    "hincrby": Case(("k", "f")),
    "hincrbyfloat": Case(("k", "f")),
    "hmset": Case(("k", {"h": "3"})),
    "hpersist": Case(("k", "f")),
    "hpexpire": Case(("k", 50_000, "f")),
    "hpexpireat": Case(("k", "<now+50 ms>", "f")),
    "hset": Case(("k", "f", "2")),
    "hsetex": Case(("k", "f", "2"), {"ex": 50}),
    "hsetnx": Case(("k", "h", "2")),
    "incr": Case(("k",)),
    "incrby": Case(("k", 2)),
    "incrbyfloat": Case(("k", 0.5)),
    "linsert": Case(("k", "BEFORE", "a", "x")),
    "lmove": Case(("s", "k"), sources=("s",)),
    "lmpop": Case((1, "k"), {"direction": "LEFT"}),
    "lpop": Case(("k",)),
    "lpush": Case(("k", "x")),
    "lpushx": Case(("k", "x")),
    "lrem": Case(("k", 0, "a")),
    "lset": Case(("k", 0, "x")),
    "ltrim": Case(("k", 0, 0)),
    "move": Case(("k", 1)),
    "mset": Case(({"k": "v"},)),
    "msetex": Case(({"k": "v"},)),
    "msetnx": Case(({"k": "v"},), absent=True),
    "persist": Case(("k",)),
    "pexpire": Case(("k", 50_000)),
    "pexpireat": Case(("k", "<now+50 ms>")),
    "pfadd": Case(("k", "b")),
    "pfmerge": Case(("k", "s"), sources=("s",)),
    "psetex": Case(("k", 50_000, "v")),
    "rename": Case(("k", "d")),
    "renamenx": Case(("k", "d")),
    "restore": Case(("k", 50_000, "<dump>"), {"replace": True}),
    "rpop": Case(("k",)),
    "rpoplpush": Case(("s", "k"), sources=("s",)),
    "rpush": Case(("k", "x")),
    "rpushx": Case(("k", "x")),
    "sadd": Case(("k", "c")),
    "sdiffstore": Case(("k", "s", "k2"), sources=("s",)),
    "set": Case(("k", "v")),
    "setbit": Case(("k", 3, 1)),
    "setex": Case(("k", 50, "v")),
    "setnx": Case(("k", "v"), absent=True),
    "setrange": Case(("k", 0, "x")),
    "sinterstore": Case(("k", "s"), sources=("s",)),
    "smove": Case(("s", "k", "a"), sources=("s",)),
    "spop": Case(("k",)),
    "srem": Case(("k", "a")),
    "sunionstore": Case(("k", "s"), sources=("s",)),
    "unlink": Case(("k",)),
    "xack": Case(("k", "g", "1-1")),
    "xadd": Case(("k", {"f": "3"})),
    "xautoclaim": Case(("k", "g", "d", 0)),
    "xclaim": Case(("k", "g", "d", 0, ["1-1"])),
    "xdel": Case(("k", "1-1")),
    "xgroup_create": Case(("k", "h"), {"mkstream": True}),
    "xgroup_createconsumer": Case(("k", "g", "d")),
    "xgroup_delconsumer": Case(("k", "g", "c")),
    "xgroup_destroy": Case(("k", "g")),
    "xgroup_setid": Case(("k", "g", "1-1")),
    "xreadgroup": Case(("g", "c", {"k": ">"})),
    "xtrim": Case(("k", 1), {"approximate": False}),
    "zadd": Case(("k", {"c": 3})),
    "zdiffstore": Case(("k", ["s"]), sources=("s",)),
    "zincrby": Case(("k", 1, "a")),
    "zinterstore": Case(("k", ["s"]), sources=("s",)),
    "zmpop": Case((1, ["k"]), {"min": True}),
    "zpopmax": Case(("k",)),
    "zpopmin": Case(("k",)),
    "zrangestore": Case(("k", "s", 0, -1), sources=("s",)),
    "zrem": Case(("k", "a")),
    "zremrangebylex": Case(("k", "[a", "[a")),
    "zremrangebyrank": Case(("k", 0, 0)),
    "zremrangebyscore": Case(("k", 1, 1)),
    "zunionstore": Case(("k", ["s"]), sources=("s",)),
}

UNTRIED = {
    "migrate": "needs a second server",
    "swapdb": "changes no key of its own",
}
