"""A rule explained: as text for a terminal, as Markdown for the documentation, as JSON for programs.

Law of this file: everything on a page comes from the rule itself.
"""

import re
from collections.abc import Iterable, Mapping
from json import dumps
from textwrap import indent, wrap
from typing import Literal

from redis_guard.report.rule_like import RuleLike

HEADINGS = ("What", "Why it hurts", "Instead", "Fix")
"""The headings that a rule's docstring has, in this order."""

PageFormat = Literal["text", "md", "json"]

_HEADING = re.compile(rf"^({'|'.join(HEADINGS)}):[ \t]*", re.MULTILINE)
_FIXES: Mapping[str, str] = {
    "safe": "safe",
    "unsafe": "unsafe",
    "both": "safe or unsafe, depending on the code",
    "none": "none",
}


def rule_page(rule: RuleLike, style: PageFormat, width: int = 80) -> str:
    """The page of one rule; `width` is in cells and matters to text only."""
    if style == "json":
        return dumps(_object(rule), indent=2, ensure_ascii=False) + "\n"
    return _markdown(rule) if style == "md" else _text(rule, width)


def rule_pages(rules: Iterable[RuleLike], style: PageFormat) -> str:
    """All rules: one line each as text, full pages as Markdown, one array as JSON."""
    if style == "json":
        return dumps([_object(rule) for rule in rules], indent=2, ensure_ascii=False) + "\n"
    if style == "md":
        return "\n".join(_markdown(rule) for rule in rules)
    return "".join(_index_line(rule) for rule in rules)


def sections(doc: str) -> dict[str, str]:
    """The docstring's text by heading, each paragraph on one line; lists keep their lines."""
    parts = _HEADING.split(doc)
    # Below a heading, what went on after a colon is a sentence.
    return {
        heading: _reflow(text)[:1].upper() + _reflow(text)[1:]
        for heading, text in zip(parts[1::2], parts[2::2], strict=True)
    }


def _reflow(text: str) -> str:
    paragraphs = re.split(r"\n[ \t]*\n", text.strip())
    return "\n\n".join(part if _is_list(part) else " ".join(part.split()) for part in paragraphs)


def _is_list(paragraph: str) -> bool:
    return paragraph.lstrip().startswith(("* ", "- "))


def _facts(rule: RuleLike) -> dict[str, str]:
    return {
        "Severity": str(rule.severity),
        "Default": "on" if rule.default else "off",
        "Fix": _FIXES[rule.fix],
        "Since": rule.since,
    }


def _silence(rule: RuleLike) -> str:
    return f"# redis-guard: allow[{rule.code}] why this one is right"


def _index_line(rule: RuleLike) -> str:
    state = "" if rule.default else " (off by default)"
    return f"{rule.code}  {rule.severity!s:<7}  {rule.name}: {rule.summary.rstrip('.')}{state}\n"


def _text(rule: RuleLike, width: int) -> str:
    facts = ", ".join(f"{name.lower()} {value}" for name, value in _facts(rule).items())
    blocks = [f"{rule.code} {rule.name}", "\n".join(wrap(facts, width)), "\n".join(wrap(rule.summary, width))]
    for heading, text in sections(rule.doc).items():
        parts = text.split("\n\n")
        paragraphs = [part if _is_list(part) else "\n".join(wrap(part, width - 2)) for part in parts]
        blocks.append(f"{heading}\n" + indent("\n\n".join(paragraphs), "  "))
    for example in rule.examples:
        blocks.append("Bad\n" + indent(example.bad.strip("\n"), "    "))
        blocks.append("Good\n" + indent(example.good.strip("\n"), "    "))
    blocks.append(f"Silence one place\n    {_silence(rule)}")
    return "\n\n".join(blocks) + "\n"


def _markdown(rule: RuleLike) -> str:
    facts = _facts(rule)
    table = [" | ".join(facts), " | ".join("---" for _ in facts), " | ".join(facts.values())]
    blocks = [f"# {rule.code} {rule.name}", rule.summary, "\n".join(f"| {row} |" for row in table)]
    for heading, text in sections(rule.doc).items():
        blocks += [f"## {heading}", text]
    for example in rule.examples:
        bad, good = (_fenced(code, example.language) for code in (example.bad, example.good))
        blocks += ["## Example", "Bad:", bad, "Good:", good]
    blocks += ["## Silence one place", _fenced(_silence(rule))]
    return "\n\n".join(blocks) + "\n"


def _fenced(code: str, language: str = "python") -> str:
    longest = max((len(run) for run in re.findall("`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{code.strip(chr(10))}\n{fence}"


def _object(rule: RuleLike) -> dict[str, object]:
    return {
        "code": rule.code,
        "name": rule.name,
        "severity": str(rule.severity),
        "since": rule.since,
        "default": rule.default,
        "fix": rule.fix,
        "summary": rule.summary,
        "sections": sections(rule.doc),
        "examples": [{"bad": example.bad, "good": example.good} for example in rule.examples],
    }
