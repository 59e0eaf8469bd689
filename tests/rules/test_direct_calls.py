"""How RG101 names what is called: as the code says it, with the key it works on."""

import pytest

from redis_guard.project.model import ProjectUses
from redis_guard.registry import EMPTY_REGISTRY
from redis_guard.rules.rg101_direct_call import check
from tests.project.seen import module

LOCKS = """
guard = r.lock("jobs:nightly", timeout=30)

def take():
    guard.acquire()

class Batch:
    def __init__(self, name, other):
        self.guard = r.lock(f"batch:{name}", timeout=5)
        self.either = r.lock("batch:a", timeout=5) if name else r.lock("batch:b", timeout=5)
        self.unseen = other

    def go(self, given):
        self.guard.extend(5)
        self.either.release()
"""


def said(source: str) -> list[str]:
    reports = check(ProjectUses((module(source),)), EMPTY_REGISTRY)
    return [report.message.partition(" has no owner")[0] for report in reports]


def test_a_method_of_a_lock_is_named_with_the_key_of_the_lock() -> None:
    assert "direct guard.acquire() on jobs:nightly" in said(LOCKS)
    assert "direct self.guard.extend() on batch:{name}" in said(LOCKS)


def test_a_lock_that_may_be_one_of_two_has_no_key() -> None:
    assert "direct self.either.release()" in said(LOCKS)


def test_its_report_carries_the_key() -> None:
    reports = check(ProjectUses((module(LOCKS),)), EMPTY_REGISTRY)
    assert {report.key for report in reports if report.method == "acquire"} == {"jobs:nightly"}


@pytest.mark.parametrize(
    ("call", "name"),
    [
        ("r.incr('a')", "direct INCR on a"),
        ("r.decr('a', 2)", "direct DECR on a"),
        ("r.incrby('a', 2)", "direct INCRBY on a"),
        ("r.execute_command('INCR', 'a')", "direct INCR on a"),
        ("r['a'] = 1", "direct SET on a"),
        ("r.expire('a', 9)", "direct EXPIRE on a"),
        ("r.pipeline().incr('a')", "direct INCR on a"),
    ],
)
def test_a_command_is_named_as_the_code_says_it(call: str, name: str) -> None:
    assert said(call)[-1] == name
