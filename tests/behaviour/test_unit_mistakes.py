"""A lifetime in another unit than its call takes, in words."""

import pytest

from redis_guard.behaviour.expiries import expiries
from redis_guard.behaviour.unit_mistakes import mistake
from tests.project.seen import module


def said(call: str) -> str | None:
    head = "import time\nfrom datetime import datetime, timedelta\nFOR_EVER = 4_000_000_001\n"
    source = f"{head}def f(k, ttl_ms, ttl_seconds, expires_at, start, end): {call}"
    (found,) = expiries(module(source))
    judged = mistake(*found)
    return None if judged is None else judged.said


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            "r.set(k, 1, ex=ttl_ms)",
            "ex takes seconds, and ex=ttl_ms is in milliseconds: use px=, or divide by 1000 (with //)",
        ),
        (
            "r.pexpire(k, ttl_seconds)",
            "pexpire() takes milliseconds, and pexpire(…, ttl_seconds) is in seconds: "
            "use expire(), or multiply by 1000",
        ),
        (
            "r.lock(k, timeout=ttl_ms)",
            "timeout takes seconds, and timeout=ttl_ms is in milliseconds: divide by 1000",
        ),
        (
            "r.expire(k, expires_at)",
            "expire() takes seconds, and expire(…, expires_at) is an instant, not a span: "
            "use expireat(), or subtract the present time",
        ),
        (
            "r.set(k, 1, exat=60)",
            "exat takes a Unix time in seconds, and exat=60 lies before the year 2002: it is a span, not an instant: "
            "use ex=, or add the present time",
        ),
        (
            "r.expire(k, (end - start).seconds)",
            "(end - start).seconds leaves out whole days. Pass the timedelta itself",
        ),
        (
            "r.expire(k, time.time() + ttl_ms)",
            "time.time() + ttl_ms adds seconds and milliseconds. Convert one of them",
        ),
    ],
)
def test_sentences(call, sentence):
    assert said(call) == sentence


@pytest.mark.parametrize(
    "call",
    [
        "r.set(k, 1, ex=1_700_000_000)",
        "r.set(k, 1, ex=86_400_000)",
        "r.set(k, 1, ex=3_600_000)",
        "r.set(k, 1, ex=1_700_000_000_000)",
        "r.set(k, 1, px=3600)",
        "r.set(k, 1, px=604_800)",
        "r.set(k, 1, px=1_700_000_000_000)",
        "r.expireat(k, 1_900_000_000_000)",
        "r.pexpireat(k, 1_900_000_000)",
        "r.pexpireat(k, 60_000)",
    ],
)
def test_numbers_that_make_sense_in_another_unit_only(call):
    assert said(call) is not None


@pytest.mark.parametrize(
    "call",
    [
        "r.set(k, 1, ex=86_400)",
        "r.set(k, 1, ex=10 * 365 * 86_400)",
        "r.set(k, 1, ex=100 * 365 * 86_400)",
        "r.set(k, 1, ex=2**31 - 1)",
        "r.set(k, 1, ex=FOR_EVER)",
        "r.set(k, 1, ex=90_000)",
        "r.set(k, 1, px=100)",
        "r.set(k, 1, px=3000)",
        "r.set(k, 1, px=86_400_000)",
        "r.set(k, 1, px=432_000_000)",
        "r.lock(k, timeout=3_600_000)",
        "r.expireat(k, 1_900_000_000)",
        "r.pexpireat(k, 1_900_000_000_000)",
        "r.set(k, 1, ex=0)",
        "r.set(k, 1, ex=True)",
        "r.set(k, 1, ex=timedelta(days=40 * 365))",
        "r.expireat(k, datetime(2030, 1, 1))",
    ],
)
def test_numbers_that_may_be_meant(call):
    assert said(call) is None


@pytest.mark.parametrize("lifetime", ["1e400", "10**400", "1e300 * 1e300", "float('inf')", "float('nan')"])
def test_a_number_beyond_all_units_is_in_none(lifetime: str) -> None:
    assert said(f"r.set(k, 1, ex={lifetime})") is None
