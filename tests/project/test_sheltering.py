"""What is caught around the functions that watch keys."""

import pytest

from redis_guard.project.model import Call
from tests.project.seen import module

BODY = "    p = r.pipeline()\n    p.watch(k)\n    p.multi()\n    p.execute()\n"


def watch(source: str) -> Call:
    return next(call for call in module(source).calls if call.method == "watch")


@pytest.mark.parametrize(
    ("caller", "caught"),
    [
        ("try:\n        f(1)\n    except redis.WatchError:\n        pass", {"WatchError"}),
        ("try:\n        f(1)\n    except Exception:\n        pass", set()),
        (
            "while True:\n        try:\n            f(1)\n        except Exception:\n            pass",
            {"Exception"},
        ),
        ("with contextlib.suppress(redis.WatchError):\n        f(1)", {"WatchError"}),
        ("try:\n        pass\n    except redis.WatchError:\n        f(1)", set()),
    ],
)
def test_callers_tell_what_they_catch_around_the_call(caller: str, caught: set[str]) -> None:
    assert watch(f"def f(k):\n{BODY}def g():\n    {caller}\n").caught_by_callers == frozenset(caught)


def test_callers_of_callers_are_asked() -> None:
    source = f"def f(k):\n{BODY}def g():\n    f(1)\ndef h():\n    try:\n        g()\n    except KeyError:\n        pass"

    assert watch(source).caught_by_callers == frozenset({"KeyError"})


def test_a_function_that_calls_itself_has_an_end() -> None:
    assert watch(f"def f(k):\n{BODY}    f(k)\n").caught_by_callers == frozenset()


def test_decorators_tell_what_they_are_told() -> None:
    found = watch(f"@task(again=(redis.WatchError,))\ndef f(k):\n{BODY}").caught_by_callers

    assert found is not None
    assert "WatchError" in found


def test_who_is_handed_the_function_may_catch_anything() -> None:
    assert watch(f"def f(k):\n{BODY}attempt(f)\n").caught_by_callers is None
