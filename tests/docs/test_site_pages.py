"""What the pages show holds: configuration loads, commands and their options exist, hooks are ours."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from markdown_it.token import Token

from redis_guard.cli.commands import group
from redis_guard.config import load_config
from tests.docs.snippets import Snippet, snippets

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
RUN = ("registry.md", "reports.md", "tutorial.md")


def blocks(language: str) -> list[Snippet]:
    return [found for page in PAGES for found in snippets(page) if found.info.split(" ")[0] == language]


# Pages whose blocks are run have files around them that the tables name.
@pytest.mark.parametrize("snippet", [one for one in blocks("toml") if one.page.name not in RUN], ids=str)
def test_the_settings_that_a_page_shows_load(snippet: Snippet, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(snippet.code, encoding="utf-8")

    load_config(tmp_path / "pyproject.toml")


def test_every_hook_that_a_page_shows_is_published() -> None:
    published = {
        hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    }
    shown = {
        hook["id"]
        for snippet in blocks("yaml")
        if ".pre-commit-config.yaml" in snippet.code
        for repository in yaml.safe_load(snippet.code)["repos"]
        for hook in repository["hooks"]
    }

    assert shown
    assert shown <= published


def test_no_hook_is_taken_from_a_release_that_is_not_there(documents: dict[Path, list[Token]]) -> None:
    """There is no tag yet; `COMMIT` is explained where it stands."""
    revisions = {
        repository["rev"]
        for tokens in documents.values()
        for token in tokens
        if token.type == "fence" and "id: redis-guard" in token.content and "rev:" in token.content
        for repository in _repositories(yaml.safe_load(token.content))
        if repository["repo"].startswith("URL-of-")
    }

    assert revisions == {"COMMIT"}


def _repositories(document: Any) -> list[dict[str, str]]:
    found: list[dict[str, str]] = document if isinstance(document, list) else document["repos"]
    return found


def test_each_page_stands_once_in_the_navigation() -> None:
    def pages(part: Any) -> Iterator[str]:
        if isinstance(part, str):
            yield part
        for inner in part if isinstance(part, list) else part.values() if isinstance(part, dict) else ():
            yield from pages(inner)

    listed = list(pages(yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]))

    assert listed
    assert len(listed) == len(set(listed))


def test_every_command_that_a_page_or_a_workflow_shows_can_be_run(documents: dict[Path, list[Token]]) -> None:
    shown = {
        (path.name, line.strip())
        for path, tokens in documents.items()
        for token in tokens
        if token.type == "fence"
        for line in re.findall(r"^(?:\$|\s*- (?:run:)?) (redis-guard .*)$", token.content, re.MULTILINE)
    }

    refused = []
    for page, line in sorted(shown):
        words = shlex.split(line.partition(" > ")[0].partition(" < ")[0], comments=True)[1:]
        try:
            _parse(group, words)
        except click.ClickException as error:
            refused.append(f"{page}: {line}: {error.format_message()}")

    assert len(shown) > 10
    assert refused == []


def _parse(command: click.Command, words: list[str]) -> None:
    context = command.make_context(command.name, list(words))
    if isinstance(command, click.Group):
        _, inner, rest = command.resolve_command(context, [*context._protected_args, *context.args])
        assert inner is not None
        _parse(inner, rest)
