"""Writes that make a key which nothing in sight ever gives a lifetime.

Law of this file: a lifetime is in sight if it can reach the same key: later in the function, or in another
function that speaks of the same key or of the same family of keys.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from redis_guard.behaviour.timelines import timelines
from redis_guard.behaviour.writes import (
    is_endless_write,
    is_expire,
    is_field_expire,
    is_write_with_lifetime,
    may_expire_by_script,
    replaces,
    written,
)
from redis_guard.finding import Span
from redis_guard.project.flow import can_follow, innermost_loop
from redis_guard.project.keys import Key
from redis_guard.project.model import Call, ModuleUses, ProjectUses


@dataclass(frozen=True, slots=True)
class Sightings:
    """In which functions (path, scope) keys get a lifetime, by key and by shape of key."""

    expired: dict[Key | str, frozenset[tuple[str, int]]]
    """By EXPIRE, or by a script that may."""
    made: dict[Key | str, frozenset[tuple[str, int]]]
    """By the write that makes them."""


def endless_writes(project: ProjectUses) -> Iterator[tuple[Call, Key | None]]:
    """Every write that makes a key for ever, with the first key of which that is true; None for unseen keys."""
    sightings = _sightings(project)
    helped = _mended_by_callers(project)
    for module in project.modules:
        together = _together(module)
        for call in module.calls:
            if not is_endless_write(call) or (call.path, call.span) in helped:
                continue
            keys = written(call)
            lost = [
                key
                for key in keys
                if not _here(call, together[key, call.function.scope])
                and not _elsewhere(call, key, sightings)
            ]
            if lost or not keys:
                yield call, lost[0] if lost else None


def _together(module: ModuleUses) -> dict[tuple[Key, int], tuple[Call, ...]]:
    """The calls on a key, by key and function."""
    return {
        (key, calls[0].function.scope): calls
        for timeline in timelines(module)
        for key, calls in timeline.by_key.items()
    }


def _mended_by_callers(project: ProjectUses) -> frozenset[tuple[str, Span]]:
    """Writes of helpers whose keys get a lifetime in a function that calls the helper."""
    found: set[tuple[str, Span]] = set()
    for module in project.modules:
        together = _together(module) if module.lent else {}
        for call in module.lent:
            if call.lent_by is None or not is_endless_write(call):
                continue
            if any(_here(call, together[key, call.function.scope]) for key in written(call)):
                found.add((call.lent_by.path, call.lent_by.span))
    return frozenset(found)


def _expires(call: Call) -> bool:
    return is_expire(call) or is_field_expire(call) or may_expire_by_script(call)


def _here(write: Call, calls: tuple[Call, ...]) -> bool:
    for other in calls:
        later = can_follow(write.place, other.place)
        loop = innermost_loop(write.place)
        if _expires(other) and (later or (loop is not None and loop == innermost_loop(other.place))):
            return True
        if is_write_with_lifetime(other) and (
            later or (not replaces(write) and can_follow(other.place, write.place))
        ):
            return True
    return False


def _elsewhere(write: Call, key: Key, sightings: Sightings) -> bool:
    own = {(write.path, write.function.scope)}
    names = _names(key)
    if any(sightings.expired.get(name, own) - own for name in names):
        return True
    # a SET takes away the lifetime that another function's SET gave; INCR and HSET keep it
    return not replaces(write) and any(sightings.made.get(name, own) - own for name in names)


def _sightings(project: ProjectUses) -> Sightings:
    expired: defaultdict[Key | str, set[tuple[str, int]]] = defaultdict(set)
    made: defaultdict[Key | str, set[tuple[str, int]]] = defaultdict(set)
    for module in project.modules:
        for call in module.calls:
            found = expired if _expires(call) else made if is_write_with_lifetime(call) else None
            if found is not None:
                for key in written(call):
                    for name in _names(key):
                        found[name].add((call.path, call.function.scope))
    return Sightings(
        {name: frozenset(places) for name, places in expired.items()},
        {name: frozenset(places) for name, places in made.items()},
    )


def _names(key: Key) -> tuple[Key | str, ...]:
    """The key itself, and its shape if that says enough to mean one family."""
    return (key, key.shape) if key.alike(key) else (key,)
