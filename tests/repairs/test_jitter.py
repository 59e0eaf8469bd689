"""RG408: lifetimes of one batch are spread."""

from collections.abc import Callable

import pytest

from tests.repairs.conftest import Mended

Mend = Callable[..., Mended]
HEAD = (
    "import random\nfrom datetime import timedelta\n\nimport redis\nfrom django.core.cache import cache\n\n"
    "r = redis.Redis()\nHOUR = 3600\nFOR = timedelta(hours=1)\n"
)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("r.set(f'p:{p}', p.x, ex=3600)", "r.set(f'p:{p}', p.x, ex=3600 + random.randrange(360))"),
        ("r.set(f'p:{p}', p.x, 3600)", "r.set(f'p:{p}', p.x, 3600 + random.randrange(360))"),
        ("r.set(f'p:{p}', p.x, ex=60 * 60)", "r.set(f'p:{p}', p.x, ex=60 * 60 + random.randrange(360))"),
        ("r.setex(f'p:{p}', HOUR, p.x)", "r.setex(f'p:{p}', HOUR + random.randrange(HOUR // 10), p.x)"),
        ("r.set(f'p:{p}', p.x, px=3_600_000)", "r.set(f'p:{p}', p.x, px=3_600_000 + random.randrange(360_000))"),
        ("r.set(f'p:{p}', p.x, ex=FOR)", "r.set(f'p:{p}', p.x, ex=FOR * random.uniform(1, 1.1))"),
        ("cache.set(f'p:{p}', p.x, HOUR)", "cache.set(f'p:{p}', p.x, HOUR + random.randrange(HOUR // 10))"),
    ],
)  # fmt: skip
def test_chance_is_added(mend: Mend, before: str, after: str) -> None:
    loop = "def f(pages):\n    for p in pages:\n        "
    mended = mend(f"{loop}{before}\n", "RG408", head=HEAD)
    assert (mended.text, mended.safety) == (f"{loop}{after}\n", ["unsafe"])


CODE = "def f(pages):\n    for p in pages:\n        r.set(f'p:{p}', p.x, ex=3600)\n"


def test_the_module_is_imported(mend: Mend) -> None:
    [fix] = mend(CODE, "RG408").fixes
    assert [edit.text for edit in fix.edits] == ["import random\n\n", "3600 + random.randrange(360)"]


@pytest.mark.parametrize(
    "other", ["from random import random\n", "from os import urandom as random\n", "random = 1\n"]
)
def test_another_thing_of_that_name_withholds_the_fix(mend: Mend, other: str) -> None:
    assert mend(other + CODE, "RG408").safety == ["none"]


def test_one_lifetime_for_a_whole_batch_stays(mend: Mend) -> None:
    code = "def f(pages):\n    cache.set_many({f'p:{p}': p.x for p in pages}, timeout=HOUR)\n"
    assert mend(code, "RG408", head=HEAD).safety == ["none"]
