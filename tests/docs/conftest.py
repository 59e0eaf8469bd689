"""What the tests of the documents share: where they are, and their Markdown as tokens."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def documents() -> dict[Path, list[Token]]:
    """Every Markdown file of the project with its tokens, inline ones included."""
    return {
        path: list(_flat(MarkdownIt("commonmark").parse(path.read_text(encoding="utf-8"))))
        for path in _markdown()
    }


def _markdown() -> Iterator[Path]:
    for path in sorted(ROOT.rglob("*.md")):
        if not any(part.startswith(".") for part in path.relative_to(ROOT).parts):
            yield path


def _flat(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _flat(token.children or [])
