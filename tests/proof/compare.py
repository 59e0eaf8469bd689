"""Where two observations differ.

Law of this file: an aspect that is not compared is one that the caller named; how the commands were sent is none.
"""

from collections.abc import Iterator
from typing import Any, Literal

from tests.proof.keyspace import Place
from tests.proof.observe import Observation

Aspect = Literal["outcome", "calls", "value", "lifetime", "published"]
ASPECTS: frozenset[Aspect] = frozenset(("outcome", "calls", "value", "lifetime", "published"))

_SLACK_MS = 5
"""What rounding of clocks and lifetimes to whole ms may make of one moment."""


def differences(
    original: Observation,
    fixed: Observation,
    aspects: frozenset[Aspect] = ASPECTS,
    *,
    unordered: bool = False,
) -> list[str]:
    """One sentence for each difference; `unordered`: in what order a result or the calls come does not matter."""
    return list(_differences(original, fixed, aspects, unordered))


def _differences(
    original: Observation, fixed: Observation, aspects: frozenset[Aspect], unordered: bool
) -> Iterator[str]:
    told = _sorted if unordered else _as_it_is
    if "outcome" in aspects:
        if original.outcome.how != fixed.outcome.how or told(original.outcome.what) != told(
            fixed.outcome.what
        ):
            yield f"outcome: {original.outcome.how} {original.outcome.what} / {fixed.outcome.how} {fixed.outcome.what}"
    if "calls" in aspects and told(original.calls) != told(fixed.calls):
        yield f"calls: {original.calls} / {fixed.calls}"
    if "published" in aspects and original.published != fixed.published:
        yield f"published: {original.published} / {fixed.published}"
    for place in sorted(original.after.keys() | fixed.after.keys()):
        yield from _in_entries(original, fixed, place, aspects)


def _in_entries(
    original: Observation, fixed: Observation, place: Place, aspects: frozenset[Aspect]
) -> Iterator[str]:
    ours, theirs = original.after.get(place), fixed.after.get(place)
    if ours is None or theirs is None:
        if "value" in aspects:
            yield f"{_name(place)}: {_there(ours)} / {_there(theirs)}"
        return
    if "value" in aspects and ours.content != theirs.content:
        yield f"{_name(place)}: {ours.content} / {theirs.content}"
    if "lifetime" in aspects and not same_lifetime(original, fixed, place):
        yield f"lifetime of {_name(place)}: {told_lifetime(original, place)} / {told_lifetime(fixed, place)}"


def same_lifetime(one: Observation, other: Observation, place: Place) -> bool:
    """Given for as long, or up to the same moment, as far as the length of the two runs lets that be seen."""
    ours, theirs = one.after[place], other.after[place]
    if ours.deadline is None or theirs.deadline is None:
        return ours.deadline is theirs.deadline
    if abs(ours.deadline - theirs.deadline) <= _SLACK_MS:
        return True
    (least, most), (their_least, their_most) = _given(one, place), _given(other, place)
    return least <= their_most + _SLACK_MS and their_least <= most + _SLACK_MS


def told_lifetime(observation: Observation, place: Place) -> str:
    if observation.after[place].deadline is None:
        return "none"
    return "{} to {} ms".format(*_given(observation, place))


def _given(observation: Observation, place: Place) -> tuple[int, int]:
    given = observation.lifetime(observation.after[place])
    assert given is not None
    return given


def _name(place: Place) -> str:
    database, key = place
    return f"key {key!r}" + (f" of database {database}" if database else "")


def _there(entry: object) -> str:
    return "absent" if entry is None else "there"


def _as_it_is(value: Any) -> Any:
    return value


def _sorted(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(sorted((_sorted(item) for item in value), key=repr))
    return value
