"""Allows that speak for whole files: `[[tool.redis-guard.allow]]` tables and the escape for tests.

Law of this file: patterns mean what they mean in a `.gitignore` at the project root.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

from redis_guard.finding import Finding, Span
from redis_guard.silence.selectors import resolve
from redis_guard.silence.verdicts import unused


@dataclass(frozen=True, slots=True)
class PathAllow:
    """One table. Its reason has been checked by whoever read it."""

    paths: tuple[str, ...]
    rules: tuple[str, ...]
    reason: str
    declared_in: str = ""
    """The file that holds the table, relative to the project root; empty for what nobody wrote."""
    line: int = 1


TEST_ESCAPE = PathAllow(
    paths=("**/tests/**", "test_*.py", "conftest.py"),
    rules=("RG1", "RG401"),
    reason="tests may talk to a throw-away Redis directly",
)


def silence_paths(
    findings: Iterable[Finding],
    allows: Iterable[PathAllow],
    names: Mapping[str, str],
    exercised: set[PathAllow],
) -> Iterator[Finding]:
    """Silence what a table covers and nothing else has; put every table with an effect in `exercised`."""
    tables = [(allow, frozenset().union(*(resolve(rule, names) for rule in allow.rules))) for allow in allows]
    matches: dict[PathAllow, Callable[[str], bool]] = {}
    for finding in findings:
        able = []
        for allow, codes in tables:
            if finding.code in codes:
                if allow not in matches:
                    matches[allow] = matcher(allow.paths)
                if matches[allow](finding.path):
                    able.append(allow)
        exercised.update(able)
        if able and finding.suppressed is None:
            yield replace(finding, suppressed="config", reason=able[0].reason)
        else:
            yield finding


def matcher(patterns: Iterable[str]) -> Callable[[str], bool]:
    """Whether a path is meant by gitignore-like patterns. Raises ValueError for a pattern that is none."""
    from pathspec import GitIgnoreSpec

    spec = GitIgnoreSpec.from_lines(patterns)
    return cache(spec.match_file)


def unused_tables(
    allows: Iterable[PathAllow], exercised: set[PathAllow], names: Mapping[str, str], active: frozenset[str]
) -> Iterator[Finding]:
    """A finding for each written table without effect. Only a run over the whole project can know that."""
    for allow in allows:
        codes = frozenset().union(*(resolve(rule, names) for rule in allow.rules))
        if allow.declared_in and allow not in exercised and codes <= active:
            listed, where = ", ".join(allow.rules), ", ".join(allow.paths)
            message = f"this table allows {listed} in {where}, where nothing is found: remove it"
            yield unused(allow.declared_in, Span(allow.line, 1, allow.line, 1), message)
