"""One key is used with two types of value.

What: the same key, or the same template, is a string in one place and a hash, list, set … in another.
Why it hurts: whichever comes second fails with WRONGTYPE, or, if it is a SET, throws away what the other one kept.
Instead: give each its own key.
Fix: none; which of the two has to move is a decision.
"""

import re
from collections import defaultdict
from collections.abc import Iterator

from redis_guard.behaviour.telling import command_of, named
from redis_guard.project.keys import Key
from redis_guard.project.model import Call, ProjectUses
from redis_guard.registry import Registry
from redis_guard.rule import ERROR, Example, OfProject, Report, Rule, at

_MOVES = re.compile(r"migrat|convert|upgrade|legacy|cleanup", re.IGNORECASE)
_LEAST_TEXT = 3


def check(project: ProjectUses, registry: Registry) -> Iterator[Report]:
    uses: defaultdict[str, list[Call]] = defaultdict(list)
    asked: set[str] = set()
    for module in project.modules:
        if module.test:
            continue
        for call in module.calls:
            for key in call.keys:
                if not _says_what_it_is(key):
                    continue
                if call.command == "TYPE":
                    asked.add(key.template)
                elif _type(call) and not _MOVES.search(call.function.qualname):
                    uses[key.template].append(call)
    for template, calls in uses.items():
        first = calls[0]
        other = next((call for call in calls if _type(call) != _type(first)), None)
        if other is not None and template not in asked and not _apart(first, other):
            yield at(
                first,
                f"{named(first.key, registry)} is a {_type(first)} here ({command_of(first)}) and a {_type(other)} "
                f"elsewhere ({command_of(other)}): whichever comes second fails with WRONGTYPE; give each its own key",
                (other, f"a {_type(other)} here"),
            )


def _says_what_it_is(key: Key) -> bool:
    """It begins with text of its own; what begins with a variable may be anything."""
    head = key.pieces[0] if key.pieces else ""
    return isinstance(head, str) and len(head.strip(":/._- ")) >= _LEAST_TEXT


def _type(call: Call) -> str:
    """What the command takes the key for; empty where it takes any, or several keys of several types."""
    facts = call.facts
    if (
        facts is None
        or facts.value_type == "none"
        or len(call.keys) > 1
        or facts.family in ("delete", "expire")
    ):
        return ""
    return facts.stored_as


def _apart(first: Call, other: Call) -> bool:
    """They may speak to two servers: both clients are known, and they are not the same."""
    return bool(first.source and other.source) and first.type != other.type


RULE = Rule(
    code="RG606",
    name="type-clash",
    since="0.1.0",
    severity=ERROR,
    scope=OfProject(check),
    doc=__doc__,
    examples=(
        Example(
            bad='r.set("stats:today", "0", ex=60)\nr.hincrby("stats:today", "404", 1)',
            good='r.set("stats:today:total", "0", ex=60)\nr.hincrby("stats:today:codes", "404", 1)',
        ),
    ),
)
