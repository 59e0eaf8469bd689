"""The pages on fixes and on migration: whatever they show happens."""

from pathlib import Path

import pytest

from tests.docs.snippets import run_page


@pytest.mark.parametrize("page", ["fixes.md", "migrate.md"])
def test_what_the_page_shows_happens(page: str, root: Path, tmp_path: Path) -> None:
    run_page(root / "docs" / "howto" / page, tmp_path)
