"""The page of a rule."""

import json
from dataclasses import dataclass, replace
from typing import Literal

import pytest

from redis_guard.finding import Severity
from redis_guard.report.rule_page import rule_page, rule_pages, sections


@dataclass(frozen=True)
class Example:
    bad: str
    good: str
    language: str = "python"


@dataclass(frozen=True)
class Rule:
    code: str
    name: str
    severity: Severity
    since: str
    default: bool
    summary: str
    doc: str
    message: str
    examples: tuple[Example, ...]
    fix: Literal["safe", "unsafe", "both", "none"]


LOCK = Rule(
    code="RG301",
    name="lock-without-timeout",
    severity=Severity.ERROR,
    since="0.1.0",
    default=True,
    summary="A lock is taken without a lifetime.",
    doc=(
        "A lock is taken without a lifetime.\n\n"
        "What: `lock()` was given\nno positive `timeout`.\n"
        "Why it hurts: if the holder dies, the key stays.\n\n"
        "Nobody else gets in, until a person deletes it: in the middle of the night, as a rule.\n"
        "Instead: one of\n\n"
        "* a timeout\n"
        "* a use case\n\n"
        "Fix: none; the lifetime is a decision.\n"
    ),
    message="lock {name} never expires",
    examples=(Example('r.lock("job:7")\n', '\nwith r.lock("job:7", timeout=30):\n    work()\n'),),
    fix="none",
)


def test_the_sections_are_those_of_the_docstring_without_its_line_breaks():
    assert sections(LOCK.doc) == {
        "What": "`lock()` was given no positive `timeout`.",
        "Why it hurts": "If the holder dies, the key stays.\n\n"
        "Nobody else gets in, until a person deletes it: in the middle of the night, as a rule.",
        "Instead": "One of\n\n* a timeout\n* a use case",
        "Fix": "None; the lifetime is a decision.",
    }


def test_a_docstring_without_headings_has_no_sections():
    assert sections("A lock is taken.\n\nNot a heading: this.") == {}


def test_the_text_page():
    assert rule_page(LOCK, "text", width=60) == (
        "RG301 lock-without-timeout\n"
        "\n"
        "severity error, default on, fix none, since 0.1.0\n"
        "\n"
        "A lock is taken without a lifetime.\n"
        "\n"
        "What\n"
        "  `lock()` was given no positive `timeout`.\n"
        "\n"
        "Why it hurts\n"
        "  If the holder dies, the key stays.\n"
        "\n"
        "  Nobody else gets in, until a person deletes it: in the\n"
        "  middle of the night, as a rule.\n"
        "\n"
        "Instead\n"
        "  One of\n"
        "\n"
        "  * a timeout\n"
        "  * a use case\n"
        "\n"
        "Fix\n"
        "  None; the lifetime is a decision.\n"
        "\n"
        "Bad\n"
        '    r.lock("job:7")\n'
        "\n"
        "Good\n"
        '    with r.lock("job:7", timeout=30):\n'
        "        work()\n"
        "\n"
        "Silence one place\n"
        "    # redis-guard: allow[RG301] why this one is right\n"
    )


def test_the_markdown_page():
    page = rule_page(LOCK, "md")
    assert page.startswith("# RG301 lock-without-timeout\n\nA lock is taken without a lifetime.\n\n")
    assert (
        "| Severity | Default | Fix | Since |\n| --- | --- | --- | --- |\n| error | on | none | 0.1.0 |"
        in page
    )
    assert '```python\nr.lock("job:7")\n```' in page
    assert [line for line in page.splitlines() if line.startswith("## ")] == [
        "## What",
        "## Why it hurts",
        "## Instead",
        "## Fix",
        "## Example",
        "## Silence one place",
    ]


def test_a_fence_is_longer_than_any_in_the_code():
    page = rule_page(replace(LOCK, examples=(Example("x = '```'", "x = 1"),)), "md")
    assert "````python\nx = '```'\n````" in page


def test_the_json_page():
    page = json.loads(rule_page(LOCK, "json"))
    assert page["code"] == "RG301"
    assert page["severity"] == "error"
    assert (page["default"], page["fix"], page["since"]) == (True, "none", "0.1.0")
    assert page["sections"] == sections(LOCK.doc)
    assert page["examples"][0]["bad"] == 'r.lock("job:7")\n'


@pytest.mark.parametrize(
    ("fix", "said"),
    [
        ("safe", "fix safe,"),
        ("unsafe", "fix unsafe,"),
        ("both", "fix safe or unsafe, depending on the code,"),
    ],
)
def test_the_page_says_how_far_a_fix_can_be_trusted(fix, said):
    assert said in rule_page(replace(LOCK, fix=fix), "text", width=200)


def test_all_rules_as_text_are_one_line_each():
    quiet = replace(LOCK, code="RG601", default=False, severity=Severity.NOTE)
    assert rule_pages([LOCK, quiet], "text") == (
        "RG301  error    lock-without-timeout: A lock is taken without a lifetime\n"
        "RG601  note     lock-without-timeout: A lock is taken without a lifetime (off by default)\n"
    )


def test_an_example_of_a_registry_is_fenced_as_yaml():
    rule = replace(LOCK, examples=(Example("a: 1", "b: 1", "yaml"),))
    assert "```yaml\na: 1\n```" in rule_page(rule, "md")


def test_all_rules_as_json_are_one_array_and_as_markdown_all_pages():
    assert [page["code"] for page in json.loads(rule_pages([LOCK, LOCK], "json"))] == ["RG301", "RG301"]
    assert rule_pages([LOCK, LOCK], "md").count("# RG301 lock-without-timeout\n") == 2
