"""What a client without `decode_responses` hands out as bytes.

Law of this file: by commands; what redis-py turns into text, numbers or truth by itself is not listed.
Source: redis-py 8.1, response callbacks for RESP2 and RESP3; the replies of Redis 7.0.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

from redis_guard.project.model import Call

Shape = Literal["bytes", "collection"]

_BYTES = frozenset(
    "GET GETSET GETDEL GETEX GETRANGE SUBSTR HGET LINDEX LMOVE BLMOVE RPOPLPUSH BRPOPLPUSH RANDOMKEY TYPE ECHO "
    "DUMP XADD".split()
)
_BYTES_UNLESS_COUNTED = frozenset("LPOP RPOP SPOP SRANDMEMBER HRANDFIELD ZRANDMEMBER".split())
_COLLECTIONS = frozenset(
    "MGET HMGET HGETALL HKEYS HVALS LRANGE SMEMBERS SINTER SUNION SDIFF SORT KEYS BLPOP BRPOP ZRANGE ZREVRANGE "
    "ZRANGEBYSCORE ZREVRANGEBYSCORE ZRANGEBYLEX ZREVRANGEBYLEX ZINTER ZUNION ZDIFF".split()
)
_ITERATORS = frozenset({"scan_iter", "sscan_iter", "hscan_iter"})
_OF_MESSAGES = frozenset({"data", "channel", "pattern"})


def shape(call: Call) -> Shape | None:
    """Whether the answer is bytes, or holds nothing but bytes."""
    if call.method in _ITERATORS:
        return "collection"
    if call.command in _BYTES:
        return "bytes"
    if call.command in _BYTES_UNLESS_COUNTED:
        counted = call.opaque or len(call.arguments) > 1
        return "collection" if counted else "bytes"
    if call.command in _COLLECTIONS:
        return "collection"
    return None


def in_message(call: Call, item: str) -> bool:
    """Whether that item of a message of pub/sub is bytes; its type is always text."""
    return call.kind == "pubsub" and call.method in ("listen", "get_message") and item in _OF_MESSAGES


def all_bytes(calls: Iterable[Call]) -> bool:
    """Whether each of them answers with bytes; there must be one."""
    found = [shape(call) for call in calls]
    return bool(found) and all(one == "bytes" for one in found)


def queued_for(calls: Sequence[Call], executed: Call) -> list[Call]:
    """The commands that an `execute()` may answer."""
    return [
        call
        for call in calls
        if call.client == executed.client and not call.immediate and call.place.order < executed.place.order
    ]
