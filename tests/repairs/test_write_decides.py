"""RG209: the write decides, and not the look before it."""

from collections.abc import Callable
from textwrap import dedent

import pytest

from tests.repairs.conftest import Mended

Mend = Callable[..., Mended]
HEAD = "import redis\n\nr = redis.Redis()\na = redis.asyncio.Redis()\n\n\n"

TURNED = {
    "a guard becomes the write": (
        """
        def f(k, v):
            if r.exists(k):
                raise ValueError(k)
            r.set(k, v, ex=60)
            go()
        """,
        """
        def f(k, v):
            if not r.set(k, v, ex=60, nx=True):
                raise ValueError(k)
            go()
        """,
    ),
    "where only the outcome is told it is returned": (
        """
        def f(k, v):
            if not r.exists(k):
                r.set(k, v, ex=60)
                return True
            return False
        """,
        """
        def f(k, v):
            return bool(r.set(k, v, ex=60, nx=True))
        """,
    ),
    "or its contrary": (
        """
        def seen(k):
            if r.exists(k):
                return True

            r.setex(k, 60, "1")
            return False
        """,
        """
        def seen(k):
            return not r.set(k, "1", ex=60, nx=True)
        """,
    ),
    "SET NX gives True or None": (
        """
        async def f(k, v):
            if await a.exists(k):
                return None
            return await a.set(k, v, ex=60)
        """,
        """
        async def f(k, v):
            return await a.set(k, v, ex=60, nx=True)
        """,
    ),
    "SETEX is spelled as SET": (
        """
        async def f(k, v):
            if await a.exists(k) == 0:
                await a.setex(k, 60, v)
            else:
                print("no")
        """,
        """
        async def f(k, v):
            if not await a.set(k, v, ex=60, nx=True):
                print("no")
        """,
    ),
    "an item assignment": (
        "if 'k' not in r: r['k'] = 1\n",
        "r.set('k', 1, nx=True)\n",
    ),
    "a field of a hash": (
        "if not r.hexists('h', 'f'):\n    r.hset('h', 'f', 1)\n",
        "r.hsetnx('h', 'f', 1)\n",
    ),
    "the step in an else": (
        """
        def f(k):
            if r.exists(k):
                print("there")
            else:
                r.set(
                    k,
                    1,
                    ex=60,
                )
        """,
        """
        def f(k):
            if not r.set(
                k,
                1,
                ex=60,
                nx=True,
            ):
                print("there")
        """,
    ),
    "other questions stay": (
        "def f(k, v):\n    if v and not r.exists(k):\n        r.set(k, v, ex=60)\n",
        "def f(k, v):\n    if v:\n        r.set(k, v, ex=60, nx=True)\n",
    ),
    "a question that spares the write stays before it": (
        "def f(k, x):\n    if x or r.exists(k):\n        return\n    r.set(k, 1, ex=60)\n",
        "def f(k, x):\n    if x or not r.set(k, 1, ex=60, nx=True):\n        return\n",
    ),
    "a look that was kept in a variable": (
        "def f(k):\n    there = r.exists(k)\n    if there:\n        return\n    r.set(k, 1, ex=60)\n    go()\n",
        "def f(k):\n    if not r.set(k, 1, ex=60, nx=True):\n        return\n    go()\n",
    ),
    "comments stay": (
        """
        def f(k):
            if r.hexists(k, "f"):  # one
                return False
            # two
            r.hset(k, "f", 1)  # three
            return True
        """,
        """
        def f(k):
            if not r.hsetnx(k, "f", 1):  # one
                return False
            # two
            # three
            return True
        """,
    ),
    "the look stays where a value is dear": (
        "def f(k):\n    if not r.exists(k):\n        r.set(k, load(), ex=60)\n",
        "def f(k):\n    if not r.exists(k):\n        r.set(k, load(), ex=60, nx=True)\n",
    ),
    "and where the look is one way among others": (
        "def f(k, v):\n    if v:\n        go()\n    elif not r.exists(k):\n        r.set(k, v, ex=60)\n",
        "def f(k, v):\n    if v:\n        go()\n    elif not r.exists(k):\n        r.set(k, v, ex=60, nx=True)\n",
    ),
    "and the write decides again": (
        """
        def f(ks):
            for k in ks:
                if r.exists(k):
                    continue
                value = load(k)
                r.set(k, value, ex=60)  # there
                go()
        """,
        """
        def f(ks):
            for k in ks:
                if r.exists(k):
                    continue
                value = load(k)
                if not r.set(k, value, ex=60, nx=True):  # there
                    continue
                go()
        """,
    ),
    "a text over several lines keeps its content": (
        'if not r.exists("k"):\n    r.set("k", """a\n    b""", ex=60)\n',
        'r.set("k", """a\n    b""", ex=60, nx=True)\n',
    ),
    "tabs and Windows line ends": (
        "def f(k):\r\n\tif r.exists(k):\r\n\t\treturn\r\n\tx = load()\r\n\tr.set(k, x, ex=60)\r\n\tgo()\r\n",
        "def f(k):\r\n\tif r.exists(k):\r\n\t\treturn\r\n\tx = load()\r\n"
        "\tif not r.set(k, x, ex=60, nx=True):\r\n\t\treturn\r\n\tgo()\r\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), TURNED.values(), ids=TURNED.keys())
def test_the_write_decides(mend: Mend, before: str, after: str) -> None:
    mended = mend(dedent(before), "RG209", head=HEAD)
    assert (mended.text, mended.safety) == (dedent(after), ["unsafe"])
    assert not mend(mended.text, "RG209", head=HEAD).findings


WITHHELD = {
    "elif": "def f(k, v):\n    if v:\n        go()\n    elif not r.exists(k):\n        r.set(k, v)\n        go()\n",
    "or": "def f(k, v):\n    if v or not r.exists(k):\n        r.set(k, v, ex=60)\n",
    "queued": "p = r.pipeline()\nif not r.exists('k'):\n    p.set('k', 1, ex=60)\np.execute()\n",
    "another client": "s = redis.Redis()\nif not r.exists('k'):\n    s.set('k', 1, ex=60)\n",
    "several keys": "if not r.exists('k', 'l'):\n    r.set('k', 1, ex=60)\n",
    "a star": "def f(k, *v):\n    if not r.exists(k):\n        r.set(k, *v)\n",
    "its answer is used": "if not r.exists('k'):\n    print(r.set('k', 1, ex=60))\n",
    "only what is there": "if not r.exists('k'):\n    r.set('k', 1, ex=60, get=True)\n",
    "a lifetime follows": "if not r.exists('k'):\n    r.set('k', 1)\n    r.expire('k', 60)\n",
    "work before the write": "def f(k):\n    if r.exists(k):\n        return\n    send()\n    r.set(k, 1, ex=60)\n",
    "a value is compared": "if r.get('k') == b'new':\n    r.set('k', 'old', ex=60)\n",
    "a second way": "def f(k):\n    if not r.exists(k):\n        r.set(k, load(), ex=60)\n    else:\n        go()\n",
    "a field, and the whole hash": "if not r.exists('h'):\n    r.hset('h', 'f', 1)\n",
    "several fields": "def f(m):\n    if not r.hexists('h', 'f'):\n        r.hset('h', mapping=m)\n",
}


@pytest.mark.parametrize("code", WITHHELD.values(), ids=WITHHELD.keys())
def test_what_is_in_the_way_withholds_the_fix(mend: Mend, code: str) -> None:
    mended = mend(code, "RG209")
    assert not mended.fixes


def test_a_lock_that_is_given_back_elsewhere_is_left_alone(mend: Mend) -> None:
    code = """
    def acquire_lock():
        if r.exists("lock:a"):
            return False
        r.set("lock:a", "1", ex=60)
        return True


    def release_lock():
        r.delete("lock:a")
    """
    assert mend(dedent(code), "RG209").safety == ["none"]
