"""RG701, RG704, RG705 and RG501: shapes that the proofs do not run."""

from collections.abc import Callable

import pytest

from tests.repairs.conftest import Mended

Mend = Callable[..., Mended]
ASYNC = "from redis.asyncio import Redis\n\nr = Redis()\n\n\n"


@pytest.mark.parametrize(
    ("before", "after", "safety"),
    [
        ("async def f():\n    for k in await r.keys('a:*'):\n        print(k)\n",
         "async def f():\n    async for k in r.scan_iter(match='a:*'):\n        print(k)\n", "safe"),
        ("async def f():\n    return {k for k in await r.keys(pattern='a:*')}\n",
         "async def f():\n    return {k async for k in r.scan_iter(match='a:*')}\n", "safe"),
        ("async def f():\n    return await r.keys('a:*')\n",
         "async def f():\n    return [key async for key in r.scan_iter(match='a:*')]\n", "unsafe"),
        ("async def f():\n    return len(await r.keys())\n",
         "async def f():\n    return await r.dbsize()\n", "unsafe"),
    ],
)  # fmt: skip
def test_asyncio_scans(mend: Mend, before: str, after: str, safety: str) -> None:
    mended = mend(before, "RG701", head=ASYNC)
    assert (mended.text, mended.safety) == (after, [safety])


@pytest.mark.parametrize(
    ("before", "after", "safety"),
    [
        ("x = [k for k in r.keys('a:*')]\n", "x = [k for k in r.scan_iter(match='a:*')]\n", "unsafe"),
        ("x = sorted(r.keys('a:*'))\n", "x = sorted(r.scan_iter(match='a:*'))\n", "unsafe"),
        ("r.unlink(*r.keys('a:*'))\n", "r.unlink(*r.scan_iter(match='a:*'))\n", "unsafe"),
        ("x = r.keys('a:*')\n", "x = list(r.scan_iter(match='a:*'))\n", "unsafe"),
        ("x = len(r.keys('a:*'))\n", "x = len(list(r.scan_iter(match='a:*')))\n", "unsafe"),
    ],
)
def test_threads_scan(mend: Mend, before: str, after: str, safety: str) -> None:
    mended = mend(before, "RG701")
    assert (mended.text, mended.safety) == (after, [safety])


@pytest.mark.parametrize(
    "code", ["p = r.pipeline()\np.keys('a:*')\np.execute()\n", "r.execute_command('KEYS', 'a:*')\n"]
)
def test_what_is_queued_or_spelled_out_is_left(mend: Mend, code: str) -> None:
    assert not mend(code, "RG701").fixes


@pytest.mark.parametrize(
    ("before", "after", "safety"),
    [
        ("x = [m for m in r.smembers('subs:all')]", "x = [m for m in r.sscan_iter('subs:all')]", "unsafe"),
        ("x = {m for m in r.smembers('subs:all')}", "x = {m for m in r.sscan_iter('subs:all')}", "safe"),
        ("x = len(r.smembers('subs:all'))", "x = r.scard('subs:all')", "safe"),
    ],
)
def test_collections_are_read_in_steps(mend: Mend, before: str, after: str, safety: str) -> None:
    code = "def f(m):\n    r.sadd('subs:all', m)\n\n\n"
    mended = mend(f"{code}{before}\n", "RG704")
    assert (mended.text, mended.safety) == (f"{code}{after}\n", [safety])


def test_a_misspelt_use_case_is_named_right(mend: Mend) -> None:
    registry = (
        "version: 1\nowners: {a: {contact: x}}\nuse_cases:\n  settle: {primitive: lock, owner: a, ttl: 1m, "
        "failure: closed, description: One settlement at once}\n"
    )
    head = (
        "from redis_guard.runtime import Coordination\n\nc = Coordination.from_file('redis_guard.yaml')\n\n\n"
    )
    code = "def f(i):\n    with c.lock('setle', i):\n        pass\n    with c.claim('settel', i):\n        pass\n"
    mended = mend(code, "RG501", head=head, files={"redis_guard.yaml": registry})
    assert mended.text == code.replace("'setle'", "'settle'")
    assert sorted(mended.safety) == ["none", "unsafe"]
