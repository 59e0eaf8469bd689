"""Which values that are taken out of Redis are work."""

import pytest

from redis_guard.behaviour.working import is_work
from tests.project.seen import module


def work(body: str, name: str = "f") -> bool:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    seen = module(f"import json\ndef {name}(key, handle, log):\n{lines}\n")
    return is_work(seen, next(call for call in seen.calls if call.command in ("LPOP", "BLPOP")))


@pytest.mark.parametrize(
    "body",
    [
        "handle(r.lpop(key))",
        "_, item = r.blpop(key)\nhandle(json.loads(item))",
        "return r.lpop('queue:mail')",
        "found = r.blpop('jobs')\nif found:\n    return found[1]",
        "for item in r.lpop('jobs', 9) or []:\n    handle(item)",
    ],
)
def test_what_a_handler_gets_is_work(body: str) -> None:
    assert work(body)


@pytest.mark.parametrize(
    "body",
    [
        "r.lpop('jobs')",
        "return r.lpop(key)",
        "return r.blpop('jobs', 3) is not None",
        "log.info(r.lpop('jobs'))",
        "return int(r.lpop('numbers'))",
        "handle(r.blpop('reply:7'))",
    ],
)
def test_what_is_passed_through_tested_or_logged_is_none(body: str) -> None:
    assert not work(body)


def test_the_name_of_the_function_may_say_that_it_is_work() -> None:
    assert work("return r.lpop(key)", name="dequeue")
