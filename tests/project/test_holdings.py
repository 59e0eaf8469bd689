"""Locks that functions take, how they were made, and what is done meanwhile."""

import pytest

from redis_guard.project.model import Held, Work
from tests.project.seen import module

IMPORTS = "import asyncio, time, requests, subprocess, redis_lock\nfrom django.core.cache import cache\n"


def held(body: str, head: str = "job") -> Held:
    """The only lock of one function."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    (found,) = module(f"{IMPORTS}def f({head}):\n{lines}\n").held
    return found


def work(body: str) -> Work:
    """The last thing done under a lock."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return held(f"with r.lock('l', timeout=5):\n{lines}").work[-1]


@pytest.mark.parametrize(
    ("made", "library", "lease"),
    [
        ("r.lock('l', timeout=5)", "redis-py", "timeout"),
        ("r.lock('l', 5)", "redis-py", "timeout"),
        ("redis.lock.Lock(r, 'l', 5)", "redis-py", "timeout"),
        ("redis_lock.Lock(r, 'l', 5)", "redis_lock", "expire"),
        ("cache.lock('l', timeout=5)", "django", "timeout"),
    ],
)
def test_a_lock_is_known_by_the_call_that_makes_it(made: str, library: str, lease: str) -> None:
    (making,) = held(f"k = {made}\nk.acquire()").makings

    given = making.argument(lease)
    assert making.library == library
    assert given is not None
    assert given.constants == (5,)


def test_a_lock_of_the_object_is_known_by_what_its_class_makes() -> None:
    (found,) = module(
        "class A:\n"
        "    def __init__(self):\n        self.lock = r.lock('l', timeout=5)\n"
        "    def f(self):\n        self.lock.acquire()\n"
    ).held

    assert (len(found.makings), found.all_makings, found.function.qualname) == (1, True, "A.f")


def test_a_lock_that_may_come_from_elsewhere_says_so() -> None:
    found = held("k = r.lock('l', timeout=5) if job else job.lock\nk.acquire()")

    assert not found.all_makings


def test_a_lock_that_is_entered_and_what_is_done_with_it() -> None:
    found = held(
        "k = r.lock('l')\nwith k:\n    job()\n    k.extend(5)\nk.acquire(blocking=False)\nk.release()"
    )

    assert len(found.entered) == 1
    assert [use.method for use in found.uses] == ["extend", "acquire", "release"]
    assert [one.text for one in found.work] == ["job()"]


def test_a_mutex_of_threads_is_no_lock() -> None:
    assert not module(
        "import threading\ndef f():\n    k = threading.Lock()\n    k.acquire()\n    r.lock('l')\n"
    ).held


@pytest.mark.parametrize(
    ("use", "handed_on"),
    [
        ("job(k)", True),
        ("job(k.release)", True),
        ("return k", True),
        ("job.lock = k", True),
        ("def g():\n    k.release()\njob(g)", True),
        ("k.release()", False),
        ("if k:\n    job()", False),
        ("job(k.name)", False),
    ],
)
def test_a_lock_that_is_handed_on(use: str, handed_on: bool) -> None:
    assert held(f"k = r.lock('l')\nk.acquire()\n{use}").handed_on is handed_on


@pytest.mark.parametrize(
    ("code", "seconds", "sleeps"),
    [
        ("time.sleep(30)", 30, True),
        ("time.sleep(secs=0.5)", 0.5, True),
        ("requests.get(job, timeout=30)", 30, False),
        ("requests.get(job, timeout=(3, 30))", 33, False),
        ("requests.get(job)", None, False),
        ("subprocess.run(job, timeout=60)", 60, False),
        ("r.blpop('jobs', timeout=10)", 10, False),
        ("r.blpop('jobs')", None, False),
        ("time.sleep(job)", None, False),
        ("asyncio.sleep(30)", None, False),
    ],
)
def test_how_long_it_lasts(code: str, seconds: float | None, sleeps: bool) -> None:
    found = work(code)

    assert (found.seconds, found.sleeps) == (seconds, sleeps)


def test_loops_of_a_known_count_are_told() -> None:
    found = work(
        "for _ in range(2, 12):\n    for _ in job:\n        for _ in (1, 2):\n            time.sleep(1)"
    )

    assert [turns for _, turns in found.turns] == [2, 10]


def test_a_helper_lasts_as_long_as_what_it_surely_does() -> None:
    source = (
        "import time\ndef helper(x):\n    time.sleep(3)\n    time.sleep(4)\n    if x:\n        time.sleep(50)\n"
        "def f():\n    with r.lock('l'):\n        helper(1)\n"
    )
    (found,) = module(source).held

    assert [(one.text, one.seconds) for one in found.work] == [("helper(1)", 7)]


def test_who_catches_what_is_raised() -> None:
    found = work(
        "try:\n    try:\n        job()\n    except ValueError:\n        pass\nexcept Exception:\n    return"
    )

    assert [(catch.broad, catch.ends) for catch in found.catches] == [(False, False), (True, True)]


@pytest.mark.parametrize(
    ("code", "quick"),
    [("log.info('x')", True), ("print(1)", True), ("api.info('x')", False), ("job()", False)],
)
def test_what_is_not_expected_to_fail(code: str, quick: bool) -> None:
    (found,) = held(f"k = r.lock('l')\nk.acquire()\n{code}", "job, log, api").work

    assert found.quick is quick
