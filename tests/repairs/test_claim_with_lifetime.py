"""RG203: the lifetime goes into the claim, and the claim's answer keeps its meaning."""

from collections.abc import Callable

import pytest

from tests.repairs.conftest import Mended

Mend = Callable[..., Mended]


@pytest.mark.parametrize(
    ("before", "after", "safety"),
    [
        (
            "if r.setnx('k', 1):\n    r.expire('k', 60)\n    work()\n",
            "if r.set('k', 1, nx=True, ex=60):\n    work()\n",
            "safe",
        ),
        ("if r.setnx('k', 1): r.expire('k', 60); work()\n", "if r.set('k', 1, nx=True, ex=60): work()\n", "safe"),
        ("if r.setnx('k', 1):\n    r.expire('k', 60)\n", "r.set('k', 1, nx=True, ex=60)\n", "safe"),
        ("if r.setnx('k', 1): r.expire('k', 60)\n", "r.set('k', 1, nx=True, ex=60)\n", "safe"),
        (
            "if (won := r.setnx('k', 1)):\n    r.expire('k', 60)\n",
            "won = bool(r.set('k', 1, nx=True, ex=60))\n",
            "unsafe",
        ),
        (
            "if r.setnx('k', 1):\n    r.expire('k', 60)\nelse:\n    lose()\n",
            "if not r.set('k', 1, nx=True, ex=60):\n    lose()\n",
            "safe",
        ),
        (
            "if r.setnx('k', 1):\n    r.expire('k', 60)\nelif x:\n    lose()\n",
            "if r.set('k', 1, nx=True, ex=60):\n    pass\nelif x:\n    lose()\n",
            "safe",
        ),
        (
            "if x:\n    pass\nelif r.setnx('k', 1):\n    r.expire('k', 60)\n",
            "if x:\n    pass\nelif r.set('k', 1, nx=True, ex=60):\n    pass\n",
            "safe",
        ),
        (
            "if r.setnx('k', 1):\n    # for a minute\n    r.expire('k', 60)\n",
            "if r.set('k', 1, nx=True, ex=60):\n    # for a minute\n    pass\n",
            "safe",
        ),
        (
            "if not r.setnx('k', 1):\n    lose()\nelse:\n    r.expire('k', 60)\n",
            "if not r.set('k', 1, nx=True, ex=60):\n    lose()\n",
            "safe",
        ),
        (
            "while not r.setnx('k', 1):\n    wait()\nr.expire('k', 60)\n",
            "while not r.set('k', 1, nx=True, ex=60):\n    wait()\n",
            "safe",
        ),
        ("assert r.setnx('k', 1)\nr.expire('k', 60)\n", "assert r.set('k', 1, nx=True, ex=60)\n", "safe"),
        (
            "def f():\n    won = r.setnx('k', 1)\n    if won is True:\n        r.expire('k', 60)\n    print(won)\n",
            "def f():\n    won = bool(r.set('k', 1, nx=True, ex=60))\n    print(won)\n",
            "unsafe",
        ),
        (
            "def f():\n    won = r.setnx('k', 1)\n    if not won:\n        return\n    r.expire('k', 60)\n",
            "def f():\n    won = r.set('k', 1, nx=True, ex=60)\n    if not won:\n        return\n",
            "safe",
        ),
        (
            "def f():\n    won = r.setnx('k', 1)\n    if won: r.expire('k', 60)\n    return lambda: won\n",
            "def f():\n    won = bool(r.set('k', 1, nx=True, ex=60))\n    return lambda: won\n",
            "unsafe",
        ),
        (
            "class C:\n    def f(self):\n        self.won = r.setnx('k', 1)\n        if self.won:\n"
            "            r.expire('k', 60)\n",
            "class C:\n    def f(self):\n        self.won = bool(r.set('k', 1, nx=True, ex=60))\n",
            "unsafe",
        ),
        (
            "def f(c=None):\n    c = c or r\n    if c.setnx('k', 1):\n        c.expire('k', 60)\n        x()\n",
            "def f(c=None):\n    c = c or r\n    if c.set('k', 1, nx=True, ex=60):\n        x()\n",
            "unsafe",
        ),
        ("r.setnx('k', 1)\nr.expire('k', 60)\n", "r.set('k', 1, nx=True, ex=60)\n", "unsafe"),
        ("x = r.setnx('k', 1) and r.expire('k', 60)\n", "x = bool(r.set('k', 1, nx=True, ex=60))\n", "unsafe"),
        ("if r.setnx('k', 1) and r.expire('k', 60): x()\n", "if r.set('k', 1, nx=True, ex=60): x()\n", "safe"),
        (
            "if r.set('k', 1, nx=True):\n    r.expire('k', t)\n    x()\n",
            "if r.set('k', 1, nx=True, ex=t):\n    x()\n",
            "unsafe",
        ),
        (
            "if r.set('k', 1, nx=True) is None:\n    x()\nelse:\n    r.expire('k', 5)\n",
            "if r.set('k', 1, nx=True, ex=5) is None:\n    x()\n",
            "safe",
        ),
    ],
)  # fmt: skip
def test_the_lifetime_moves_into_the_claim(mend: Mend, before: str, after: str, safety: str) -> None:
    mended = mend(before, "RG203")
    assert (mended.text, mended.safety) == (after, [safety])


def test_await_stays_where_it_is(mend: Mend) -> None:
    mended = mend(
        "async def f():\n    won = await r.setnx('k', 1)\n"
        "    if won:\n        await r.expire('k', 60)\n    return won\n",
        "RG203",
        head="from redis.asyncio import Redis\n\nr = Redis()\n\n\n",
    )
    assert mended.text == (
        "async def f():\n    won = bool(await r.set('k', 1, nx=True, ex=60))\n    return won\n"
    )


@pytest.mark.parametrize(
    "code",
    [
        "if r.setnx('k', 1) and x:\n    r.expire('k', 60)\n",
        "if r.setnx('k', 1) or x:\n    r.expire('k', 60)\n",
        "x = r.setnx('k', 1) if x else None\nif x:\n    r.expire('k', 60)\n",
        "def f(x):\n    won = r.setnx('k', 1)\n    won = won or x\n    if won:\n        r.expire('k', 60)\n",
        "def f(x):\n    if r.setnx('k', 1):\n        if x:\n            return\n        r.expire('k', 60)\n",
        "def f(x):\n    if r.setnx('k', 1):\n        for each in x:\n            r.expire('k', each)\n",
        "def f(x):\n    if r.setnx('k', 1):\n        t = x()\n        r.expire('k', t)\n",
        "while not r.setnx('k', 1):\n    if x():\n        break\nr.expire('k', 60)\n",
        "old = r.set('k', 1, nx=True, get=True)\nif old is None:\n    r.expire('k', 60)\n",
        "print(r.setnx('k', 1))\nr.expire('k', 60)\n",
        "r.msetnx({'k': 1})\nr.expire('k', 60)\n",
        "r.setnx(*args)\nr.expire('k', 60)\n",
    ],
)
def test_what_is_in_the_way_withholds_the_fix(mend: Mend, code: str) -> None:
    assert not mend(code, "RG203").fixes
