"""Call sites that are left, each with its reason; and the file with them."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.migrate.conftest import REGISTRY, Done

CASES = (Path(__file__).parent / "refused.txt").read_text(encoding="utf-8").split("\n=== ")[1:]


def case(text: str) -> tuple[str, str, str, str]:
    """The use case, what is shown, the reason and the code."""
    found = re.fullmatch(r"([^\n]*)\n--- ([^\n]*)\n(.*)", text, re.DOTALL)
    assert found is not None, text
    head, reason, code = found.groups()
    use_case, _, shown = head.partition(": ")
    return use_case, shown, reason, code + "\n" * (not code.endswith("\n"))


ALL = [
    pytest.param(use_case, code, reason, id=f"{use_case}: {shown}")
    for use_case, shown, reason, code in map(case, CASES)
]


@pytest.mark.parametrize(("use_case", "code", "reason"), ALL)
def test_the_reason(migrated: Callable[..., Done], use_case: str, code: str, reason: str) -> None:
    done = migrated(code, use_case)

    assert done.text is None
    assert any(said.startswith(reason) for said in done.reasons), done.reasons


def test_a_lock_that_waits_for_ever_needs_a_wait(migrated: Callable[..., Done]) -> None:
    code = 'def f(order):\n    with r.lock(f"settle:{order}", timeout=30):\n        work()\n'

    done = migrated(code, registry=REGISTRY.replace("    wait: 5s\n", ""))
    assert done.reasons == [
        'it waits for ever, and the registry says to try once; give the use case a "wait"'
    ]

    done = migrated(code)
    assert done.notes == [
        "it waits for ever here; the runtime raises LockNotAcquired after the registry's 5s"
    ]


@pytest.mark.parametrize(
    ("asynchronous", "reason"),
    [
        (True, "blocking code, and app.coordination:coordination is one of redis_guard.runtime.aio"),
        (
            False,
            "asyncio, and app.coordination:coordination is blocking; it needs one of redis_guard.runtime.aio",
        ),
    ],
)
def test_the_object_is_of_the_other_world(
    migrated: Callable[..., Done], asynchronous: bool, reason: str
) -> None:
    if asynchronous:
        head, code = (
            "import redis\n\nr = redis.Redis()\n\n\n",
            'def f(a):\n    r.incr(f"login:{a}:attempts")\n',
        )
    else:
        head = "import redis.asyncio as redis\n\nr = redis.Redis()\n\n\n"
        code = 'async def f(a):\n    await r.incr(f"login:{a}:attempts")\n'

    done = migrated(code, "attempts", head=head, asynchronous=asynchronous)

    assert done.reasons == [reason]


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ('async def f(x):\n    r.incr(f"login:{x}:attempts")\n', "it is not awaited"),
        (
            'async def f(x):\n    lock = r.lock(f"settle:{x}", timeout=30)\n'
            "    if await lock.acquire(blocking=False):\n        lock.release()\n",
            "release() is not awaited (line 9)",
        ),
    ],
)
def test_what_asyncio_never_does(migrated: Callable[..., Done], code: str, reason: str) -> None:
    done = migrated(code, "attempts" if "incr" in code else "settling", asynchronous=True)

    assert done.reasons == [reason]


def test_one_site_that_stays_keeps_the_whole_file(migrated: Callable[..., Done]) -> None:
    done = migrated(
        'def f(a):\n    r.incr(f"login:{a}:attempts")\n\n\ndef g(a):\n    return r.ttl(f"login:{a}:attempts")\n',
        "attempts",
    )

    assert done.migrated.changes == ()
    assert [(said.line, said.text) for said in done.migrated.left] == [
        (7, "a file is rewritten wholly or not at all, and line 11 is in the way"),
        (11, "TTL has no counterpart in a counter of the runtime"),
    ]


def test_a_file_beside_it_is_rewritten(migrated: Callable[..., Done]) -> None:
    done = migrated(
        'def f(a):\n    return r.ttl(f"login:{a}:attempts")\n',
        "attempts",
        files={"app/other.py": 'from app.main import r\n\n\ndef f(a):\n    r.incr(f"login:{a}:attempts")\n'},
    )

    assert [change.path for change in done.migrated.changes] == ["app/other.py"]
    assert [said.path for said in done.migrated.left] == ["app/main.py"]


def test_a_value_that_another_file_reads_stays(migrated: Callable[..., Done]) -> None:
    done = migrated(
        'def f(batch):\n    return bool(r.set(f"export:{batch}", "me", nx=True, ex=60))\n',
        "export",
        files={"app/other.py": 'from app.main import r\n\n\ndef who(b):\n    return r.get(f"export:{b}")\n'},
    )

    assert done.migrated.changes == ()
    assert done.reasons == [
        "its value is read (app/other.py:5), and the runtime stores a token of its own",
        "GET reads what is stored, and the runtime stores a token of its own",
    ]


def test_a_handler_for_redis_has_nothing_to_do_under_an_open_policy(migrated: Callable[..., Done]) -> None:
    done = migrated(
        'def f(batch):\n    try:\n        return bool(r.set(f"export:{batch}", 1, nx=True, ex=60))\n'
        "    except redis.RedisError:\n        return True\n",
        "export",
        registry=REGISTRY.replace(
            "ttl: 60s\n    failure: closed\n    description: One export",
            "ttl: 60s\n    failure: open\n    reason: It may run twice\n    description: One export",
        ),
    )

    assert done.text is not None
    assert done.notes == [
        "RedisError is caught around it; under `failure: open` the handler has nothing to do"
    ]


def test_tests_are_not_touched(migrated: Callable[..., Done]) -> None:
    done = migrated(
        "",
        "export",
        files={"tests/test_x.py": 'import redis\n\nredis.Redis().set("export:7", 1, nx=True, ex=60)\n'},
    )

    assert (done.migrated.changes, done.migrated.left) == ((), ())
    assert done.migrated.remarks == ("1 call site in tests, which may call Redis: not touched",)
