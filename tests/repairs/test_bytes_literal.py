"""RG804: text that is compared with bytes becomes bytes."""

from collections.abc import Callable

import pytest

from tests.repairs.conftest import Mended

Mend = Callable[..., Mended]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("r.get(k) == '1'", "r.get(k) == b'1'"),
        ("'1' != r.get(k)", "b'1' != r.get(k)"),
        ("r.get(k) == u'1'", "r.get(k) == b'1'"),
        ("r.get(k) == r'a\\d'", "r.get(k) == br'a\\d'"),
        ("r.get(k) == 'é'", "r.get(k) == 'é'.encode()"),
        ("r.get(k) == '\\N{BULLET}'", "r.get(k) == '\\N{BULLET}'.encode()"),
        ("r.get(k) in ('a', \"b\")", "r.get(k) in (b'a', b\"b\")"),
        ("r.get(k) == f'{k}'", "r.get(k) == f'{k}'.encode()"),
        ("'x' in r.smembers(k)", "b'x' in r.smembers(k)"),
    ],
)
def test_the_text_becomes_bytes(mend: Mend, before: str, after: str) -> None:
    mended = mend(f"def f(k):\n    return {before}  # as it is stored\n", "RG804")
    expected = f"def f(k):\n    return {after}  # as it is stored\n"
    assert (mended.text, mended.safety) == (expected, ["unsafe"])


@pytest.mark.parametrize("code", ["r.get(k) == 'a' 'b'", "r.get(k) == 'a' == x", "r.get(k) == 'a' + 'b'"])
def test_what_is_not_one_text_is_left(mend: Mend, code: str) -> None:
    assert not mend(f"def f(k, x):\n    return {code}\n", "RG804").fixes
