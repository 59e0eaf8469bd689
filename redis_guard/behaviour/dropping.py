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
from redis_guard.project.keys import Key
from redis_guard.project.model import Call, ModuleUses, ProjectUses

_TAKES_OUT = frozenset(
    "LPOP RPOP BLPOP BRPOP LMPOP SPOP SREM ZREM ZPOPMIN ZPOPMAX LREM LMOVE RPOPLPUSH".split()
)
"""After the last element the key is gone, and its lifetime with it."""
_PUTS_IN = frozenset("LPUSH RPUSH SADD ZADD".split())


class Dropped(NamedTuple):
    """The lifetime that `given` gave is gone after `write`; `emptied` is what made it go before, if that was needed."""

    write: Call
    given: Call
    emptied: Call | None = None


def dropped(project: ProjectUses) -> Iterator[Dropped]:
    """Every write that drops a lifetime."""
    given, emptied = _by_family(project)
    for module in project.modules:
        if module.test:
            continue
        for key, calls in _runs(module):
            for write in calls:
                if write.lent_by is not None or any(
                    _gives(other) and can_follow(write.place, other.place) for other in calls
                ):
                    continue
                if before := _cleared(write, calls):
                    yield Dropped(write, before)
                elif found := _elsewhere(write, key, given, emptied):
                    yield found


def _runs(module: ModuleUses) -> Iterator[tuple[Key, tuple[Call, ...]]]:
    for timeline in timelines(module):
        yield from timeline.by_key.items()


def _gives(call: Call) -> bool:
    return is_expire(call) or is_write_with_lifetime(call) or may_expire_by_script(call)


def _cleared(write: Call, calls: tuple[Call, ...]) -> Call | None:
    """What gave the lifetime, earlier in the same function."""
    if not replaces(write) or not is_endless_write(write) or is_conditional_set(write):
        return None
    before = [call for call in calls if can_follow(call.place, write.place)]
    for turn, call in enumerate(before):
        # An EXPIRE of what nobody has made yet gives nothing.
        if _gives(call) and (is_write_with_lifetime(call) or any(not _gives(made) for made in before[:turn])):
            return call
    return None


def _elsewhere(
    write: Call, key: Key, given: dict[FamilyOfKeys, list[Call]], emptied: dict[FamilyOfKeys, list[Call]]
) -> Dropped | None:
    if not is_endless_write(write):
        return None
    for family in families(write):
        others = [call for call in given.get(family, ()) if call.function.scope != write.function.scope]
        if write.command == "GETSET" and speaks(key) and others:
            return Dropped(write, others[0])
        # Whoever fills it gives it a lifetime in the same breath; a function that only expires may come after this one.
        begun = next((call for call in others if call.command in _PUTS_IN), None)
        took = next((call for call in emptied.get(family, ()) if call.function != write.function), None)
        if write.command in _PUTS_IN and took is not None and begun is not None:
            return Dropped(write, begun, took)
    return None


def _by_family(
    project: ProjectUses,
) -> tuple[dict[FamilyOfKeys, list[Call]], dict[FamilyOfKeys, list[Call]]]:
    """What gives lifetimes, with the writes that make the key in the same function; and what takes elements out."""
    given: defaultdict[FamilyOfKeys, list[Call]] = defaultdict(list)
    emptied: defaultdict[FamilyOfKeys, list[Call]] = defaultdict(list)
    for module in project.modules:
        for _, calls in () if module.test else _runs(module):
            gives = any(_gives(call) for call in calls)
            for call in calls:
                into = emptied if call.command in _TAKES_OUT else given if gives else None
                if into is not None:
                    for family in families(call):
                        into[family].append(call)
    return given, emptied
