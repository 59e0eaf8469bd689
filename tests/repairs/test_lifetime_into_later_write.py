"""RG206: the lifetime goes into the write that comes after it."""

from collections.abc import Callable

import pytest

from tests.repairs.conftest import Mended

Mend = Callable[..., Mended]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("r.expire('k', 60)\nr.set('k', 1)\n", "r.set('k', 1, ex=60)\n"),
        (
            "r.expire('k', 60)\nwith r.lock('l', timeout=5):\n    r.set('k', 1)\n",
            "with r.lock('l', timeout=5):\n    r.set('k', 1, ex=60)\n",
        ),
        ("r.expire('k', 60)\nr['k'] = 1\n", "r.set('k', 1, ex=60)\n"),
        ("r.pexpire('k', t)\nx = 1\nr.getset('k', x)\n", "x = 1\nr.set('k', x, px=t, get=True)\n"),
        (
            "with r.pipeline() as p:\n    p.expire('k', 60)  # a\n    p.sadd('k', 1)\n    p.execute()\n",
            "with r.pipeline() as p:\n    p.sadd('k', 1)  # a\n    p.expire('k', 60)\n    p.execute()\n",
        ),
    ],
)
def test_the_lifetime_moves_into_the_write(mend: Mend, before: str, after: str) -> None:
    mended = mend(before, "RG206")
    assert (mended.text, mended.safety) == (after, ["unsafe"])


@pytest.mark.parametrize(
    "code",
    [
        "r.expire('k', 60)\nr.sadd('k', 1)\n",
        "r.expire('k', 60)\nr.setnx('k', 1)\n",
        "r.expire('k', 60, xx=True)\nr.set('k', 1)\n",
        "with r.pipeline() as p:\n    p.expire('k', 60, xx=True)\n    p.sadd('k', 1)\n    p.execute()\n",
        "r.expire('k', 60)\nr.set('k', 1, **x)\n",
        "def f(t):\n    r.expire('k', t)\n    t = t + 1\n    r.set('k', t)\n",
        "with r.pipeline() as p:\n    p.expire('k', 60)\n    p.set('k', 1)\n    a, b = p.execute()\n",
        "with r.pipeline() as p:\n    p.expire('k', 60)\n    p.sadd('k', 1)\n    a, b = p.execute()\n",
    ],
)
def test_what_is_in_the_way_withholds_the_fix(mend: Mend, code: str) -> None:
    assert not mend(code, "RG206").fixes
