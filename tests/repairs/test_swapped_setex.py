"""RG406: SETEX with its arguments swapped becomes SET."""

from collections.abc import Callable

import pytest

from tests.repairs.conftest import Mended

Mend = Callable[..., Mended]


@pytest.mark.parametrize(
    ("before", "after", "safety"),
    [
        ("r.setex('k', 'text', 60)\n", "r.set('k', 'text', ex=60)\n", "safe"),
        ("r.setex('k', '7', 60)\n", "r.set('k', '7', ex=60)\n", "unsafe"),
        ("r.psetex('k', 'text', 60_000)\n", "r.set('k', 'text', px=60_000)\n", "safe"),
        ("r.setex('k', value=60, time='text')\n", "r.set('k', ex=60, value='text')\n", "safe"),
        ("r.setex('k', 'text', value=60)\n", "r.set('k', 'text', ex=60)\n", "safe"),
        (
            "def f(code: str):\n    r.setex(\n        'k',\n        code,\n        60,  # a minute\n    )\n",
            "def f(code: str):\n    r.set(\n        'k',\n        code,\n        ex=60,  # a minute\n    )\n",
            "unsafe",
        ),
    ],
)
def test_set_names_the_lifetime(mend: Mend, before: str, after: str, safety: str) -> None:
    mended = mend(before, "RG406")
    assert (mended.text, mended.safety) == (after, [safety])
