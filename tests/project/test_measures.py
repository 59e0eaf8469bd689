"""In which unit of time a number is."""

import pytest

from redis_guard.project.units import said, words
from tests.project.seen import expiry


def measured(value: str, head: str = "") -> tuple[str, str | None] | None:
    source = f"""
import math, time
from datetime import datetime, timedelta
{head}
def f(n, ttl, seconds, minutes, days, wait_ms, timeout_s, deadline_at, start, end):
    r.set("a", 1, ex={value})
"""
    measure = expiry(source).measure
    return None if measure is None else (measure.kind, measure.unit)


@pytest.mark.parametrize(
    ("name", "unit", "kind"),
    [
        ("ttl", None, "span"),
        ("LOCK_TIMEOUT_MS", "ms", "span"),
        ("lockTimeoutMs", "ms", "span"),
        ("ttl_seconds", "s", "span"),
        ("TTLSeconds", "s", "span"),
        ("in_progress_timeout_s", "s", "span"),
        ("ONE_DAY_SECONDS", "s", "unsaid"),
        ("SECONDS_PER_DAY", "s", "unsaid"),
        ("minutes", "min", "unsaid"),
        ("retention_days", "d", "span"),
        ("FIVE_MINUTES", None, "unsaid"),
        ("CACHE_5_MINUTES", None, "unsaid"),
        ("MS_PER_SECONDS", None, "unsaid"),
        ("min_ttl", None, "span"),
        ("second_ttl", None, "span"),
        ("timestamp_ms", "ms", "instant"),
        ("expires_at", None, "instant"),
        ("users", None, "unsaid"),
    ],
)
def test_names_say_units(name, unit, kind):
    assert said(name)[:2] == (unit, kind)


@pytest.mark.parametrize(
    ("name", "unit"),
    [("to_ms", "ms"), ("seconds_to_ms", "ms"), ("ms_to_seconds", "s"), ("get_ttl_seconds", "s")],
)
def test_names_of_functions_say_the_unit_of_what_they_give(name, unit):
    assert said(name, of_function=True).unit == unit


def test_names_are_read_word_by_word():
    assert words("HTTPTimeoutMs_2") == ["http", "timeout", "ms", "2"]


@pytest.mark.parametrize(
    ("value", "measure"),
    [
        ("ttl", None),
        ("60", None),
        ("seconds", ("unsaid", "s")),
        ("int(seconds)", ("unsaid", "s")),
        ("seconds * 1000", ("unsaid", "ms")),
        ("1000 * seconds", ("unsaid", "ms")),
        ("seconds * 2", ("unsaid", "s")),
        ("seconds * n", None),
        ("wait_ms / 1000", ("unsaid", "s")),
        ("math.ceil(wait_ms // 1000)", ("unsaid", "s")),
        ("minutes * 60", ("unsaid", "s")),
        ("days * 24 * 60 * 60", ("unsaid", "s")),
        ("days * 24 * 60 * 60 * 1000", ("unsaid", "ms")),
        ("24 * 60 * 60", ("span", "s")),
        ("n * 24 * 60 * 60", ("span", "s")),
        ("60 * 60 * 1000", ("span", "ms")),
        ("5 * 60_000", None),
        ("10 * 24", None),
        ("max(1, wait_ms)", ("unsaid", "ms")),
        ("max(seconds, wait_ms)", None),
        ("wait_ms if n else 5", ("unsaid", "ms")),
        ("wait_ms or 5", ("unsaid", "ms")),
        ("seconds + 5", ("unsaid", "s")),
        ("seconds + wait_ms", ("mixed", None)),
        ("time.time()", ("instant", "s")),
        ("int(time.time()) + n", ("instant", "s")),
        ("time.time() * 1000", ("instant", "ms")),
        ("time.monotonic() + n", ("monotonic", "s")),
        ("deadline_at - time.time()", ("span", "s")),
        ("n - int(time.time())", ("span", "s")),
        ("time.time() - n", None),
        ("datetime.now().timestamp()", ("instant", "s")),
        ("timedelta(days=2).total_seconds()", ("span", "s")),
        ("timedelta(days=2).seconds", ("part", "s")),
        ("timedelta(hours=2).seconds", ("span", "s")),
        ("timedelta(days=2).days * 86400", ("span", "s")),
        ("(start - end).seconds", ("part", "s")),
        ("start.seconds", ("unsaid", "s")),
        ("r.ttl('b')", ("span", "s")),
        ("r.pttl('b')", ("span", "ms")),
        ("to_ms(n)", ("unsaid", "ms")),
        ("deadline_at", ("instant", None)),
    ],
)
def test_units_are_carried_through_arithmetic(value, measure):
    assert measured(value) == measure


def test_units_are_carried_through_bindings():
    assert measured("LEASE", "LOCK_MS = 500\nLEASE = LOCK_MS") == ("unsaid", "ms")


def test_a_default_says_the_unit_of_a_parameter():
    assert expiry("WAIT_MS = 5\ndef f(wait=WAIT_MS): r.set('a', 1, ex=wait)").measure is not None


def test_a_constant_as_long_as_its_coarse_unit_is_not_in_it():
    assert measured("CACHE_DAYS", "CACHE_DAYS = 604800") is None
    assert measured("CACHE_DAYS", "CACHE_DAYS = 7") == ("unsaid", "d")


def test_a_constant_converts_by_its_value():
    assert measured("days * SECONDS_PER_DAY", "SECONDS_PER_DAY = 86400") == ("unsaid", "s")
    assert measured("SECONDS_PER_DAY * days", "SECONDS_PER_DAY = 86400") == ("unsaid", "s")


def test_a_number_that_each_turn_of_a_loop_converts_again():
    measure = expiry(
        "def f(ttl):\n    while True:\n        ttl = ttl * 1000\n        r.set('a', 1, ex=ttl)"
    ).measure
    assert measure is not None
    assert measure.kind == "compounded"


def test_a_number_that_each_turn_sets_anew_is_converted_once():
    measure = expiry(
        "def f(rows):\n    for ttl in rows:\n        ttl = ttl * 1000\n        r.set('a', 1, ex=ttl)"
    ).measure
    assert measure is None


def test_a_number_made_of_itself_ends():
    assert measured("A", "A = B\nB = A") is None
