import re
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlsplit

from markdown_it.token import Token

GENERATED = re.compile(r"(^|/)(rules/\w+|reference/(command-line|settings))\.md$")
"""Pages that only the site has; there its own tests follow every link."""


def _anchors(tokens: list[Token]) -> set[str]:
    """Headings as the anchors that forges make of them: lower case, spaces to hyphens, no punctuation."""
    titles = [after.content for token, after in pairwise(tokens) if token.type == "heading_open"]
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def _targets(tokens: list[Token]) -> list[str]:
    found = [
        token.attrGet("href") or token.attrGet("src")
        for token in tokens
        if token.type in {"link_open", "image"}
    ]
    return [str(target) for target in found if target]


def test_relative_links_lead_to_a_file_and_a_heading(root: Path, documents: dict[Path, list[Token]]) -> None:
    dead = []
    for path, tokens in documents.items():
        for target in _targets(tokens):
            parts = urlsplit(target)
            if parts.scheme:
                continue
            if GENERATED.search(parts.path):
                continue
            goal = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            known = documents.get(goal)
            if not goal.exists() or (parts.fragment and known and parts.fragment not in _anchors(known)):
                dead.append(f"{path.relative_to(root)}: {target}")

    assert dead == []


def test_the_readme_is_among_the_documents_that_are_read(
    root: Path, documents: dict[Path, list[Token]]
) -> None:
    assert "CONTRIBUTING.md" in _targets(documents[root / "README.md"])
