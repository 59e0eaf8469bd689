"""Calls that look at a key: which of them say what it holds, which whether it is there, which how much.

Law of this file: one call at a time; commands by their names, because families mix what they answer.
"""

from collections.abc import Iterator, Sequence

from redis_guard.project.model import Call
from redis_guard.project.taken import Taken

VALUES = frozenset(
    "GET GETRANGE HGET HGETALL HMGET MGET LINDEX LRANGE ZSCORE JSON.GET SMEMBERS ZRANGE HVALS".split()
)
"""What it holds, in whole or in part."""

PRESENCE = frozenset("EXISTS HEXISTS SISMEMBER SMISMEMBER TYPE".split())
"""Whether it, or something in it, is there."""

SIZES = frozenset("LLEN SCARD ZCARD HLEN ZCOUNT STRLEN XLEN BITCOUNT PFCOUNT".split())
"""How much it holds."""

_FIELD = ("key", "field", "value", "index")


def says_value(call: Call) -> bool:
    return call.command in VALUES


def says_presence(call: Call) -> bool:
    return call.command in PRESENCE or call.method == "__contains__"


def says_size(call: Call) -> bool:
    return call.command in SIZES


def sources(calls: Sequence[Call], takes: Sequence[Taken]) -> Iterator[tuple[Call, Taken]]:
    """The calls whose results are taken; for the answer of `execute()`, those that were queued before it."""
    by_order = {call.place.order: call for call in calls}
    for taken in takes:
        call = by_order.get(taken.order)
        if call is None:
            continue
        if call.kind == "pipeline" and call.method == "execute":
            for queued in calls:
                if queued.client == call.client and not queued.immediate and queued.place.order < taken.order:
                    yield queued, taken
        else:
            yield call, taken


def same_field(first: Call, second: Call) -> bool:
    """Within one key: not certainly another field of a hash, or another member."""
    fields = [field for call in (first, second) if (field := _field(call)) is not None]
    return len(fields) < 2 or fields[0] == fields[1]


def _field(call: Call) -> object:
    if call.command not in (
        "HGET",
        "HSET",
        "HSETNX",
        "HINCRBY",
        "HEXISTS",
        "HDEL",
        "SISMEMBER",
        "SADD",
        "SREM",
    ):
        return None
    for name in ("key", "value", "keys.0", "values.0"):
        given = call.argument(name)
        if given is not None and given.key.pieces:
            return given.key
    return None
