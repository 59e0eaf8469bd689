"""What one family's calls amount to, and what a call without a key amounts to.

Law of this file: the strongest sign decides, in the order written here; a lone read decides nothing.
"""

import re
from collections.abc import Sequence

from redis_guard.behaviour.holding import gives_up, has_lifetime, takes_if_absent
from redis_guard.behaviour.terms import Behaviour
from redis_guard.commands import command
from redis_guard.project.model import Call

_SERVER = frozenset({"admin", "flush", "keys", "scan", "script-admin", "connection"})
_SIGNALS = frozenset({"publish", "subscribe", "pubsub"})
_STORED = frozenset({"string", "hash", "list", "set", "zset", "stream"})
_QUEUE = re.compile(r"(?<![a-z])queue(?![a-z])", re.IGNORECASE)
_LOCKS = frozenset({"lock", "lock-acquire", "lock-release", "lock-extend"})


def of_family(calls: Sequence[Call]) -> Behaviour:
    """The behaviour of all calls that name one family of keys (or channels)."""
    if any(_is_lock(call) for call in calls):
        return "lock-like"
    if any(_family(call) in _SIGNALS for call in calls):
        return "signal-like"
    if any(_family(call) == "counter" and _type(call) == "string" for call in calls):
        return "counter-like"
    if any(takes_if_absent(call) for call in calls):
        return "lock-like" if any(gives_up(call) for call in calls) else "claim-like"
    if any(_is_queue(call) for call in calls):
        return "queue-like"
    if any(has_lifetime(call) for call in calls):
        return "cache-like"
    if any(call.facts is not None and call.facts.creates for call in calls):
        return "durable-like"
    if any(_family(call) == "script" for call in calls):
        return "script"
    return "unknown"


def of_keyless(call: Call) -> Behaviour:
    """The behaviour of a call that names no key."""
    family = _family(call)
    if _is_lock(call):
        return "lock-like"
    if family == "script" or call.kind == "script":
        return "script"
    if call.kind == "pubsub" or family in _SIGNALS:
        return "signal-like"
    if family in _SERVER or call.kind in ("sentinel", "monitor"):
        return "admin"
    return "unknown"


def is_wrapper(calls: Sequence[Call]) -> bool:
    """The calls cannot all mean one key, though they name it alike: several types, or a lock and a value."""
    making = [call for call in calls if call.facts is not None and call.facts.creates]
    stored = {call.facts.stored_as for call in making if call.facts is not None}
    values = any(not _is_lock(call) for call in making)
    return len(stored & _STORED) > 1 or (values and any(_is_lock(call) for call in calls))


def _family(call: Call) -> str:
    if call.facts is None:
        return ""
    if (
        call.facts.family == "raw"
        and call.command is not None
        and (known := command(call.command)) is not None
    ):
        return known.family
    return call.facts.family


def _type(call: Call) -> str:
    return call.facts.value_type if call.facts is not None else "none"


def _is_lock(call: Call) -> bool:
    return call.kind == "lock" or _family(call) in _LOCKS


def _is_queue(call: Call) -> bool:
    kind, family = _type(call), _family(call)
    return (
        kind == "stream"
        or (family == "pop" and kind in ("list", "zset"))
        or (family == "collection-move" and kind == "list")
        or (
            kind in ("list", "zset")
            and call.facts is not None
            and call.facts.creates
            and _is_called_queue(call)
        )
    )


def _is_called_queue(call: Call) -> bool:
    """What takes the elements out may be another program, or a range by score."""
    return any(_QUEUE.search(key.template) for key in call.keys)
