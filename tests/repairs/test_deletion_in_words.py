"""RG405: an EXPIRE that deletes says so; what is shorter than a second goes into milliseconds."""

from collections.abc import Callable

import pytest

from tests.repairs.conftest import CLIENT, Mended

Mend = Callable[..., Mended]
HEAD = f"from datetime import timedelta\n\n{CLIENT}OFF = 0\nTICK = timedelta(milliseconds=500)\n"


@pytest.mark.parametrize(
    ("before", "after", "safety"),
    [
        ("r.expire('k', 0)\n", "r.delete('k')\n", "safe"),
        ("r.pexpire('k', -1)\n", "r.delete('k')\n", "safe"),
        ("r.expire(time=0, name='k')\n", "r.delete('k')\n", "safe"),
        ("if r.expire('k', 0):\n    pass\n", "if r.delete('k'):\n    pass\n", "safe"),
        ("x = r.expire('k', 0)\n", "x = bool(r.delete('k'))\n", "unsafe"),
        ("r.expire('k', OFF)\n", "r.delete('k')\n", "unsafe"),
        ("r.expire('k', timedelta(days=-1))\n", "r.delete('k')\n", "safe"),
        ("r.hexpire('k', 0, 'f', 'g')\n", "r.hdel('k', 'f', 'g')\n", "safe"),
        (
            "p = r.pipeline()\np.expire('k', 0)\np.execute()\n",
            "p = r.pipeline()\np.delete('k')\np.execute()\n",
            "unsafe",
        ),
        ("r.expire('k', TICK)\n", "r.pexpire('k', TICK)\n", "unsafe"),
        ("r.set('k', 1, ex=TICK)\n", "r.set('k', 1, px=TICK)\n", "unsafe"),
        ("r.setex('k', TICK, 1)\n", "r.set('k', 1, px=TICK)\n", "unsafe"),
        ("r.set('k', 1, ex=0.25)\n", "r.set('k', 1, px=250)\n", "unsafe"),
    ],
)
def test_the_lifetime_is_put_right(mend: Mend, before: str, after: str, safety: str) -> None:
    mended = mend(before, "RG405", head=HEAD)
    assert (mended.text, mended.safety) == (after, [safety])


@pytest.mark.parametrize(
    "code",
    [
        "r.set('k', 1, ex=0)\n",
        "r.setex('k', 0, 1)\n",
        "r.expire('k', 0, xx=True)\n",
        "r.expire('k', 0 if x else 60)\n",
        "r.expire('k', *[0])\n",
        "r.execute_command('EXPIRE', 'k', 0)\n",
        "r.hexpire('k', 0, 'f', nx=True)\n",
        "r.set('k', 1, px=0.5)\n",
        "r.set('k', 1, ex=1e-4)\n",
    ],
)
def test_what_may_be_meant_otherwise_has_no_fix(mend: Mend, code: str) -> None:
    assert not mend(code, "RG405", head=HEAD).fixes
