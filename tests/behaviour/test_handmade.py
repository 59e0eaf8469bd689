"""Locks made by hand: which deletion gives which one back, and whether something is asked before."""

import pytest

from redis_guard.behaviour.handmade import deletes, is_checked, pairs, speaks_of_locks
from tests.project.seen import call, module

TAKE = "r.set('run:all', tok, nx=True, ex=30)"


def given_back(source: str) -> list[tuple[int, int]]:
    """Takings and deletions by line; the source begins in line 4."""
    return [
        (taking.span.line - 3, deletion.span.line - 3)
        for taking, deletion in pairs(module(f"import secrets\ntok = secrets.token_hex()\n{source}"))
    ]


@pytest.mark.parametrize(
    ("text", "speaks"),
    [
        ("lock:{name}", True),
        ("LOCK_KEY", True),
        ("acquire_lock", True),
        ("RedisMutex", True),
        ("leader:{shard}", True),
        ("unlock:{code}", False),
        ("blocked:{user}", False),
        ("clock", False),
        ("release_notes", False),
    ],
)
def test_words_for_locks(text: str, speaks: bool) -> None:
    assert speaks_of_locks(text) is speaks


def test_a_script_that_compares_deletes_nothing_of_others() -> None:
    compares = "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end"

    assert deletes(call("r.eval(\"redis.call('DEL', KEYS[1])\", 1, 'k')"))
    assert not deletes(call(f'r.eval("{compares}", 1, "k", "me")'))


def test_in_one_function_the_deletion_comes_after() -> None:
    assert given_back(f"def f():\n    {TAKE}\n    r.delete('run:all')\n") == [(4, 5)]
    assert not given_back(f"def f():\n    r.delete('run:all')\n    {TAKE}\n")


def test_between_functions_names_say_so() -> None:
    apart = "def {0}():\n    return {1}\ndef {2}():\n    r.delete('run:all')\n"

    assert given_back(apart.format("acquire_lock", TAKE, "release_lock")) == [(4, 6)]
    assert given_back(apart.format("take_lock", TAKE, "remove_lock")) == [(4, 6)]
    assert not given_back(apart.format("mark", TAKE, "unmark"))
    assert not given_back(apart.format("acquire_lock", TAKE, "force_unlock"))


def test_what_never_ends_cannot_be_somebody_elses() -> None:
    assert not given_back("def f():\n    r.setnx('run:all', tok)\n    r.delete('run:all')\n")
    assert given_back(
        "def f():\n    r.setnx('run:all', tok)\n    r.expire('run:all', 9)\n    r.delete('run:all')\n"
    )


def test_a_claim_that_is_taken_back_after_a_failure_is_no_lock() -> None:
    assert not given_back(
        f"def f(job):\n    {TAKE}\n    try:\n        job()\n    except Exception:\n        r.delete('run:all')\n"
    )


def test_a_set_under_watch_takes_as_well() -> None:
    assert given_back(
        "def lock():\n    p = r.pipeline()\n    p.watch('run:all')\n    if not p.get('run:all'):\n        p.multi()\n"
        "        p.set('run:all', tok, ex=9)\n        p.execute()\ndef unlock():\n    r.delete('run:all')\n"
    ) == [(8, 11)]


@pytest.mark.parametrize(
    ("test", "checked"),
    [
        ("if r.get('k') == tok:", True),
        ("if tok.is_owned():", True),
        ("if time.monotonic() < end:", True),
        ("if done:", False),
        ("if unknown.shutdown:", False),
    ],
)
def test_what_is_asked_before_a_deletion(test: str, checked: bool) -> None:
    seen = module(f"import time\ndef f(tok, end, done, unknown):\n    {test}\n        r.delete('k')\n")
    deletion = next(one for one in seen.calls if one.method == "delete")

    assert is_checked(deletion, seen) is checked
