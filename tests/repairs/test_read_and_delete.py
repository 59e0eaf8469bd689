"""RG210: GET and DELETE become GETDEL."""

from collections.abc import Callable

import pytest

from tests.repairs.conftest import Mended

Mend = Callable[..., Mended]
HEAD = (
    "import json\n\nimport redis\nimport redis.asyncio\n\nr = redis.Redis()\na = redis.asyncio.Redis()\n\n\n"
)
IN_ONE = [
    ("v = r.get('k')\nr.delete('k')\nprint(v)\n", "v = r.getdel('k')\nprint(v)\n", "safe"),
    ("v = r.get('k')\ndel r['k']\nprint(v)\n", "v = r.getdel('k')\nprint(v)\n", "safe"),
    ("v = r.get('k'); r.unlink('k')\nprint(v)\n", "v = r.getdel('k')\nprint(v)\n", "safe"),
    (
        "v: bytes = r.get('k')  # a\nr.delete('k')  # b\nprint(v)\n",
        "v: bytes = r.getdel('k')  # a\n# b\nprint(v)\n",
        "safe",
    ),
    (
        "async def f(k):\n    v = await a.get(k)\n    await a.delete(k)\n    return v\n",
        "async def f(k):\n    v = await a.getdel(k)\n    return v\n",
        "safe",
    ),
    (
        "v = json.loads(r.get('k'))\nr.delete('k')\nprint(v)\n",
        "v = json.loads(r.getdel('k'))\nprint(v)\n",
        "unsafe",
    ),
    (
        "def f(k):\n    v = r.get(k)\n    if not v:\n        raise KeyError(k)\n    r.delete(k)\n    return v\n",
        "def f(k):\n    v = r.getdel(k)\n    if not v:\n        raise KeyError(k)\n    return v\n",
        "unsafe",
    ),
    (
        "def f(k):\n    v = r.get(k)\n    if v is not None:\n        r.delete(k)\n    return v\n",
        "def f(k):\n    v = r.getdel(k)\n    return v\n",
        "unsafe",
    ),
    (
        "def f(k):\n    v = r.get(k)\n    if v:\n        v = json.loads(v)\n        r.delete(k)\n        return v\n",
        "def f(k):\n    v = r.getdel(k)\n    if v:\n        v = json.loads(v)\n        return v\n",
        "unsafe",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "safety"), IN_ONE)
def test_one_step_reads_and_deletes(mend: Mend, before: str, after: str, safety: str) -> None:
    mended = mend(before, "RG210", head=HEAD)
    assert (mended.text, mended.safety) == (after, [safety])


def test_getdel_needs_redis_6_2(mend: Mend) -> None:
    code = "v = r.get('k')\nr.delete('k')\nprint(v)\n"
    assert mend(code, "RG210", server="6.0").safety == ["none"]


@pytest.mark.parametrize(
    "code",
    [
        "def f(k):\n    v = r.get(k)\n    send(v)\n    r.delete(k)\n",
        "def f(k, w):\n    v = r.get(f'otp:{k}')\n    if v == w:\n        r.delete(f'otp:{k}')\n        return v\n",
        "def f(k, w):\n    v = r.get(k)\n    if w:\n        r.delete(k)\n    return v\n",
        "def f(k):\n    try:\n        v = r.get(k)\n    finally:\n        r.delete(k)\n    return v\n",
        "v = r.get('k')\nr.delete('k', 'l')\nprint(v)\n",
        "p = r.pipeline()\nv = r.get('k')\np.delete('k')\np.execute()\nprint(v)\n",
        "v = r.hget('h', 'f')\nr.hdel('h', 'f')\nprint(v)\n",
        "v = r.get('k')\nn = r.delete('k')\nprint(v, n)\n",
        "def f(k):\n    v = r.get(k)\n    if v:  # why\n        # because\n        r.delete(k)\n    return [v, k]\n",
    ],
)
def test_what_is_in_the_way_withholds_the_fix(mend: Mend, code: str) -> None:
    assert mend(code, "RG210", head=HEAD).safety == ["none"]
