"""What a lock object was told, when it is held, and how long what is done meanwhile lasts."""

import pytest

from redis_guard.behaviour.lasting import longest
from redis_guard.behaviour.locks import acquires, during, lease, may_fail, within
from redis_guard.project.model import Held
from tests.project.seen import module


def held(body: str) -> Held:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    (found,) = module(f"import time, redis_lock, datetime\ndef f(job, n):\n{lines}\n").held
    return found


@pytest.mark.parametrize(
    ("made", "seconds"),
    [
        ("r.lock('l', timeout=5)", 5),
        ("r.lock('l', timeout=datetime.timedelta(minutes=1))", 60),
        ("r.lock('l', timeout=5 if n else 9)", 9),
        ("redis_lock.Lock(r, 'l', expire=5)", 5),
        ("redis_lock.Lock(r, 'l', expire=5, auto_renewal=True)", None),
        ("r.lock('l')", None),
        ("r.lock('l', timeout=0)", None),
        ("r.lock('l', timeout=n)", None),
        ("r.lock('l', **n)", None),
    ],
)
def test_the_lease_is_the_longest_it_can_be(made: str, seconds: float | None) -> None:
    assert lease(held(f"with {made}:\n    job()")) == seconds


@pytest.mark.parametrize(
    ("made", "taken", "why"),
    [
        ("", "", None),
        ("", "blocking=False", "does not wait"),
        ("", "blocking_timeout=3", "waits for a limited time"),
        ("", "blocking_timeout=None", None),
        ("", "blocking=n", None),
        ("blocking=False", "", "does not wait"),
        ("blocking=False", "blocking=True", None),
        ("blocking_timeout=3", "", "waits for a limited time"),
        ("blocking_timeout=None", "", None),
    ],
)
def test_acquire_comes_back_without_the_lock_only_where_it_was_told_to(
    made: str, taken: str, why: str | None
) -> None:
    found = held(f"k = r.lock('l', {made})\nk.acquire({taken})")

    assert [may_fail(found, use) for use in acquires(found)] == [why]


def test_a_lock_is_held_between_acquire_and_release() -> None:
    found = held("k = r.lock('l')\njob(1)\nk.acquire()\njob(2)\nk.release()\njob(3)")

    assert [work.text for use in acquires(found) for work in during(found, use)] == ["job(2)"]


def test_of_what_branches_add_the_longest_counts() -> None:
    found = held(
        "with r.lock('l'):\n    time.sleep(1)\n    if n:\n        time.sleep(2)\n    else:\n        time.sleep(3)\n"
        "    for _ in range(5):\n        time.sleep(1)"
    )
    (construct,) = found.entered
    total = longest(within(found, construct), frozenset({construct}))

    assert total is not None
    assert (total.seconds, total.sleeps, total.text) == (9, False, "time.sleep(1)")
