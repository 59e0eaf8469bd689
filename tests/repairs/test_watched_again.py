"""RG211: a WATCH that was in vain is tried again."""

from collections.abc import Callable

import pytest

from tests.repairs.conftest import Mended

Mend = Callable[..., Mended]
BEFORE = """\
def take(k):
    with r.pipeline() as p:
        p.watch(k)
        left = int(p.get(k) or 0)  # now
        p.multi()

        p.set(k, left - 1, ex=60)
        p.execute()
    return left
"""
AFTER = """\
def take(k):
    with r.pipeline() as p:
        while True:
            try:
                p.watch(k)
                left = int(p.get(k) or 0)  # now
                p.multi()

                p.set(k, left - 1, ex=60)
                p.execute()
                break
            except WatchError:
                continue
    return left
"""


def test_the_block_is_tried_again(mend: Mend) -> None:
    mended = mend(BEFORE, "RG211")
    head = "import redis\nfrom redis.exceptions import WatchError\n\nr = redis.Redis()\n\n\n"
    assert (mended.text, mended.safety) == (head + AFTER, ["unsafe"])


def test_line_ends_stay(mend: Mend) -> None:
    head = "import redis\r\nfrom redis.exceptions import WatchError\r\n\r\nr = redis.Redis()\r\n\r\n\r\n"
    mended = mend(BEFORE.replace("\n", "\r\n"), "RG211", head=head)
    assert mended.text == AFTER.replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("        p.execute()\n", "        p.execute()\n        print(left)\n"),
        ("left = int(p.get(k) or 0)", "left = int(p.get(k) or '''\n0''')"),
        ("        p.execute()\n", "        if left:\n            p.execute()\n"),
        ("        p.watch(k)\n", "        print(k)\n        p.watch(k)\n"),
    ],
)
def test_another_shape_is_left_to_people(mend: Mend, old: str, new: str) -> None:
    mended = mend(BEFORE.replace(old, new), "RG211")
    assert mended.findings
    assert not mended.fixes
