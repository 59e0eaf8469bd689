"""Lines and columns are counted as Python counts them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redis_guard.finding import Span
from redis_guard.lines import Lines

sources = st.text(st.sampled_from("ab\n\r\f\v\t\x85\u2028鍵"), max_size=30)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\n\nb", ["a", "", "b"]),
        ("a\r\nb\rc\n", ["a", "b", "c"]),
        ("a\fb\x85c\u2028d\x1ce", ["a\fb\x85c\u2028d\x1ce"]),
    ],
)
def test_only_line_feeds_and_carriage_returns_end_a_line(text, lines):
    found = Lines.of(text)
    assert [found.line(number) for number in range(1, len(found) + 1)] == lines


@given(sources)
def test_every_place_of_a_line_is_the_offset_of_its_character(text):
    lines = Lines.of(text)
    for number in range(1, len(lines) + 1):
        for column, character in enumerate(lines.line(number), 1):
            assert text[lines.offset(number, column)] == character


@given(sources)
def test_lines_and_their_endings_make_up_the_text(text):
    lines = Lines.of(text)
    parts = [lines.slice(Span(n, 1, n + 1, 1)) for n in range(1, len(lines) + 1)]
    assert "".join(parts) == text


@pytest.mark.parametrize("place", [(0, 1), (1, 0), (1, 4), (3, 1), (2, 2), (9, 9)])
def test_a_place_outside_the_text_is_an_error(place):
    with pytest.raises(ValueError, match="has no line"):
        Lines.of("ab\r\n").offset(*place)


def test_the_start_of_the_line_after_the_last_is_the_end():
    assert Lines.of("ab\n").offset(2, 1) == 3
    assert Lines.of("ab").offset(2, 1) == 2
    assert Lines.of("").offset(1, 1) == 0


@pytest.mark.parametrize(
    ("text", "number", "ending"),
    [("a\r\nb\n", 1, "\r\n"), ("a\r\nb\n", 2, "\n"), ("a\r\nb", 2, "\r\n"), ("a", 1, "\n"), ("", 1, "\n")],
)
def test_a_line_without_ending_borrows_that_of_the_first(text, number, ending):
    assert Lines.of(text).ending(number) == ending
