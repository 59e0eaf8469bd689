"""Allows that speak for whole files: `[[tool.redis-guard.allow]]` tables and the escape for tests.

Law of this file: patterns mean what they mean in a `.gitignore` at the project root.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Protocol

from redis_guard.finding import Finding, Span
from redis_guard.lines import Lines
from redis_guard.silence.selectors import resolve
from redis_guard.silence.verdicts import unused

_TABLE = re.compile(r"\s*\[\[[^\]]*\ballow\s*\]\]")


class PathAllow(Protocol):
    """One table, checked by whoever read it."""

    @property
    def paths(self) -> tuple[str, ...]:
        """Patterns as in a `.gitignore`."""

    @property
    def rules(self) -> tuple[str, ...]:
        """Codes, beginnings of codes, or names."""

    @property
    def reason(self) -> str:
        """Why."""


def silence_paths(
    findings: Iterable[Finding],
    allows: Sequence[PathAllow],
    names: Mapping[str, str],
    exercised: set[int],
) -> Iterator[Finding]:
    """Silence what a table covers and nothing else has; `exercised` gets the indexes of useful tables."""
    codes = [_codes(allow, names) for allow in allows]
    matches: dict[int, Callable[[str], bool]] = {}
    for finding in findings:
        able = []
        for index, allow in enumerate(allows):
            if finding.code in codes[index]:
                if index not in matches:
                    matches[index] = matcher(allow.paths)
                if matches[index](finding.path):
                    able.append(index)
        exercised.update(able)
        if able and finding.suppressed is None:
            yield replace(finding, suppressed="config", reason=allows[able[0]].reason)
        else:
            yield finding


def matcher(patterns: Iterable[str]) -> Callable[[str], bool]:
    """Whether a path is meant by gitignore-like patterns. Raises ValueError for a pattern that is none."""
    from pathspec import GitIgnoreSpec

    return cache(GitIgnoreSpec.from_lines(patterns).match_file)


def unused_tables(
    allows: Sequence[PathAllow],
    exercised: Collection[int],
    names: Mapping[str, str],
    active: frozenset[str],
    config: str,
    text: str | None,
) -> Iterator[Finding]:
    """A finding for each table without effect, of which only a run over the whole project knows.

    `config` is the path of the file that holds these tables and no others, and `text` its text.
    """
    lines = Lines.of(text or "")
    headers = [number for number in range(1, len(lines) + 1) if _TABLE.match(lines.line(number))]
    for index, allow in enumerate(allows):
        if index not in exercised and _codes(allow, names) <= active:
            line = headers[index] if len(headers) == len(allows) else 1
            listed, where = ", ".join(allow.rules), ", ".join(allow.paths)
            message = f"this table allows {listed} in {where}, where nothing is found: remove it"
            yield unused(config, Span(line, 1, line, len(lines.line(line)) + 1), message)


def _codes(allow: PathAllow, names: Mapping[str, str]) -> frozenset[str]:
    return frozenset().union(*(resolve(rule, names) for rule in allow.rules))
