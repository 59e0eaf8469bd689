import re
from pathlib import Path

from redis_guard.behaviour.terms import MEANINGS
from redis_guard.cli.inventory import command
from tests.docs.snippets import run_page


def test_what_the_page_shows_happens(root: Path, tmp_path: Path) -> None:
    run_page(root / "docs" / "inventory.md", tmp_path)


def test_what_is_said_of_adopting_happens(root: Path, tmp_path: Path) -> None:
    run_page(root / "docs" / "howto" / "adopt.md", tmp_path)


def test_it_has_every_behaviour_and_every_format(root: Path) -> None:
    page = (root / "docs" / "inventory.md").read_text(encoding="utf-8")
    named = [name for name in re.findall(r"^\| `([\w-]+)` \|", page, re.MULTILINE) if "--" not in name]
    (formats,) = [option.type.choices for option in command.params if option.name == "output_format"]

    assert named[: len(MEANINGS) + len(formats)] == [*MEANINGS, *formats]
