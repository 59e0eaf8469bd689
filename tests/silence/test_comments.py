"""How allow comments are read."""

import pytest

from redis_guard.finding import Comment
from redis_guard.silence.comments import Allow, Malformed, parse


def read(text, names):
    return list(parse(Comment(1, 1, text, own_line=True), names))


WELL_FORMED = {
    "# redis-guard: allow[RG101] the pool is warmed here": (("RG101",), "the pool is warmed here"),
    "#redis-guard:allow[RG101] one two three": (("RG101",), "one two three"),
    "# Redis-Guard: Allow [RG101] one two three": (("RG101",), "one two three"),
    "# redis-guard: allow[RG101, missing-ttl, RG2] one two three": (
        ("RG101", "missing-ttl", "RG2"),
        "one two three",
    ),
    "# redis-guard: allow[RG101 RG102,] one two three": (("RG101", "RG102"), "one two three"),
    "# redis-guard: allow[RG101,RG101] one two three": (("RG101",), "one two three"),
    "# redis-guard: allow[RG101]: one two three.": (("RG101",), "one two three."),
    "# redis-guard: allow[RG101] -- one two three": (("RG101",), "one two three"),
    "# redis-guard: allow[RG101]": (("RG101",), ""),
    "# fetch it  # redis-guard: allow[RG101] one two three": (("RG101",), "one two three"),
    "# redis-guard: allow[RG101] see issue #12 of ours": (("RG101",), "see issue #12 of ours"),
    "# redis-guard: allow[RG101] one two three  # noqa: E501": (("RG101",), "one two three"),
    "# redis-guard: allow[RG101] one two three  # type: ignore": (("RG101",), "one two three"),
    "# redis-guard: allow[RG101] a list [of] words": (("RG101",), "a list [of] words"),
}


@pytest.mark.parametrize("text", WELL_FORMED)
def test_an_allow_has_selectors_and_a_reason(text, names):
    (allow,) = read(text, names)
    assert isinstance(allow, Allow)
    assert (allow.selectors, allow.reason) == WELL_FORMED[text]


def test_one_comment_may_hold_several_allows(names):
    first, second = read(
        "# redis-guard: allow[RG101] one two three  # redis-guard: allow[RG401] four five six", names
    )
    assert (first.selectors, first.reason) == (("RG101",), "one two three")
    assert (second.selectors, second.reason) == (("RG401",), "four five six")


def test_an_allow_knows_its_place_in_the_comment(names):
    text = "# note  # redis-guard: allow[RG101] one two three  # noqa"
    (allow,) = read(text, names)
    assert text[allow.start : allow.end] == "# redis-guard: allow[RG101] one two three"
    assert text[slice(*allow.brackets)] == "RG101"


PROSE = (
    "# redis-guard is run by the hook",
    "# see redis-guard",
    "# the redis guard: it stands at the door",
    "# my-redis-guard: allow",
    "# noqa: RG101",
    "# allow[RG101] one two three",
)


@pytest.mark.parametrize("text", PROSE)
def test_prose_about_the_tool_is_left_alone(text, names):
    assert read(text, names) == []


MALFORMED = {
    "# redis-guard: alow[RG101] one two three": ("does not understand", "allow[RG101]"),
    "# redis-guard: ignore": ("does not understand", "allow[RG101]"),
    "# redis-guard: disable=RG401": ("does not understand", "allow[RG401]"),
    "# redis-guard: allow RG401 one two three": ("does not understand", "allow[RG401]"),
    "# redis-guard: allow(missing-ttl) one two three": ("does not understand", "allow[missing-ttl]"),
    "# redis-guard: allow[RG401 one two three": ("never closed", "allow[RG401]"),
    "# redis-guard: allow[] one two three": ("names no rule", "allow[RG101]"),
    "# redis-guard allow[RG401] one two three": ("does not understand", "allow[RG401]"),
    "# redis_guard: allow[RG401] one two three": ("does not understand", "# redis-guard: allow[RG401]"),
    "# redisguard: allow[RG401] one two three": ("does not understand", "# redis-guard: allow[RG401]"),
    "# redis-guard:": ("does not understand", "allow[RG101]"),
}


@pytest.mark.parametrize("text", MALFORMED)
def test_a_comment_for_the_tool_that_is_no_allow_is_answered_with_the_right_shape(text, names):
    (found,) = read(text, names)
    assert isinstance(found, Malformed)
    for part in (*MALFORMED[text], "silences nothing"):
        assert part in found.message
