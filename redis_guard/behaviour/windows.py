"""Counters that are meant to end with their window.

Law of this file: a counter under a name that is not seen, or that holds a time, is not judged.
"""

import re
from collections.abc import Iterator

from redis_guard.behaviour.pairs import Pair
from redis_guard.behaviour.timelines import Timeline, timelines
from redis_guard.behaviour.writes import is_endless_write, is_expire
from redis_guard.project.flow import always_follows, can_follow
from redis_guard.project.keys import Hole, Key
from redis_guard.project.model import Call, ModuleUses

_TIMES = re.compile(
    r"(?:^|_)(?:bucket|date|day|epoch|hour|interval|minute|month|now|period|quarter|second|slot|start|time"
    r"|timestamp|today|ts|week|window|year)(?:_|$)",
    re.IGNORECASE,
)
_CLOCKS = re.compile(
    r"(?:^|\.)(?:time|time_ns|monotonic|now|utcnow|today|strftime|localtime|gmtime|isoformat|timestamp"
    r"|fromtimestamp|date|ctime)$"
)
_LIMITED = re.compile(r"rate|limit|quota|throttl|window", re.IGNORECASE)


def sliding_windows(module: ModuleUses) -> Iterator[Pair]:
    """Counts whose EXPIRE follows on every hit and sets the lifetime anew each time."""
    for timeline in timelines(module):
        for key, calls in timeline.by_key.items():
            for number, count in enumerate(calls):
                if not _counts(count) or not _steady(key, count):
                    continue
                renewals = tuple(
                    other
                    for other in calls[number + 1 :]
                    if _renews(other)
                    and always_follows(count.place, other.place)
                    and timeline.steps(count, other) != "unrelated"
                    and not _told_before(count, other)
                )
                if renewals and _is_looked_at(timeline, key, count):
                    yield Pair(key, count, renewals[:1])


def _counts(call: Call) -> bool:
    return call.command in ("INCR", "INCRBY", "INCRBYFLOAT") and is_endless_write(call)


def _renews(call: Call) -> bool:
    if not is_expire(call) or call.opaque or call.command not in ("EXPIRE", "PEXPIRE"):
        return False
    return call.argument("nx") is None and call.argument("lt") is None


def _steady(key: Key, count: Call) -> bool:
    """The name is seen, and it is the same from window to window."""
    if len(re.sub(r"\W", "", key.literal)) < 3:
        return False
    if any(isinstance(piece, Hole) and _TIMES.search(piece.name) for piece in key.pieces):
        return False
    return not any(
        _CLOCKS.search(name)
        for _, argument in count.arguments
        if argument.key == key
        for name in argument.calls
    )


def _told_before(count: Call, renewal: Call) -> bool:
    """The count is compared before it is renewed: hits beyond a limit may never get there."""
    return any(
        use.use in ("compared", "condition") and use.place_order < renewal.place.statement
        for use in count.result.later or ()
    )


def _is_looked_at(timeline: Timeline, key: Key, count: Call) -> bool:
    """Somebody reads the count. Of a queued one the answer says little: its name must speak of a limit."""
    if count.immediate:
        return count.result.use != "discarded"
    answered = any(
        sent.client == count.client and can_follow(count.place, sent.place) and sent.result.use != "discarded"
        for sent in timeline.executions
    )
    return answered and _LIMITED.search(f"{key.literal} {count.function.qualname}") is not None
