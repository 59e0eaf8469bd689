"""Where lifetimes are given, and the words for it."""

import pytest

from redis_guard.behaviour.expiries import expiries, instead, subject, takes, written
from redis_guard.registry import EMPTY_REGISTRY
from tests.project.seen import module


def given(source: str):
    (found,) = expiries(module(source))
    return found


@pytest.mark.parametrize(
    ("source", "shown", "unit"),
    [
        ("r.set('a', 1, ex=60)", "ex=60", "ex takes seconds"),
        ("r.set('a', 1, 60)", "ex=60", "ex takes seconds"),
        ("r.set('a', 1, pxat=60)", "pxat=60", "pxat takes a Unix time in milliseconds"),
        ("r.setex('a', 60, 1)", "setex(…, 60)", "setex() takes seconds"),
        ("r.expire('a', time=60)", "expire(…, 60)", "expire() takes seconds"),
        ("r.expireat('a', 60)", "expireat(…, 60)", "expireat() takes a Unix time in seconds"),
        ("r.lock('a', timeout=60)", "timeout=60", "timeout takes seconds"),
        ("from redis.lock import Lock\nLock(r, 'a', timeout=60)", "timeout=60", "timeout takes seconds"),
    ],
)
def test_a_lifetime_is_shown_as_it_is_written(source, shown, unit):
    where, lifetime = given(source)
    assert written(where, lifetime) == shown
    assert takes(where, lifetime) == unit


@pytest.mark.parametrize(
    ("source", "unit", "other"),
    [
        ("r.set('a', 1, ex=60)", "ms", "px="),
        ("r.set('a', 1, ex=60)", "s-at", "exat="),
        ("r.setex('a', 60, 1)", "ms", "set(…, px=…)"),
        ("r.expire('a', 60)", "ms", "pexpire()"),
        ("r.pexpire('a', 60)", "s-at", "expireat()"),
        ("r.hexpire('a', 60, 'f')", "ms", "hpexpire()"),
        ("r.lock('a', timeout=60)", "ms", None),
        ("r.restore('a', 60, b'')", "s", None),
    ],
)
def test_what_takes_another_unit(source, unit, other):
    where, _ = given(source)
    assert instead(where, unit) == other


def test_the_instant_of_restore_is_no_span():
    assert not list(expiries(module("r.restore('a', 60, b'', absttl=True)")))


def test_a_call_without_an_expiry_gives_none():
    assert not list(expiries(module("r.set('a', 1)\nr.lock('a')")))


def test_the_key_is_named():
    assert subject(given("def f(n): r.set(f'user:{n}', 1, ex=60)").where, EMPTY_REGISTRY) == "user:{n}"
    lock = given("from redis.lock import Lock\nLock(r, 'a', timeout=60)").where
    assert subject(lock, EMPTY_REGISTRY) == "the lock"
