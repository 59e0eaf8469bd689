"""RG305: the answer of acquire() is looked at."""

from collections.abc import Callable

import pytest

from tests.repairs.conftest import Mended

Mend = Callable[..., Mended]
HEAD = "import redis\nfrom redis.exceptions import LockError\n\nr = redis.Redis()\ngate = r.lock('a', timeout=9)\n\n\n"
RAISE = 'raise LockError("a is held by somebody else")'


def test_a_function_that_gives_nothing_does_nothing(mend: Mend) -> None:
    mended = mend("def f():\n    gate.acquire(blocking=False)  # now\n    go()\n", "RG305", head=HEAD)
    assert (
        mended.text == "def f():\n    if not gate.acquire(blocking=False):  # now\n        return\n    go()\n"
    )
    assert mended.safety == ["unsafe"]
    assert not mend(mended.text, "RG305", head=HEAD).findings


def test_an_answer_that_nobody_reads(mend: Mend) -> None:
    mended = mend("def f():\n\tgot = gate.acquire(blocking=False)\n\tgo()\n", "RG305", head=HEAD)
    assert mended.text == "def f():\n\tif not gate.acquire(blocking=False):\n\t\treturn\n\tgo()\n"


def test_a_turn_of_a_loop_is_left_out(mend: Mend) -> None:
    code = "def f(xs):\n    for x in xs:\n        {}\n        go(x)\n    return 1\n"
    mended = mend(code.format("gate.acquire(blocking=False)"), "RG305", head=HEAD)
    assert mended.text == code.format("if not gate.acquire(blocking=False):\n            continue")


@pytest.mark.parametrize(
    "code",
    [
        "def f():\n    {}\n    return 1\n",  # somebody hears from it whether it was done
        "def f():\n    {}\n    yield\n",
        "def take():\n    {}\n",  # nothing is spared
        "def __enter__():\n    {}\n    go()\n",
        "if 1:\n    {}\n    go()\n",
    ],
)
def test_else_the_error_of_redis_is_raised(mend: Mend, code: str) -> None:
    mended = mend(code.format("gate.acquire(blocking=False)"), "RG305", head=HEAD)
    assert mended.text == code.format(f"if not gate.acquire(blocking=False):\n        {RAISE}")


def test_who_waited_in_vain_hears_of_it(mend: Mend) -> None:
    mended = mend("def f():\n    gate.acquire(blocking_timeout=5)\n    go()\n", "RG305", head=HEAD)
    assert (
        mended.text == f"def f():\n    if not gate.acquire(blocking_timeout=5):\n        {RAISE}\n    go()\n"
    )


def test_asyncio_awaits_and_the_error_is_imported(mend: Mend) -> None:
    head = "from redis.asyncio import Redis\n"
    code = (
        "\nr = Redis()\n\n\nasync def f(n):\n    gate = r.lock(n, timeout=9)\n"
        "    await gate.acquire(blocking=False)\n    return 1\n"
    )
    mended = mend(code, "RG305", head=head)
    assert mended.text == "from redis.exceptions import LockError\n" + code.replace(
        "    await gate.acquire(blocking=False)\n",
        "    if not await gate.acquire(blocking=False):\n"
        '        raise LockError("the lock is held by somebody else")\n',
    )


@pytest.mark.parametrize(
    "code",
    [
        "def f():\n    try:\n        gate.acquire(blocking=False)\n    finally:\n        gate.release()\n",
        "def f(xs):\n    while xs:\n        gate.acquire(blocking=False)\n        go(xs)\n",
        "def f(xs):\n    for x in xs:\n        gate.acquire(blocking_timeout=1)\n        go(x)\n",
        "def f():\n    gate.acquire(blocking=False); go()\n",
        "def f():\n    go(); gate.acquire(blocking=False)\n",
    ],
)
def test_what_is_in_the_way_withholds_the_fix(mend: Mend, code: str) -> None:
    assert mend(code, "RG305", head=HEAD).safety == ["none"]


def test_another_library_has_another_error(mend: Mend) -> None:
    code = "def f():\n    gate = redis_lock.Lock(r, 'a', expire=9)\n    gate.acquire(blocking=False)\n    return 1\n"
    assert mend(code, "RG305", head=f"import redis_lock\n{HEAD}").safety == ["none"]
