"""Overlap: can two templates produce one key?"""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redis_guard.registry import KeyTemplate
from redis_guard.registry.intersection import common_text, steps_of


@st.composite
def short_templates(draw: st.DrawFn) -> KeyTemplate:
    """At most four parts of one or two characters, so that every short key can be tried."""
    count = draw(st.integers(1, 4))
    hole_first = draw(st.booleans())
    parts = [
        f"{{h{index}}}" if (index % 2 == 0) == hole_first else draw(st.text("a:", min_size=1, max_size=2))
        for index in range(count)
    ]
    if parts[-1].startswith("{") and draw(st.booleans()):
        parts[-1] = "{rest*}"
    return KeyTemplate.parse("".join(parts))


def overlap(one: KeyTemplate, other: KeyTemplate) -> str | None:
    return common_text(steps_of(one.parts), steps_of(other.parts))


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        ("user:{id}", "user:{name}", True),
        ("user:{id}", "user:admin", True),
        ("user:{id}", "user:{id}:name", False),
        ("user:{rest*}", "user:{id}:name", True),
        ("user:{id}", "users:{id}", False),
        ("{tenant}:{id}", "session:{id}", True),
        ("{tenant}:{id}", "session:{a}:{b}", False),
        ("a{x}", "{y}b", True),
        ("a{x}", "a", False),
        ("{x}-{y}", "{z}", True),
        ("{{t}}:{id}", "{t}:{id}", True),
        ("{rest*}", "anything", True),
        ("a:{x}:c", "a:b:{y}", True),
        ("a:{x}:c", "a:b:{y}:d", False),
    ],
)
def test_two_templates_overlap_when_some_key_fits_both(one: str, other: str, both: bool) -> None:
    text = overlap(KeyTemplate.parse(one), KeyTemplate.parse(other))
    assert (text is not None) == both


@given(short_templates(), short_templates())
def test_overlap_is_symmetric_and_its_example_fits_both(one: KeyTemplate, other: KeyTemplate) -> None:
    there, back = overlap(one, other), overlap(other, one)
    assert (there is None) == (back is None)
    for text in (there, back):
        assert text is None or (one.match(text) is not None and other.match(text) is not None)


@given(short_templates())
def test_every_template_overlaps_itself(template: KeyTemplate) -> None:
    assert overlap(template, template) is not None


@settings(max_examples=60, deadline=None)
@given(short_templates(), short_templates())
def test_overlap_agrees_with_trying_every_short_key(one: KeyTemplate, other: KeyTemplate) -> None:
    # "b" stands for all that no literal holds. Where they overlap, the example alone is proof.
    shared = (
        key
        for size in range(1, 8)
        for key in map("".join, product("a:b", repeat=size))
        if one.match(key) is not None and other.match(key) is not None
    )
    example = overlap(one, other)
    if example is None:
        assert next(shared, None) is None
    else:
        assert one.match(example) is not None
        assert other.match(example) is not None


def test_two_long_templates_full_of_holes_are_compared_in_bounded_time() -> None:
    one = KeyTemplate.parse("".join(f"{{h{index}}}a" for index in range(70)))
    other = KeyTemplate.parse("".join(f"{{h{index}}}b" for index in range(70)))
    assert overlap(one, other) is None
