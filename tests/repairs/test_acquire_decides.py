"""RG209: `acquire(blocking=False)` decides, and not `locked()` before it."""

from collections.abc import Callable

import pytest

from tests.repairs.conftest import Mended

Mend = Callable[..., Mended]
HEAD = "import redis\n\nr = redis.Redis()\ngate = r.lock('a', timeout=9)\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "def f():\n    if gate.locked():\n        return 1\n    gate.acquire()\n    go()\n",
            "def f():\n    if not gate.acquire(blocking=False):\n        return 1\n    go()\n",
        ),
        (
            "def f():\n    if gate.locked():\n        return False\n    gate.acquire(blocking=True)\n    return True\n",
            "def f():\n    return gate.acquire(blocking=False)\n",
        ),
        (
            "if not gate.locked():\n    gate.acquire()\n    go()\n",
            "if gate.acquire(blocking=False):\n    go()\n",
        ),
    ],
)
def test_the_lock_itself_is_asked(mend: Mend, before: str, after: str) -> None:
    mended = mend(before, "RG209", head=HEAD)
    assert (mended.text, mended.safety) == (after, ["unsafe"])


def test_asyncio_awaits(mend: Mend) -> None:
    head = "import redis.asyncio\n\nr = redis.asyncio.Redis()\n"
    before = (
        "async def f():\n    gate = r.lock('a', timeout=9)\n    if await gate.locked():\n        return\n"
        "    await gate.acquire()\n    go()\n"
    )
    after = (
        "async def f():\n    gate = r.lock('a', timeout=9)\n"
        "    if not await gate.acquire(blocking=False):\n        return\n    go()\n"
    )
    assert mend(before, "RG209", head=head).text == after


@pytest.mark.parametrize("given", ["blocking_timeout=5", "blocking=b", "token='t'", "**{}"])
def test_an_acquire_that_was_told_how_to_wait_is_left_alone(mend: Mend, given: str) -> None:
    code = f"def f(b):\n    if gate.locked():\n        return\n    gate.acquire({given})\n"
    assert mend(code, "RG209", head=HEAD).safety == ["none"]


def test_what_is_done_between_withholds_the_fix(mend: Mend) -> None:
    code = "def f():\n    if gate.locked():\n        return\n    go()\n    gate.acquire()\n"
    assert mend(code, "RG209", head=HEAD).safety == ["none"]
