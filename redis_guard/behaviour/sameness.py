"""Whether two calls in one file mean the same keys.

Law of this file: keys with text of their own are known by it; others only inside one class or one function.
"""

from redis_guard.behaviour.families import speaks
from redis_guard.project.keys import Key
from redis_guard.project.model import CacheCall, Call


def same_key(first: Call | CacheCall, second: Call | CacheCall) -> bool:
    """One of the keys of `second` is the key of `first`, as far as the code of one file tells."""
    key = first.key
    if key is None or not key.pieces:
        return False
    ours, theirs = first.place.function, second.place.function
    if ours.scope == theirs.scope:
        return key in _keys(second)
    if speaks(key):
        return any(key.alike(other) for other in _keys(second))
    same_class = ours.cls is not None and ours.cls == theirs.cls
    return same_class and any(key.template == other.template for other in _keys(second))


def _keys(call: Call | CacheCall) -> tuple[Key, ...]:
    if isinstance(call, Call):
        return call.keys
    return () if call.key is None else (call.key,)
