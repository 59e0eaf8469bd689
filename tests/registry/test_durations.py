"""Durations: what is read, what is refused, and what comes back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redis_guard.registry import DurationError, DurationRange, format_duration, parse_duration, parse_range
from redis_guard.registry.durations import LONGEST_MS


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [
        ("500ms", 500),
        ("30s", 30_000),
        ("15m", 900_000),
        ("2h", 7_200_000),
        ("7d", 604_800_000),
        ("0s", 0),
        ("007s", 7_000),
    ],
)
def test_a_number_with_a_unit_is_read_as_milliseconds(text: str, milliseconds: int) -> None:
    assert parse_duration(text) == milliseconds


@pytest.mark.parametrize(
    "text",
    [
        "",
        "s",
        "1.5s",
        "1h30m",
        "-5s",
        "10 s",
        " 5s",
        "5S",
        "5 minutes",
        "5w",
        "5sm",
        "٣s",
        "³s",
        "1e3s",
        "s5",
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(DurationError, match="is not a duration such as 500ms, 30s, 15m, 2h or 7d"):
        parse_duration(text)


def test_a_bare_number_is_told_which_units_it_may_mean() -> None:
    with pytest.raises(DurationError, match="write 30s for seconds or 30ms for milliseconds"):
        parse_duration("30")


@pytest.mark.parametrize("text", ["3651d", "9" * 5_000 + "s", "9" * 14 + "ms"])
def test_more_than_ten_years_is_refused_in_one_short_line(text: str) -> None:
    with pytest.raises(DurationError, match="longer than ten years") as caught:
        parse_duration(text)
    assert len(str(caught.value)) < 100


@given(st.integers(0, LONGEST_MS))
def test_a_formatted_duration_reads_back_as_itself(milliseconds: int) -> None:
    assert parse_duration(format_duration(milliseconds)) == milliseconds


@pytest.mark.parametrize(
    ("milliseconds", "text"), [(0, "0s"), (1_500, "1500ms"), (90_000, "90s"), (86_400_000, "1d")]
)
def test_the_largest_unit_that_divides_is_written(milliseconds: int, text: str) -> None:
    assert format_duration(milliseconds) == text


def test_a_range_has_two_ends_and_a_plain_duration_one() -> None:
    assert parse_range("10m..1h") == DurationRange(600_000, 3_600_000)
    assert parse_range("10m .. 1h") == DurationRange(600_000, 3_600_000)
    assert parse_range("30s") == DurationRange(30_000, 30_000)
    assert [str(parse_range(text)) for text in ("600s..60m", "30s")] == ["10m..1h", "30s"]


@pytest.mark.parametrize("text", ["1h..10m", "10m..", "..1h", "1m..2m..3m", "10..20s", "10m...1h"])
def test_a_range_without_two_ends_in_order_is_refused(text: str) -> None:
    with pytest.raises(DurationError):
        parse_range(text)
