"""The "did you mean" of every message."""

import pytest

from redis_guard.nearest import did_you_mean, nearest_names

NAMES = ("ttl", "fail-on", "max_hold", "Session")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("tll", "ttl"),
        ("TTL", "ttl"),
        ("fail_on", "fail-on"),
        ("failon", "fail-on"),
        ("max-hold", "max_hold"),
        ("SESSIONS", "Session"),
    ],
)
def test_a_close_name_is_suggested_as_it_is_spelt(written: str, meant: str) -> None:
    assert did_you_mean(written, NAMES) == f'; did you mean "{meant}"?'


@pytest.mark.parametrize("written", ["", "primitive", "x" * 100_000])
def test_a_far_fetched_name_is_not(written: str) -> None:
    assert did_you_mean(written, NAMES) == ""


def test_the_closest_come_first_and_no_more_than_wanted() -> None:
    names = ("login", "logins", "unrelated")
    assert nearest_names("logins", names) == ("logins", "login")
    assert nearest_names("logins", names, 1) == ("logins",)
