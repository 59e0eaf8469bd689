"""Writes the README's table of rules from the rules themselves.

Law of this file: nothing between the two markers is written by hand, nothing outside them is touched.
"""

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Protocol

from redis_guard.rule import FAMILIES

README = Path(__file__).resolve().parents[2] / "README.md"
BEGIN = "<!-- rules:begin -->\n"
END = "<!-- rules:end -->\n"


class Described(Protocol):
    """As much of a rule as the table shows."""

    @property
    def code(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def default(self) -> bool: ...


def table(rules: Iterable[Described]) -> str:
    """A Markdown table, one line a family of rules, ordered by code."""
    ordered = sorted(rules, key=lambda rule: rule.code)
    rows = [_row(code, list(family)) for code, family in groupby(ordered, key=lambda rule: rule.code[:3])]
    return "".join(["| family | rules |\n", "|---|---|\n", *rows])


def between_markers(text: str, generated: str) -> str:
    """`text` with what stands between the markers replaced. ValueError when a marker is missing."""
    head, rest = _split(text, BEGIN)
    _, tail = _split(rest, END)
    return head + BEGIN + generated + END + tail


def current() -> str:
    """The README as it should be."""
    # Here, not above: the table's own tests need no rule.
    from redis_guard.rules import load_rules

    return between_markers(README.read_text(encoding="utf-8"), table(load_rules()))


def _row(code: str, family: Iterable[Described]) -> str:
    names = ", ".join(f"{rule.code} {rule.name}{'' if rule.default else ' °'}" for rule in family)
    return f"| {FAMILIES[code]} | {names} |\n"


def _split(text: str, marker: str) -> tuple[str, str]:
    head, found, tail = text.partition(marker)
    if not found:
        raise ValueError(f"README.md: the line {marker.strip()} is missing")
    return head, tail


if __name__ == "__main__":
    README.write_text(current(), encoding="utf-8")
