"""Two calls on one key which must be one step: a write and its EXPIRE, a DEL and the write that replaces.

Law of this file: a pair is two calls of one turn through a function, on one server, on a key that the code
cannot make differ, with nothing in between that settles the matter.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from redis_guard.behaviour.timelines import Steps, Timeline, surely_between, timelines
from redis_guard.behaviour.writes import (
    ends,
    is_conditional_set,
    is_endless_write,
    is_expire,
    is_field_expire,
    is_write_with_lifetime,
    replaces,
    written,
)
from redis_guard.project.flow import always_follows, always_precedes, can_follow
from redis_guard.project.keys import Key
from redis_guard.project.model import Call, ModuleUses

Nature = Literal["set", "setnx", "counter", "collection"]


@dataclass(frozen=True, slots=True)
class Pair:
    """A call and the calls that had to come with it, the nearest ones only."""

    key: Key
    first: Call
    seconds: tuple[Call, ...]


def nature(write: Call) -> Nature:
    """Which kind of write a pair begins with."""
    if is_conditional_set(write):
        return "setnx"
    family = write.facts.family if write.facts is not None else ""
    if family == "counter":
        return "counter"
    return "set" if family in ("set", "string-edit") else "collection"


def late_expiries(module: ModuleUses) -> Iterator[Pair]:
    """Writes that make a key without a lifetime, and the EXPIREs that follow in a later round trip."""
    for timeline in timelines(module):
        yield from _joined(timeline, "apart", _is_write_and_expiry)


def unsafe_pipelines(module: ModuleUses) -> Iterator[Pair]:
    """Writes and their EXPIREs, DELs and the writes that replace, in one pipeline that is not MULTI."""
    for timeline in timelines(module):
        yield from _joined(timeline, "pipelined", _is_write_and_expiry)
        yield from _joined(timeline, "pipelined", _is_delete_and_write)


def early_expiries(module: ModuleUses) -> Iterator[Pair]:
    """EXPIREs, and the write that comes too late for them: it makes the key, or takes the lifetime away."""
    for timeline in timelines(module):
        for key, calls in timeline.by_key.items():
            for number, expiry in enumerate(calls):
                if is_expire(expiry) and expiry.result.use not in ("condition", "compared", "assigned"):
                    write = _comes_late(timeline, expiry, calls[:number], calls[number + 1 :])
                    if write is not None:
                        yield Pair(key, expiry, (write,))


def overwritten(module: ModuleUses, pair: Pair) -> bool:
    """Between its calls another one ends the key, makes it anew, or takes its lifetime away."""
    return any(
        (replaces(call) or ends(call))
        and pair.key in written(call)
        and can_follow(pair.first.place, call.place)
        and any(can_follow(call.place, second.place) for second in pair.seconds)
        for call in (*module.calls, *module.lent)
    )


def _is_write_and_expiry(first: Call, second: Call) -> bool:
    if not is_endless_write(first) or _lost(first, second):
        return False
    hash_too = first.facts is not None and first.facts.stored_as == "hash"
    return is_expire(second) or (hash_too and is_field_expire(second))


def _lost(claim: Call, second: Call) -> bool:
    """The second call stands where the claim failed, so that the key is somebody else's."""
    if not is_conditional_set(claim) or claim.result.use != "condition":
        return False
    return any(
        arm.kind == "if" and arm.line == claim.span.line and (arm.arm == 0) == claim.result.negated
        for arm in second.place.path
    )


def _is_delete_and_write(first: Call, second: Call) -> bool:
    deleted = first.facts is not None and first.facts.family == "delete"
    return deleted and (is_endless_write(second) or is_write_with_lifetime(second))


def _joined(timeline: Timeline, steps: Steps, related: Callable[[Call, Call], bool]) -> Iterator[Pair]:
    """The pairs of a timeline, one for each first call; of several writes before one EXPIRE, the first."""
    found: dict[tuple[str, int, int], Pair] = {}
    for key, calls in timeline.by_key.items():
        for number, second in enumerate(calls):
            firsts = [
                first
                for first in calls[:number]
                if related(first, second)
                and can_follow(first.place, second.place)
                and timeline.steps(first, second) == steps
                and not _settled(first, second, calls)
            ]
            for first in firsts:
                if any(can_follow(other.place, first.place) for other in firsts):
                    continue
                at = (first.path, first.span.line, first.span.column)
                known = found[at].seconds if at in found else ()
                if not any(can_follow(other.place, second.place) for other in known):
                    found[at] = Pair(key, first, (*known, second))
    yield from found.values()


def _settled(first: Call, second: Call, calls: tuple[Call, ...]) -> bool:
    """Something before or between them ends the key, or gives it its lifetime."""
    for other in calls:
        if other is first or other is second:
            continue
        gives = is_write_with_lifetime(other)
        settles = gives or ends(other) or is_expire(other)
        # only what one helper does shares its turn: there it is judged
        if settles and (other.place.order == first.place.order or surely_between(first, other, second)):
            return True
        if gives and not replaces(first) and always_precedes(other.place, first.place):
            return True
    return False


def _comes_late(
    timeline: Timeline, expiry: Call, before: tuple[Call, ...], after: tuple[Call, ...]
) -> Call | None:
    """The first write after an EXPIRE, if the EXPIRE was meant for it."""
    for write in after:
        if not can_follow(expiry.place, write.place):
            continue
        if not is_endless_write(write) or not always_follows(expiry.place, write.place):
            return None
        existed = any(can_follow(other.place, expiry.place) for other in before)
        mended = any(is_expire(other) and can_follow(write.place, other.place) for other in after)
        related = timeline.steps(expiry, write) in ("apart", "multi", "pipelined")
        return write if related and not existed and not mended else None
    return None
