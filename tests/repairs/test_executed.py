"""RG212: a pipeline that is filled is sent, once, behind what fills it."""

from collections.abc import Callable

import pytest

from tests.repairs.conftest import Mended

Mend = Callable[..., Mended]
ASYNC = "from redis.asyncio import Redis\n\nr = Redis()\n\n\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "def f(k):\n    p = r.pipeline()\n    p.set(k, 1, ex=9)  # last\n    print(k)\n",
            "def f(k):\n    p = r.pipeline()\n    p.set(k, 1, ex=9)  # last\n    p.execute()\n    print(k)\n",
        ),
        (
            "def f(ks):\n    p = r.pipeline()\n    for k in ks:\n        p.set(k, 1, ex=9)\n",
            "def f(ks):\n    p = r.pipeline()\n    for k in ks:\n        p.set(k, 1, ex=9)\n    p.execute()\n",
        ),
        (
            "with r.pipeline() as p:\n\tp.set('k', 1, ex=9)",
            "with r.pipeline() as p:\n\tp.set('k', 1, ex=9)\n\tp.execute()\n",
        ),
        (
            "r.pipeline().set('a', 1, ex=9).set('b', 1, ex=9)\n",
            "r.pipeline().set('a', 1, ex=9).set('b', 1, ex=9).execute()\n",
        ),
    ],
)
def test_execute_comes_last(mend: Mend, before: str, after: str) -> None:
    mended = mend(before, "RG212")
    assert (mended.text, mended.safety) == (after, ["unsafe"])


def test_asyncio_waits_for_it(mend: Mend) -> None:
    code = "async def f(k):\n    async with r.pipeline() as p:\n        p.set(k, 1, ex=9)\n"
    assert mend(code, "RG212", head=ASYNC).text == f"{code}        await p.execute()\n"


@pytest.mark.parametrize(
    "code",
    [
        "def f(k):\n    p = r.pipeline()\n    if k:\n        p.set(k, 1, ex=9)\n        return\n",
        "def f(k):\n    p = r.pipeline(); p.set(k, 1, ex=9); print(k)\n",
    ],
)
def test_where_there_is_no_one_place_there_is_no_fix(mend: Mend, code: str) -> None:
    assert not mend(code, "RG212").fixes
