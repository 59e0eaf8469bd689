"""Edits change what they name and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redis_guard.finding import Edit, Span
from redis_guard.fixes.edits import EditError, apply_edits
from redis_guard.lines import Lines

sources = st.text(st.sampled_from("ab \t\r\n\f\x85鍵"), max_size=40)


def place(lines, offset):
    """The line and column of an offset; inside a line ending there is none."""
    for number in range(len(lines), 0, -1):
        if lines.starts[number - 1] <= offset <= lines.stops[number - 1]:
            return number, offset - lines.starts[number - 1] + 1
    return (len(lines) + 1, 1) if offset == len(lines.text) else None


@given(st.data(), sources)
def test_edits_at_any_places_equal_the_same_cuts_of_the_text(data, text):
    lines = Lines.of(text)
    offsets = [offset for offset in range(len(text) + 1) if place(lines, offset)]
    cuts = sorted(data.draw(st.lists(st.sampled_from(offsets), unique=True, max_size=8)))
    pairs = list(zip(cuts[::2], cuts[1::2], strict=False))
    edits = [Edit(Span(*place(lines, start), *place(lines, end)), f"<{start}>") for start, end in pairs]
    expected, done = "", 0
    for start, end in pairs:
        expected += text[done:start] + f"<{start}>"
        done = end
    assert apply_edits(text, data.draw(st.permutations(edits))) == expected + text[done:]


@given(sources)
def test_no_edits_leave_the_text_as_it_is(text):
    assert apply_edits(text, []) == text


def test_insertions_at_one_place_keep_their_order():
    here = Span(1, 2, 1, 2)
    assert apply_edits("ab", [Edit(here, "1"), Edit(here, "2")]) == "a12b"


def test_an_insertion_may_touch_a_replacement():
    edits = [Edit(Span(1, 1, 1, 2), "A"), Edit(Span(1, 2, 1, 2), "-"), Edit(Span(1, 2, 1, 3), "B")]
    assert apply_edits("ab", edits) == "A-B"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Span(1, 1, 1, 3), Span(1, 2, 1, 4)),
        (Span(1, 1, 1, 4), Span(1, 2, 1, 3)),
        (Span(1, 1, 1, 4), Span(1, 2, 1, 2)),
        (Span(1, 1, 1, 3), Span(1, 1, 1, 3)),
    ],
)
def test_overlapping_edits_are_refused(one, other):
    with pytest.raises(EditError, match="overlap at line 1"):
        apply_edits("abcd\n", [Edit(one, "x"), Edit(other, "y")])


@pytest.mark.parametrize("span", [Span(7, 1, 7, 2), Span(1, 1, 1, 9), Span(1, 3, 1, 1)])
def test_an_edit_outside_the_text_is_refused(span):
    with pytest.raises(EditError):
        apply_edits("abcd\n", [Edit(span, "x")])
