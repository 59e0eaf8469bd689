"""Lifetimes of single calls."""

import pytest

from redis_guard.behaviour.durations import lifetime_ms, lifetime_text


@pytest.mark.parametrize(
    ("call", "text", "milliseconds"),
    [
        ("r.set('a:b', 1, ex=60)", "60s", 60_000),
        ("r.set('a:b', 1, px=1500)", "1500ms", 1_500),
        ("r.set('a:b', 1, px=2000)", "2000ms", 2_000),
        ("r.setex('a:b', timedelta(minutes=1), 1)", "60s", 60_000),
        ("r.set('a:b', 1, ex=timedelta(milliseconds=500))", "500ms", 500),
        ("r.lock('a:b', timeout=0.5)", "500ms", 500),
        ("r.set('a:b', 1, ex=n)", "variable", None),
        ("r.set('a:b', 1, ex=60 if n else 90)", "variable", None),
        ("r.expireat('a:b', 1900000000)", "variable", None),
        ("r.set('a:b', 1, ex=None)", None, None),
        ("r.set('a:b', 1)", None, None),
        ("r.hexpire('a:b', 60, 'f')", None, None),
    ],
)
def test_a_lifetime_is_a_number_only_where_it_is_certain(project_uses, call, text, milliseconds):
    project = project_uses(f"from datetime import timedelta\n\ndef f(n):\n    return {call}\n")
    (found,) = project.modules[0].calls

    assert (lifetime_text(found), lifetime_ms(found)) == (text, milliseconds)
