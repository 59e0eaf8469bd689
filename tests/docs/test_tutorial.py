from pathlib import Path

from tests.docs.snippets import run_page


def test_what_the_tutorial_shows_happens(root: Path, tmp_path: Path) -> None:
    run_page(root / "docs" / "tutorial.md", tmp_path)
