"""RG201: the lifetime goes into the SET."""

from collections.abc import Callable

import pytest

from tests.repairs.conftest import Mended

Mend = Callable[..., Mended]


@pytest.mark.parametrize(
    ("before", "after", "safety"),
    [
        ("r.set('k', 1)\nr.expire('k', 60)\n", "r.set('k', 1, ex=60)\n", "safe"),
        ("r.set('k', 1)\nr.pexpire('k', 2500)\n", "r.set('k', 1, px=2500)\n", "safe"),
        ("r['k'] = 1\nr.expire('k', 60)\n", "r.set('k', 1, ex=60)\n", "safe"),
        ("r.set('k', 1)\nr.expire(time=60, name='k')\n", "r.set('k', 1, ex=60)\n", "safe"),
        ("r.set('k', (1),)\nr.expire('k', 60)\n", "r.set('k', (1), ex=60,)\n", "safe"),
        (
            "r.set(\n    'k',\n    1,\n)\nr.expire('k', 60)\n",
            "r.set(\n    'k',\n    1,\n    ex=60,\n)\n",
            "safe",
        ),
        ("r.set('k', 1); r.expire('k', 60)\n", "r.set('k', 1, ex=60)\n", "safe"),
        ("r.set('k', 1)\nr.expire('k', 60)", "r.set('k', 1, ex=60)\n", "safe"),
        (
            "r.set('k', 1)  # a\nr.expire('k', 60)  # b\n",
            "r.set('k', 1, ex=60)  # a\n# b\n",
            "safe",
        ),
        (
            "r.execute_command('SET', 'k', 1)\nr.execute_command('EXPIRE', 'k', 60)\n",
            "r.execute_command('SET', 'k', 1, \"EX\", 60)\n",
            "unsafe",
        ),
        (
            "def f(t):\n    r.set('k', 1)\n    r.expire('k', t)\n",
            "def f(t):\n    r.set('k', 1, ex=t)\n",
            "unsafe",
        ),
        ("r.set('k', 1)\nr.expire('k', 24 * 60 * 60)\n", "r.set('k', 1, ex=24 * 60 * 60)\n", "safe"),
        ("r.set('k', 1)\nr.expire('k', 60, nx=True)\n", "r.set('k', 1, ex=60)\n", "safe"),
        ("r.getset('k', 1)\nr.expire('k', 60)\n", "r.set('k', 1, ex=60, get=True)\n", "unsafe"),
        ("r['k'] = 1, 2\nr.expire('k', 60)\n", "r.set('k', (1, 2), ex=60)\n", "safe"),
        ("r.set('k', 1)\nr.expireat('k', when)\n", "r.set('k', 1, exat=when)\n", "unsafe"),
        ("if r.set('k', 1):\n    r.expire('k', 60)\n", "r.set('k', 1, ex=60)\n", "safe"),
        ("x = r.set('k', 1) and r.expire('k', 60)\n", "x = r.set('k', 1, ex=60)\n", "safe"),
        ("r.set('k', 1)\nwork()\nr.expire('k', 60)\n", "r.set('k', 1, ex=60)\nwork()\n", "unsafe"),
        (
            "def get():\n    return r\n\nget().set('k', 1)\nget().expire('k', 60)\n",
            "def get():\n    return r\n\nget().set('k', 1, ex=60)\n",
            "unsafe",
        ),
        (
            "def f(self):\n    self.redis.set('k', 1)\n    self.redis.expire('k', 60)\n",
            "def f(self):\n    self.redis.set('k', 1, ex=60)\n",
            "unsafe",
        ),
        (
            "def f(n):\n\tr.set('k', n)\n\tr.expire('k', 60)\n",
            "def f(n):\n\tr.set('k', n, ex=60)\n",
            "safe",
        ),
        ("r.set('k', 1)\r\nr.expire('k', 60)\r\nx = 1\r\n", "r.set('k', 1, ex=60)\r\nx = 1\r\n", "safe"),
        (
            "if x:\n    r.set('k', 1)\nr.expire('k', 60)\n",
            "if x:\n    r.set('k', 1, ex=60)\nr.expire('k', 60)\n",
            "safe",
        ),
        (
            "def f():\n    try:\n        r.set('k', 1)\n    except OSError:\n        return\n    r.expire('k', 60)\n",
            "def f():\n    try:\n        r.set('k', 1, ex=60)\n    except OSError:\n        return\n",
            "unsafe",
        ),
        (
            "if x or not r.set('k', 1):\n    y()\nr.expire('k', 60)\n",
            "if x or not r.set('k', 1, ex=60):\n    y()\nr.expire('k', 60)\n",
            "unsafe",
        ),
        (
            "with r.pipeline() as p:\n    p.set('k', 1)\n    p.execute()\nr.expire('k', 60)\n",
            "with r.pipeline() as p:\n    p.set('k', 1, ex=60)\n    p.execute()\n",
            "unsafe",
        ),
        (
            "def f(p=None):\n    p = p or r\n    p.set('k', 1)\n    p.expire('k', 60)\n",
            "def f(p=None):\n    p = p or r\n    p.set('k', 1, ex=60)\n",
            "unsafe",
        ),
        (
            "r.set('k', 1)\nif x:\n    r.expire('k', 60)\nelse:\n    r.expire('k', t)\n",
            "r.set('k', 1, ex=60 if x else t)\n",
            "unsafe",
        ),
    ],
)
def test_the_lifetime_moves_into_the_write(mend: Mend, before: str, after: str, safety: str) -> None:
    mended = mend(before, "RG201")
    assert (mended.text, mended.safety) == (after, [safety])


