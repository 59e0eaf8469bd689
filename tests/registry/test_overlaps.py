"""Which entries are compared at all: the answer must be that of comparing every pair."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from redis_guard.registry import Keyspace, KeyTemplate, Place
from redis_guard.registry.intersection import common_text, steps_of
from redis_guard.registry.overlaps import overlapping_keys

KEYS = [
    "a",
    "a:b",
    "a:{x}",
    "a:{x}:b",
    "a:{rest*}",
    "ab:{x}",
    "a{x}",
    "{x}",
    "{x}:b",
    "{x}:{y}",
    "b:{x}",
    "b",
]


def space(index: int, key: str) -> Keyspace:
    return Keyspace(
        key=KeyTemplate.parse(key),
        key_class="cache",
        owner="web",
        description="Things",
        ttl="required",
        reason="",
        type=None,
        jitter_ms=None,
        instance="default",
        place=Place("redis_guard.yaml", index, 1),
    )


def meet(one: Keyspace, other: Keyspace) -> bool:
    return common_text(steps_of(one.key.parts), steps_of(other.key.parts)) is not None


@given(st.lists(st.sampled_from(KEYS)))
def test_no_pair_that_can_meet_is_overlooked(keys: list[str]) -> None:
    spaces = [space(index, key) for index, key in enumerate(keys)]
    expected = {
        (one.place.line, other.place.line) for one, other in combinations(spaces, 2) if meet(one, other)
    }
    found = overlapping_keys(spaces)
    assert len(found) == len(expected)
    assert {problem.line for problem in found} == {later for _, later in expected}
