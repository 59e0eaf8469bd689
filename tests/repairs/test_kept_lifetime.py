"""RG402: the write keeps the lifetime."""

from collections.abc import Callable

import pytest

from tests.repairs.conftest import Mended

Mend = Callable[..., Mended]
GIVEN = "r.set('k', 0, ex=60)\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("r.set('k', 1)\n", "r.set('k', 1, keepttl=True)\n"),
        ("r['k'] = 1\n", "r.set('k', 1, keepttl=True)\n"),
        ("x = r.set('k', 1, get=True)\n", "x = r.set('k', 1, get=True, keepttl=True)\n"),
        ("x = r.getset('k', 1)\n", "x = r.set('k', 1, keepttl=True, get=True)\n"),
        ("r.execute_command('SET', 'k', 1)\n", "r.execute_command('SET', 'k', 1, \"KEEPTTL\")\n"),
    ],
)
def test_keepttl_is_added(mend: Mend, before: str, after: str) -> None:
    mended = mend(GIVEN + before, "RG402")
    assert (mended.text, mended.safety) == (GIVEN + after, ["unsafe"])


@pytest.mark.parametrize(
    ("write", "server", "fixes"),
    [
        ("r.set('k', 1)\n", "5.0", 0),
        ("r.set('k', 1)\n", "6.0", 1),
        ("r.getset('k', 1)\n", "6.0", 0),
        ("r.getset('k', 1)\n", "6.2", 1),
        ("r.sunionstore('k', 'a', 'b')\n", "7.0", 0),
    ],
)
def test_the_server_has_to_know_it(mend: Mend, write: str, server: str, fixes: int) -> None:
    mended = mend(GIVEN + write, "RG402", server=server)
    assert len(mended.findings) == 1
    assert len(mended.fixes) == fixes
