"""The comparison of a fixer's text with what a fixture expects."""

from pathlib import Path

import pytest

from tests.proof.fixing import mismatch
from tests.proof.fixture import Fixture, load

HEAD = '"""\nentry: f\n{}\n"""\n'
CODE = "def f():\r\n\tpass\n"
FIXED = "def f():\r\n\treturn\n"


@pytest.fixture
def fixtures(tmp_path: Path) -> list[Fixture]:
    folder = tmp_path / "rg201_set_then_expire"
    folder.mkdir()
    safe, withheld = HEAD.format("safety: safe"), HEAD.format("withheld: there is a reason")
    (folder / "a.py").write_bytes((safe + CODE).encode())
    (folder / "a.fixed.py").write_bytes((safe + FIXED).encode())
    (folder / "b.py").write_bytes((withheld + CODE).encode())
    return load(tmp_path)


def test_a_fixer_that_writes_what_is_expected_has_no_mismatch(fixtures: list[Fixture]) -> None:
    def fixer(fixture: Fixture) -> bytes:
        return fixture.original if fixture.withheld else fixture.original.replace(b"pass", b"return")

    assert [mismatch(fixture, fixer) for fixture in fixtures] == ["", ""]


def test_a_fixer_that_does_nothing_is_right_only_where_the_fix_is_withheld(fixtures: list[Fixture]) -> None:
    fixed, withheld = (mismatch(fixture, lambda fixture: fixture.original) for fixture in fixtures)
    assert "-\\treturn\\n" in fixed
    assert "+\\tpass\\n" in fixed
    assert not withheld


def test_a_fix_where_none_may_be_is_a_mismatch(fixtures: list[Fixture]) -> None:
    assert mismatch(fixtures[1], lambda fixture: fixture.original.replace(b"pass", b"return"))


def test_a_lost_carriage_return_is_shown(fixtures: list[Fixture]) -> None:
    def fixer(fixture: Fixture) -> bytes:
        return fixture.expected.replace(b"\r", b"")

    assert "-def f():\\r\\n\n+def f():\\n" in mismatch(fixtures[0], fixer)


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("safety: certain", "it is safe or unsafe"),
        ("safety: safe\nassumes: x > 0", "a safe fix assumes nothing"),
        ("safety: safe\nwithheld: because", "either how safe the fix is or why it is withheld"),
        ("inputs: {}", "either how safe the fix is or why it is withheld"),
        ("safety: safe\nprecondition: x", "its head says precondition, which nobody knows"),
        ("safety: safe\nrequires: Redis 7", "is no version of Redis"),
        ("safety: safe\ndiffers: [lifetime]", "`differs` and `gives` belong together"),
        ("safety: safe\nwaives: [everything]", "`waives` knows refused-write"),
        ("safety: [", "while parsing"),
    ],
)
def test_a_head_that_says_nonsense_is_refused_with_its_file(tmp_path: Path, head: str, said: str) -> None:
    folder = tmp_path / "rg201_set_then_expire"
    folder.mkdir()
    for name in ("a.py", "a.fixed.py"):
        (folder / name).write_text(HEAD.format(head) + CODE)
    with pytest.raises(ValueError) as refused:
        load(tmp_path)
    assert str(folder / "a.py") in str(refused.value)
    assert said in str(refused.value)


def test_a_fix_without_its_text_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "rg201_set_then_expire"
    folder.mkdir()
    (folder / "a.py").write_text(HEAD.format("safety: safe") + CODE)
    with pytest.raises(ValueError, match="if, and only if, there is a fix"):
        load(tmp_path)
