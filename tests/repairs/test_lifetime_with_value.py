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
        "r.set('k', 1, **{})\nr.expire('k', 60)\n",
        "r.set('k', 1)\nr.expire('k', 60 if 1 else (  # why\n    30))\n",
        "def f(x):\n    r.set('k', 1)\n    if x:\n        return\n    r.expire('k', 60)\n",
    ],
)
def test_what_is_in_the_way_withholds_the_fix(mend: Mend, code: str) -> None:
    assert not mend(code, "RG201").fixes
