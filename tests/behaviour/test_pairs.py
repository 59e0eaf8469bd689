"""Which two calls are a pair, and which are one step or none."""

import pytest

from redis_guard.behaviour.pairs import early_expiries, late_expiries, nature, unsafe_pipelines


def lines(pairs):
    """Line of the first call (the text's own first line is 1) and of the seconds."""
    return [(pair.first.span.line - 2, [second.span.line - 2 for second in pair.seconds]) for pair in pairs]


def test_a_write_and_the_expire_after_it_are_a_pair(uses):
    assert lines(late_expiries(uses("r.set('a', 1)\nr.expire('a', 9)"))) == [(1, [2])]


def test_different_keys_are_no_pair(uses):
    assert not lines(late_expiries(uses("r.set('a', 1)\nr.expire('b', 9)")))


@pytest.mark.parametrize(
    ("write", "expected"),
    [
        ("r.set('a', 1)", "set"),
        ("r.append('a', 'x')", "set"),
        ("r.set('a', 1, nx=True)", "setnx"),
        ("r.setnx('a', 1)", "setnx"),
        ("r.incr('a')", "counter"),
        ("r.zincrby('a', 1, 'm')", "counter"),
        ("r.zadd('a', {'m': 1})", "collection"),
        ("r.rpoplpush('b', 'a')", "collection"),
    ],
)
def test_a_pair_has_the_nature_of_its_write(uses, write, expected):
    assert [nature(pair.first) for pair in late_expiries(uses(f"{write}\nr.expire('a', 9)"))] == [expected]


@pytest.mark.parametrize(
    "between",
    ["r.delete('a')", "r.setex('a', 9, 1)", "r.getdel('a')", "r.rename('a', 'b')"],
)
def test_what_ends_or_dates_the_key_in_between_settles_the_matter(uses, between):
    assert not lines(late_expiries(uses(f"r.set('a', 1)\n{between}\nr.expire('a', 9)")))


def test_a_delete_on_one_way_only_settles_nothing(uses):
    found = late_expiries(
        uses("def f(x):\n    r.set('a', 1)\n    if x:\n        r.delete('a')\n    r.expire('a', 9)")
    )
    assert lines(found) == [(2, [5])]


def test_only_the_nearest_expires_are_carried(uses):
    assert lines(late_expiries(uses("r.set('a', 1)\nr.expire('a', 9)\nr.expire('a', 8)"))) == [(1, [2])]


def test_a_lifetime_given_before_is_kept_by_a_count_and_lost_by_a_set(uses):
    assert not lines(late_expiries(uses("r.set('a', 0, ex=9)\nr.incr('a')\nr.expire('a', 9)")))
    assert lines(late_expiries(uses("r.set('a', 0, ex=9)\nr.set('a', 1)\nr.expire('a', 9)"))) == [(2, [3])]


def test_one_multi_is_one_step(uses):
    text = "p = r.pipeline()\np.set('a', 1)\np.expire('a', 9)\np.execute()"
    assert not lines(late_expiries(uses(text)))
    assert not lines(unsafe_pipelines(uses(text)))


def test_a_pipeline_without_multi_is_a_step_of_its_own_kind(uses):
    text = "p = r.pipeline(transaction=False)\np.set('a', 1)\np.expire('a', 9)\np.execute()"
    assert not lines(late_expiries(uses(text)))
    assert lines(unsafe_pipelines(uses(text))) == [(2, [3])]


def test_two_executions_are_two_steps(uses):
    text = "p = r.pipeline()\np.set('a', 1)\np.execute()\np.expire('a', 9)\np.execute()"
    assert lines(late_expiries(uses(text))) == [(2, [4])]


def test_commands_between_watch_and_multi_are_sent_at_once(uses):
    text = "p = r.pipeline()\np.watch('a')\np.incr('a')\np.multi()\np.expire('a', 9)\np.execute()"
    assert lines(late_expiries(uses(text))) == [(3, [5])]


def test_another_client_is_another_server(uses):
    assert not lines(late_expiries(uses("q = redis.Redis(db=2)\nr.set('a', 1)\nq.expire('a', 9)")))


def test_a_pipeline_and_the_client_it_was_made_from_are_one_server(uses):
    text = "def f(c: redis.Redis):\n    p = c.pipeline()\n    p.set('a', 1)\n    p.execute()\n    c.expire('a', 9)"
    assert lines(late_expiries(uses(text))) == [(3, [5])]


def test_an_expire_is_early_for_the_write_behind_it(uses):
    assert lines(early_expiries(uses("r.expire('a', 9)\nr.hset('a', 'f', 1)"))) == [(1, [2])]


def test_an_expire_of_a_key_that_was_there_is_not_early(uses):
    assert not lines(early_expiries(uses("r.hset('a', 'f', 1)\nr.expire('a', 9)\nr.hset('a', 'g', 1)")))


def test_an_expire_whose_answer_is_looked_at_is_not_early(uses):
    assert not lines(early_expiries(uses("if not r.expire('a', 9):\n    r.set('a', 1)")))
