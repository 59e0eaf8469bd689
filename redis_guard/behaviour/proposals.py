"""A registry entry for each group: what the code does today, as a first draft for people to review.

Law of this file: what is proposed loads. A key that would claim other people's keys is not proposed, of two that
overlap one is, and every guess is named in `review`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from redis_guard.behaviour.classify import Group
from redis_guard.behaviour.drafting import Names, draft_name, draft_template
from redis_guard.behaviour.durations import VARIABLE, lifetime_ms, lifetime_text
from redis_guard.behaviour.families import speaks
from redis_guard.behaviour.owning import NOBODY, Guess, OwnerNames
from redis_guard.behaviour.rivals import Accepted
from redis_guard.behaviour.terms import Behaviour
from redis_guard.project.model import Call
from redis_guard.registry import KeyTemplate, format_duration
from redis_guard.registry.durations import LONGEST_MS
from redis_guard.registry.use_cases import SHORTEST_LEASE_MS

_PRIMITIVES: dict[Behaviour, str] = {
    "lock-like": "lock",
    "claim-like": "claim",
    "counter-like": "counter",
    "signal-like": "signal",
}
_CLASSES: dict[Behaviour, str] = {
    "cache-like": "cache",
    "durable-like": "durable",
    "queue-like": "durable",
    "script": "coordination",
}
_TYPES = frozenset({"string", "hash", "list", "set", "zset", "stream"})
DEFAULT_TTL = "15m"


@dataclass(frozen=True, slots=True)
class Proposal:
    """One entry: `name` under `section`, its fields in the order of writing."""

    section: Literal["use_cases", "keyspaces"]
    name: str
    fields: tuple[tuple[str, str], ...]
    review: tuple[str, ...]
    """Fields that are guesses."""
    contact: str = ""
    """How CODEOWNERS writes the owner; empty for one that is not known."""


@dataclass(frozen=True, slots=True)
class _Draft:
    """What a group could be registered as."""

    number: int
    group: Group
    template: KeyTemplate
    primitive: str | None

    @property
    def rank(self) -> tuple[bool, int, int, int]:
        """The lowest is proposed where two overlap: coordination, then what covers more keys, then more calls."""
        return self.primitive is None, -len(self.template.placeholders), -len(self.group.calls), self.number


def propose(groups: Sequence[Group], owners: Sequence[Guess] = ()) -> tuple[Proposal | None, ...]:
    """A proposal for each group, None where there is nothing to register; names are unique.

    `owners` are the groups' owners; only what CODEOWNERS says is proposed.
    """
    drafts = [draft for number, group in enumerate(groups) if (draft := _draft(number, group)) is not None]
    accepted = Accepted()
    kept = {
        draft.number: draft
        for draft in sorted(drafts, key=lambda draft: draft.rank)
        if accepted.take(draft.template, draft.primitive)
    }
    names, owner_names = Names(), OwnerNames()
    found: list[Proposal | None] = [None] * len(groups)
    for number, draft in sorted(kept.items()):
        guess = owners[number] if owners else Guess(NOBODY, "nothing")
        owner, contact = owner_names.of(guess)
        propose_one = _keyspace if draft.primitive is None else _use_case
        found[number] = propose_one(draft, owner, contact, names)
    return tuple(found)


def _draft(number: int, group: Group) -> _Draft | None:
    """None for what only tests use, and for keys that are not known by their beginning."""
    key = group.key
    primitive = _PRIMITIVES.get(group.behaviour)
    if key is None or not group.product or not speaks(key) or not isinstance(key.pieces[0], str):
        return None
    if primitive is None and group.behaviour not in _CLASSES:
        return None
    template = draft_template(key, primitive is not None)
    return None if template is None else _Draft(number, group, template, primitive)


def _use_case(draft: _Draft, owner: str, contact: str, names: Names) -> Proposal:
    fields = [("primitive", draft.primitive or ""), ("owner", owner)]
    review = ["primitive", "owner", "failure", "description"]
    if draft.primitive != "signal":
        lifetimes = _milliseconds(draft.group)
        if draft.primitive == "lock":
            lifetimes = {found for found in lifetimes if found >= SHORTEST_LEASE_MS}
        fields.append(("ttl", format_duration(max(lifetimes)) if lifetimes else DEFAULT_TTL))
        if len(lifetimes) != 1 or _varies(draft.group):
            review.append("ttl")
    fields += [("failure", "closed"), ("description", _description(draft.group.product[0]))]
    fields.append(("channel" if draft.primitive == "signal" else "key", draft.template.text))
    return Proposal("use_cases", draft_name(draft.template, names), tuple(fields), tuple(review), contact)


def _keyspace(draft: _Draft, owner: str, contact: str, names: Names) -> Proposal:
    group, lifetimes = draft.group, _milliseconds(draft.group)
    fields = [("class", _CLASSES[group.behaviour]), ("owner", owner)]
    review = ["class", "owner", "description"]
    if group.behaviour == "cache-like" and lifetimes and not _varies(group):
        ends = dict.fromkeys([format_duration(min(lifetimes)), format_duration(max(lifetimes))])
        fields.append(("ttl", "..".join(ends)))
    elif group.behaviour in ("cache-like", "script") or lifetimes or _varies(group):
        fields.append(("ttl", "required"))
    else:
        fields += [("ttl", "none"), ("reason", "The code gives it no lifetime today")]
        review += ["ttl", "reason"]
    if group.behaviour == "script":
        review.append("ttl")
    types = {call.facts.stored_as for call in group.product if call.facts is not None} & _TYPES
    if len(types) == 1:
        fields.append(("type", next(iter(types))))
    fields.append(("description", _description(group.product[0])))
    return Proposal("keyspaces", draft.template.text, tuple(fields), tuple(review), contact)


def _milliseconds(group: Group) -> set[int]:
    return {found for call in group.product if (found := lifetime_ms(call)) and 0 < found <= LONGEST_MS}


def _varies(group: Group) -> bool:
    return any(lifetime_text(call) == VARIABLE for call in group.product)


def _description(first: Call) -> str:
    where = f"{first.function.qualname} of {first.path}" if first.function.qualname else first.path
    return f"Found in {where}"
