"""The judgement of a whole project as bytes, for the cache.

Law of this file: JSON, so that reading what a cloned repository may have brought along executes nothing; what does not
fit is as good as absent.
"""

import json
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from typing import Any

from redis_guard.finding import Block, Comment, Edit, Finding, Fix, Related, Severity, Span
from redis_guard.select import RuleEntry

Marks = tuple[tuple[Comment, ...], tuple[Block, ...]]


@dataclass(frozen=True, slots=True)
class Judgement:
    """Everything every rule says about a project, before anything is selected or silenced."""

    rules: tuple[RuleEntry, ...]
    findings: tuple[Finding, ...]
    marks: Mapping[str, Marks]
    """Comments and extents of the files in which some comment speaks to a linter."""
    analysed: tuple[str, ...]
    """Files that had to be parsed to know."""
    given_up: int


def encode(judgement: Judgement) -> bytes:
    rows = {
        "rules": [
            [rule.code, rule.name, rule.severity.value, rule.default, rule.whole] for rule in judgement.rules
        ],
        "findings": [_row(finding) for finding in judgement.findings],
        "marks": {
            path: [[astuple(comment) for comment in comments], [astuple(block) for block in blocks]]
            for path, (comments, blocks) in judgement.marks.items()
        },
        "analysed": list(judgement.analysed),
        "given_up": judgement.given_up,
    }
    return json.dumps(rows, separators=(",", ":")).encode()


def decode(data: bytes) -> Judgement | None:
    """The judgement, or None for bytes that are none."""
    try:
        rows = json.loads(data)
        return Judgement(
            tuple(
                RuleEntry(code, name, Severity(severity), default, whole)
                for code, name, severity, default, whole in rows["rules"]
            ),
            tuple(_finding(row) for row in rows["findings"]),
            {
                path: (tuple(Comment(*row) for row in comments), tuple(Block(*row) for row in blocks))
                for path, (comments, blocks) in rows["marks"].items()
            },
            tuple(rows["analysed"]),
            rows["given_up"],
        )
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _row(finding: Finding) -> list[Any]:
    fix = finding.fix
    return [
        finding.code, finding.name, finding.severity.value, finding.message, finding.path, astuple(finding.span),
        finding.method, finding.command, finding.key, finding.use_case, finding.confidence,
        [[related.path, astuple(related.span), related.message] for related in finding.related],
        None if fix is None else [fix.title, fix.applicability, [[astuple(e.span), e.text] for e in fix.edits]],
        finding.function,
    ]  # fmt: skip


def _finding(row: list[Any]) -> Finding:
    (
        code,
        name,
        severity,
        message,
        path,
        span,
        method,
        command,
        key,
        use_case,
        confidence,
        related,
        fix,
        function,
    ) = row
    return Finding(
        code, name, Severity(severity), message, path, Span(*span), method, command, key, use_case, confidence,
        tuple(Related(where, Span(*place), said) for where, place, said in related),
        None if fix is None else Fix(fix[0], fix[1], tuple(Edit(Span(*place), text) for place, text in fix[2])),
        function,
    )  # fmt: skip
