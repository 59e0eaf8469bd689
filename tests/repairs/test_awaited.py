"""RG801: what must be awaited is, and nothing else changes."""

from collections.abc import Callable

import pytest

from tests.repairs.conftest import Mended

Mend = Callable[..., Mended]
HEAD = "from redis.asyncio import Redis\n\nr = Redis()\n\n\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("r.set(k, 1, ex=9)", "await r.set(k, 1, ex=9)"),
        ("if r.exists(k):\n        return 1", "if await r.exists(k):\n        return 1"),
        ("if not r.exists(k): return 1", "if not await r.exists(k): return 1"),
        ("return r.get(k).decode()", "return (await r.get(k)).decode()"),
        ("return r.mget(k)[0]", "return (await r.mget(k))[0]"),
        ("return r.get(k)", "return await r.get(k)"),
        ("return r.incr(k) + 1", "return await r.incr(k) + 1"),
        ("x = r.get(k)\n    return x == b'1'", "x = await r.get(k)\n    return x == b'1'"),
        ("for x in r.scan_iter():\n        print(x)", "async for x in r.scan_iter():\n        print(x)"),
        ("return [x for x in r.scan_iter()]", "return [x async for x in r.scan_iter()]"),
        ("r.json().set(k, '$', {})", "await r.json().set(k, '$', {})"),
        (
            "r.set(  # now\n        k,\n        1,\n    )",
            "await r.set(  # now\n        k,\n        1,\n    )",
        ),
    ],
)
def test_await_comes_before_the_call(mend: Mend, before: str, after: str) -> None:
    mended = mend(f"async def f(k):\n    {before}\n", "RG801", head=HEAD)
    assert (mended.text, mended.safety) == (f"async def f(k):\n    {after}\n", ["safe"])


@pytest.mark.parametrize(
    "code",
    [
        "def f(k):\n    r.set(k, 1, ex=9)\n",
        "async def f(k):\n    def g():\n        r.set(k, 1, ex=9)\n    g()\n",
        "async def f(ks):\n    return any(r.exists(k) == 1 for k in ks)\n",
        "async def f(k):\n    return lambda: r.exists(k) == 1\n",
    ],
)
def test_where_nobody_can_await_there_is_no_fix(mend: Mend, code: str) -> None:
    assert not mend(code, "RG801", head=HEAD).fixes


def test_a_step_of_the_runtime_is_awaited(mend: Mend) -> None:
    head = "from redis_guard.runtime.aio import Coordination\n\nc = Coordination.from_file('redis_guard.yaml')\n\n\n"
    mended = mend("async def f(ip):\n    c.counter('logins', ip).increment()\n", "RG801", head=head)
    assert mended.text == "async def f(ip):\n    await c.counter('logins', ip).increment()\n"
