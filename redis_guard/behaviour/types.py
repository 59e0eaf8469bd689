"""Which type of value a call takes its key for, and which two calls cannot both be right.

Law of this file: a clash is two calls that may meet on one key of one server, with nothing in sight that settles it.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations, islice, product
from typing import NamedTuple

from redis_guard.behaviour.families import speaks
from redis_guard.behaviour.servers import Servers
from redis_guard.behaviour.writes import ends
from redis_guard.project.flow import can_follow
from redis_guard.project.keys import Hole, Key
from redis_guard.project.model import Call, ProjectUses

_MOVES = re.compile(r"migrat|convert|upgrade|legacy|cleanup", re.IGNORECASE)
_HANDLED = frozenset({"ResponseError"})
"""WRONGTYPE arrives as this."""
_SAYS_NOTHING = frozenset({"id", "pk", "uid", "uuid", "key", "name", "value", "i", "k", "n", "x"})
_MOST_PAIRS = 200
"""Of one template and two types: more are not looked at."""


class Clash(NamedTuple):
    """Two calls that take one key for two types, in the order of the project."""

    first: Call
    key: Key
    second: Call
    other: Key


def type_of(call: Call) -> str:
    """What the command takes its key for; empty where it takes any, or several keys of several types."""
    facts = call.facts
    if facts is None or facts.value_type == "none" or len(call.keys) != 1:
        return ""
    return "" if facts.family in ("delete", "expire") else facts.stored_as


def clashes(project: ProjectUses) -> Iterator[Clash]:
    """One for each template and pair of types."""
    uses: defaultdict[str, defaultdict[str, list[Call]]] = defaultdict(lambda: defaultdict(list))
    ended: defaultdict[str, list[Call]] = defaultdict(list)
    asked: set[str] = set()
    for module in project.modules:
        for call in () if module.test else module.calls:
            for key in filter(_says_what_it_is, call.keys):
                if call.command == "TYPE":
                    asked.add(key.shape)
                if ends(call):
                    ended[key.shape].append(call)
                if (taken := type_of(call)) and not _MOVES.search(call.function.qualname):
                    uses[key.shape][taken].append(call)
    servers = Servers(project)
    for shape, by_type in uses.items():
        for one, two in combinations(by_type, 2) if shape not in asked else ():
            pairs = islice(product(by_type[one], by_type[two]), _MOST_PAIRS)
            found = next((clash for a, b in pairs if (clash := _clash(a, b, ended[shape], servers))), None)
            if found is not None:
                yield found


def _clash(first: Call, second: Call, ended: list[Call], servers: Servers) -> Clash | None:
    key, other = first.keys[0], second.keys[0]
    if not _one_family(key, other) or servers.differ(first, second):
        return None
    if (first.caught | second.caught) & _HANDLED:
        return None
    if first.function == second.function:
        early, late = sorted((first, second), key=lambda call: call.place.order)
        if not can_follow(early.place, late.place):
            return None  # two branches
        if any(can_follow(early.place, end.place) and can_follow(end.place, late.place) for end in ended):
            return None
        if key != other:
            return None
    return Clash(first, key, second, other)


def _says_what_it_is(key: Key) -> bool:
    """It begins with text of its own; what begins with a variable may be anything."""
    return bool(key.pieces) and isinstance(key.pieces[0], str) and speaks(Key(key.pieces[:1]))


def _one_family(key: Key, other: Key) -> bool:
    """Their holes speak of the same things: `user:{id}` and `user:{email}` need not meet."""
    return all(
        _alike(one.name, two.name)
        for one, two in zip(key.pieces, other.pieces, strict=False)
        if isinstance(one, Hole) and isinstance(two, Hole)
    )


def _alike(one: str, two: str) -> bool:
    ours, theirs = (set(re.split(r"\W|_", name.lower())) for name in (one, two))
    return one == two or not ours.isdisjoint(theirs - _SAYS_NOTHING)
