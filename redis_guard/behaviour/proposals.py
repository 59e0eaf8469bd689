"""A registry entry for each group: what the code does today, as a first draft for people to review.

Law of this file: what is proposed loads. A key that would claim other people's keys is not proposed, and
every guess is named in `review`.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from redis_guard.behaviour.classify import Group
from redis_guard.behaviour.durations import VARIABLE, lifetime_ms
from redis_guard.behaviour.families import speaks
from redis_guard.behaviour.terms import Behaviour
from redis_guard.project.keys import Hole, Key
from redis_guard.registry import KeyTemplate, TemplateError, format_duration
from redis_guard.registry.durations import LONGEST_MS

_PRIMITIVES: dict[Behaviour, str] = {
    "lock-like": "lock",
    "claim-like": "claim",
    "counter-like": "counter",
    "signal-like": "signal",
}
_CLASSES: dict[Behaviour, str] = {"cache-like": "cache", "durable-like": "durable", "queue-like": "durable"}
_TYPES = frozenset({"string", "hash", "list", "set", "zset", "stream"})
DEFAULT_TTL = "15m"
LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Proposal:
    """One entry: `name` under `section`, its fields in the order of writing."""

    section: Literal["use_cases", "keyspaces"]
    name: str
    fields: tuple[tuple[str, str], ...]
    review: tuple[str, ...]
    """Fields that are guesses."""


def propose(groups: Iterable[Group], owner: str = "unowned") -> tuple[Proposal | None, ...]:
    """A proposal for each group, None where there is nothing to register; names are unique."""
    found: list[Proposal | None] = []
    taken: set[str] = set()
    for group in groups:
        proposal = _proposal(group, owner, taken)
        if proposal is not None:
            taken.add(proposal.name)
        found.append(proposal)
    return tuple(found)


def _proposal(group: Group, owner: str, taken: set[str]) -> Proposal | None:
    key = group.key
    if key is None or not speaks(key) or not isinstance(key.pieces[0], str):
        return None
    template = _template(key)
    if template is None:
        return None
    if (primitive := _PRIMITIVES.get(group.behaviour)) is not None:
        return _use_case(group, primitive, template, owner, taken)
    if group.behaviour in _CLASSES and template not in taken:
        return _keyspace(group, template, owner)
    return None


def _use_case(group: Group, primitive: str, template: str, owner: str, taken: set[str]) -> Proposal:
    fields = [("primitive", primitive), ("owner", owner)]
    review = ["owner", "failure", "description"]
    if primitive != "signal":
        lifetimes = _milliseconds(group)
        fields.append(("ttl", format_duration(max(lifetimes)) if lifetimes else DEFAULT_TTL))
        if len(lifetimes) != 1 or VARIABLE in group.lifetimes:
            review.append("ttl")
    fields += [("failure", "closed"), ("description", _description(group))]
    fields.append(("channel" if primitive == "signal" else "key", template))
    return Proposal("use_cases", _name(template, taken), tuple(fields), tuple(review))


def _keyspace(group: Group, template: str, owner: str) -> Proposal:
    lifetimes = _milliseconds(group)
    fields = [("class", _CLASSES[group.behaviour]), ("owner", owner)]
    review = ["class", "owner", "description"]
    if group.behaviour == "cache-like":
        if not lifetimes or VARIABLE in group.lifetimes:
            fields.append(("ttl", "required"))
        else:
            ends = dict.fromkeys([format_duration(min(lifetimes)), format_duration(max(lifetimes))])
            fields.append(("ttl", "..".join(ends)))
    elif lifetimes or VARIABLE in group.lifetimes:
        fields.append(("ttl", "required"))
    else:
        fields += [("ttl", "none"), ("reason", "The code gives it no lifetime today")]
        review.append("ttl")
    types = {call.facts.stored_as for call in group.calls if call.facts is not None} & _TYPES
    if len(types) == 1:
        fields.append(("type", next(iter(types))))
    fields.append(("description", _description(group)))
    return Proposal("keyspaces", template, tuple(fields), tuple(review))


def _milliseconds(group: Group) -> set[int]:
    return {found for call in group.calls if (found := lifetime_ms(call)) and 0 < found <= LONGEST_MS}


def _description(group: Group) -> str:
    first = group.calls[0]
    where = f"{first.function.qualname} of {first.path}" if first.function.qualname else first.path
    return f"Found in {where}"


def _template(key: Key) -> str | None:
    """The key as the registry writes it; None where the registry could not read it."""
    parts: list[str] = []
    names: set[str] = set()
    for number, piece in enumerate(key.pieces):
        if isinstance(piece, str):
            parts.append(piece.replace("{", "{{").replace("}", "}}"))
        elif number == 0 or not isinstance(key.pieces[number - 1], Hole):
            parts.append("{" + _placeholder(piece.name, names) + "}")
    text = "".join(parts)
    try:
        KeyTemplate.parse(text)
    except TemplateError:
        return None
    return text


def _placeholder(written: str, names: set[str]) -> str:
    words = re.findall(r"[A-Za-z_][A-Za-z0-9_]*", written)
    return _free(words[-1] if words else "id", names)


def _name(template: str, taken: set[str]) -> str:
    literal = re.sub(r"\{[^{}]*\}", " ", template)
    name = "_".join(re.findall(r"[a-z0-9]+", literal.lower()))[:LONGEST_NAME].rstrip("_")
    return _free(name if name[:1].isalpha() else f"key_{name}".rstrip("_"), set(taken))


def _free(wanted: str, taken: set[str]) -> str:
    """`wanted`, or with the first number that makes it new; it is taken then."""
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted}_{number}", number + 1
    taken.add(name)
    return name
