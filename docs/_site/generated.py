"""Pages of the site that nobody writes: one for each rule, their table, and the command line's help.

Law of this file: it is a hook of mkdocs; what it adds comes from the product itself, so that it cannot be out of date.
"""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from redis_guard.cli.commands import group
from redis_guard.config.schema import schema_text
from redis_guard.report.rule_page import rule_page
from redis_guard.rule import FAMILIES, Rule
from redis_guard.rules import load_rules

WIDTH = 78


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """The rules stand in the navigation, by family."""
    families: list[Any] = ["rules/index.md"]
    for code, rules in groupby(load_rules(), key=lambda rule: rule.code[:3]):
        families.append({FAMILIES[code]: [{f"{rule.code} {rule.name}": _path(rule)} for rule in rules]})
    assert config.nav is not None
    config.nav.append({"Rules": families})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The generated pages join the written ones."""
    pages = {
        "rules/index.md": _index(),
        **{_path(rule): rule_page(rule, "md") for rule in load_rules()},
        "reference/command-line.md": "".join(_commands()),
        "reference/settings.md": _settings(),
    }
    for path, text in pages.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, **_: object) -> str:
    """What the tests are told beside a language (`python sketch`) is not for readers."""
    return re.sub(r"^```(\w+) \w+$", r"```\1", markdown, flags=re.MULTILINE)


def _path(rule: Rule) -> str:
    return f"rules/{rule.code}.md"


def _index() -> str:
    blocks = ["# Rules", "Each has a page with what it reports, why that hurts, and what to write instead."]
    for code, rules in groupby(load_rules(), key=lambda rule: rule.code[:3]):
        rows = [
            f"| [{rule.code}]({rule.code}.md) | {rule.name} | {'on' if rule.default else 'off'} | {rule.severity} "
            f"| {rule.summary} |"
            for rule in rules
        ]
        head = ("| code | name | default | severity | reported when |", "|---|---|---|---|---|")
        blocks += [f"## {FAMILIES[code]}", "\n".join((*head, *rows))]
    return "\n\n".join(blocks) + "\n"


def _settings() -> str:
    rows = [
        f"| `{name}` | {about['description']} | {_default(about)} |"
        for name, about in json.loads(schema_text())["properties"].items()
    ]
    return "\n".join(
        (
            "# Settings\n",
            "The table `[tool.redis-guard]` of `pyproject.toml`, or of the file that `--config` names. An unknown key "
            "is an error, with the key that was probably meant. `redis-guard check --show-settings` says what holds "
            "and which line says so; `redis-guard config schema` prints this as a JSON Schema for editors.\n",
            "| key | what it says | default |",
            "|---|---|---|",
            *rows,
        )
    )


def _default(about: Mapping[str, Any]) -> str:
    """As TOML has it; strings, whose quotes say nothing, without them."""
    if "default" not in about:
        return ""
    value = about["default"]
    return f"`{value if isinstance(value, str) else json.dumps(value)}`"


def _commands() -> Iterator[str]:
    yield "# Command line\n\nWhat `--help` says of each command.\n"
    for words, command in _walk(group, "redis-guard"):
        context = click.Context(command, info_name=words, terminal_width=WIDTH, max_content_width=WIDTH)
        yield f"\n## {words}\n\n```text\n{command.get_help(context)}\n```\n"


def _walk(command: click.Command, words: str) -> Iterator[tuple[str, click.Command]]:
    yield words, command
    if isinstance(command, click.Group):
        context = click.Context(command, info_name=words)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from _walk(inner, f"{words} {name}")
