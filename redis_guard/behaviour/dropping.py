"""Writes after which a key has no lifetime any more, although it was given one.

Law of this file: a lifetime that comes back in the same function was not dropped; nor is one that nobody gave.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from redis_guard.behaviour.families import FamilyOfKeys, families, speaks
from redis_guard.behaviour.timelines import timelines
from redis_guard.behaviour.writes import (
    is_conditional_set,
    is_endless_write,
    is_expire,
    is_write_with_lifetime,
    may_expire_by_script,
    replaces,
)
from redis_guard.project.flow import can_follow
from redis_guard.project.keys import Hole, Key
from redis_guard.project.model import Call, ModuleUses, ProjectUses

_TAKES_OUT = frozenset(
    "LPOP RPOP BLPOP BRPOP LMPOP SPOP SREM ZREM ZPOPMIN ZPOPMAX LREM LMOVE RPOPLPUSH".split()
)
"""After the last element the key is gone, and its lifetime with it."""
_PUTS_IN = frozenset("LPUSH RPUSH SADD ZADD".split())
_ANY_KEY = frozenset({"key", "k", "name", "cache_key", "redis_key", "full_key"})
"""What a wrapper that works on any key calls it."""

Calls = dict[Key, tuple[Call, ...]]


class Dropped(NamedTuple):
    """The lifetime of `key` that `given` gave is gone after `write`; `emptied` let it go before."""

    write: Call
    key: Key
    given: Call
    emptied: Call | None = None


class _Seen(NamedTuple):
    """What other functions do, by family of keys."""

    made: dict[FamilyOfKeys, list[Call]]
    """Calls that make a key in functions where it gets a lifetime."""
    emptied: dict[FamilyOfKeys, list[Call]]


def dropped(project: ProjectUses) -> Iterator[Dropped]:
    """Every write that drops a lifetime, once."""
    seen = _by_family(project)
    for module in project.modules:
        told: set[int] = set()
        for by_key in _runs(module):
            for key, calls in by_key.items():
                for write in calls:
                    found = None if id(write) in told else _of(write, key, by_key, seen)
                    if found is not None:
                        told.add(id(write))
                        yield found


def _of(write: Call, key: Key, by_key: Calls, seen: _Seen) -> Dropped | None:
    calls = by_key[key]
    if write.lent_by is not None or not _takes_over(write, key, by_key):
        return None
    if any(_gives(other) and can_follow(write.place, other.place) for other in calls):
        return None
    if before := _given_before(write, calls):
        return Dropped(write, key, before)
    if any(_gives(other) for other in calls):
        return None  # the other branch
    return _elsewhere(write, key, seen)


def _takes_over(write: Call, key: Key, by_key: Calls) -> bool:
    """The key has, afterwards, what this write brings along: no lifetime."""
    if write.facts is not None and write.facts.family == "rename":
        # the lifetime of the old name comes along, if it has one
        source, *rest = write.keys
        made = [call for call in by_key.get(source, ()) if can_follow(call.place, write.place)]
        return key in rest and any(map(is_endless_write, made)) and not any(map(_gives, by_key[source]))
    pushes = write.command in _PUTS_IN
    return is_endless_write(write) and not is_conditional_set(write) and (replaces(write) or pushes)


def _runs(module: ModuleUses) -> Iterator[Calls]:
    for timeline in timelines(module):
        yield dict(timeline.by_key)


def _gives(call: Call) -> bool:
    return is_expire(call) or is_write_with_lifetime(call) or may_expire_by_script(call)


def _given_before(write: Call, calls: tuple[Call, ...]) -> Call | None:
    """What gave the lifetime, earlier in the same function."""
    if write.command in _PUTS_IN:
        return None
    before = [call for call in calls if can_follow(call.place, write.place)]
    for turn, call in enumerate(before):
        # An EXPIRE of what nobody has made yet gives nothing.
        if _gives(call) and (is_write_with_lifetime(call) or any(not _gives(made) for made in before[:turn])):
            return call
    return None


def _elsewhere(write: Call, key: Key, seen: _Seen) -> Dropped | None:
    for family in families(write):
        if family.shape not in (key.shape, key.template):
            continue
        # Whoever makes it gives it a lifetime in the same breath; a function that only expires may come after this one.
        others = [call for call in seen.made.get(family, ()) if call.function != write.function]
        if write.command in _PUTS_IN:
            begun = next((call for call in others if call.command in _PUTS_IN), None)
            took = next(
                (call for call in seen.emptied.get(family, ()) if call.function != write.function), None
            )
            if begun is not None and took is not None:
                return Dropped(write, key, begun, took)
        elif speaks(key) and not _any_key(key) and others:
            return Dropped(write, key, others[0])
    return None


def _any_key(key: Key) -> bool:
    """Whoever calls says which key, and so which of two functions of a wrapper it is made with."""
    return any(isinstance(piece, Hole) and piece.name in _ANY_KEY for piece in key.pieces)


def _by_family(project: ProjectUses) -> _Seen:
    made: defaultdict[FamilyOfKeys, list[Call]] = defaultdict(list)
    emptied: defaultdict[FamilyOfKeys, list[Call]] = defaultdict(list)
    for module in project.modules:
        if module.test:
            continue
        for by_key in _runs(module):
            for calls in by_key.values():
                gives = any(_gives(call) for call in calls)
                for call in calls:
                    makes = gives and (is_write_with_lifetime(call) or is_endless_write(call))
                    into = emptied if call.command in _TAKES_OUT else made if makes else None
                    if into is not None:
                        for family in families(call):
                            into[family].append(call)
    return _Seen(dict(made), dict(emptied))