@pytest.mark.parametrize(
    "code",
    [
        "r.set('k', 1)\nif r.expire('k', 60):\n    print()\n",
        "r.set('k', 1)\nr.expire('k', 60, xx=True)\n",
        "def f(t):\n    r.set('k', 1)\n    if t:\n        r.expire('k', t)\n",
        "def f(t=None):\n    r.set('k', 1)\n    r.expire('k', t)\n",
        "def f(x):\n    r.set('k', 1)\n    t = x()\n    r.expire('k', t)\n",
        "def f(self):\n    r.set('k', 1)\n    self.t = 5\n    r.expire('k', self.t)\n",
        "def f():\n    r.set('k', 1)\n    r.expire('k', (yield))\n",
        "r.set('k', 1)\nr.set('k', 2)\nr.expire('k', 60)\n",
        "r.set('k', 1)\ntry:\n    r.expire('k', 60)\nexcept OSError:\n    pass\n",
        "try:\n    r.set('k', 1)\nexcept OSError:\n    pass\nr.expire('k', 60)\n",
        "old = r.set('k', 1, get=True)\nif old:\n    r.expire('k', 60)\n",
        "r.set('k', 1)\nfor x in y:\n    r.expire('k', 60)\n",
        "r.set('k', 1)\np = r.pipeline()\np.expire('k', 60)\na, b = p.execute()\n",
        "r.mset({'k': 1})\nr.expire('k', 60)\n",
        "r.append('k', 1)\nr.expire('k', 60)\n",
        "r.set('k', 1)\nif x:\n    y()\n    r.expire('k', 60)\nelse:\n    r.expire('k', 5)\n",
        "r.set('k', 1, **{})\nr.expire('k', 60)\n",
        "def f(x):\n    r.set('k', 1)\n    if x:\n        return\n    r.expire('k', 60)\n",
    ],
)
def test_what_is_in_the_way_withholds_the_fix(mend: Mend, code: str) -> None:
    assert not mend(code, "RG201").fixes


@pytest.mark.parametrize(
    "code", ["r.getset('k', 1)\nr.expire('k', 60)\n", "r.set('k', 1)\nr.expireat('k', when)\n"]
)
def test_a_server_that_is_too_old_withholds_the_fix(mend: Mend, code: str) -> None:
    assert mend(code, "RG201", server="6.0").safety == ["none"]


def test_a_lifetime_that_would_be_cut_to_nothing_is_not_moved(mend: Mend) -> None:
    code = "r.set('k', 1)\nr.expire('k', timedelta(milliseconds=500))\n"
    assert not mend("from datetime import timedelta\n" + code, "RG201").fixes


GATHERED = "import asyncio\n\nfrom redis.asyncio import Redis\n\nr = Redis()\n\n\nasync def f():\n    "


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("await asyncio.gather(r.set('k', 1), r.expire('k', 60))\n", "await r.set('k', 1, ex=60)\n"),
        (
            "await asyncio.gather(r.set('k', 1), r.expire('k', 60), work())\n",
            "await asyncio.gather(r.set('k', 1, ex=60), work())\n",
        ),
    ],
)
def test_of_two_calls_on_their_way_at_one_time_one_is_left(mend: Mend, before: str, after: str) -> None:
    mended = mend(before, "RG201", head=GATHERED)
    assert (mended.text, mended.safety) == (after, ["unsafe"])


def test_a_list_of_answers_that_is_read_keeps_its_length(mend: Mend) -> None:
    code = "a, b = await asyncio.gather(r.set('k', 1), r.expire('k', 60))\n"
    assert mend(code, "RG201", head=GATHERED).safety == ["none"]
