"""Open findings in reviewdog's diagnostic format: https://github.com/reviewdog/reviewdog/tree/master/proto/rdf.

Law of this file: columns count bytes of UTF-8 from 1, those of a byte order mark among them; paths are relative to the
folder the command was given in, where reviewdog looks for them too.
"""

from collections.abc import Callable
from functools import cache, partial
from typing import TextIO

from redis_guard.finding import Finding, Fix, Severity, Span
from redis_guard.fixes.edits import EditError, apply_edits, locate
from redis_guard.lines import Lines
from redis_guard.report.model import Report
from redis_guard.report.valid_json import valid_json

_MARK = len("\ufeff".encode())
SEVERITIES = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.NOTE: "INFO"}


def render(report: Report, out: TextIO) -> None:
    """Write one object."""
    lines = cache(lambda path: Lines.of(report.sources(path) or ""))
    document = {
        "source": {"name": "redis-guard"},
        "diagnostics": [_diagnostic(report, finding, lines) for finding in report.open],
    }
    out.write(valid_json(document, indent=2) + "\n")


def _diagnostic(report: Report, finding: Finding, lines: Callable[[str], Lines]) -> dict[str, object]:
    def place(path: str, span: Span) -> dict[str, object]:
        return _range(span, lines(path), _MARK if report.marked(path) else 0)

    def location(path: str, span: Span) -> dict[str, object]:
        return {"path": report.places.in_working(path), "range": place(path, span)}

    fix = f"\nfix ({finding.fix.applicability}): {finding.fix.title}" if finding.fix else ""
    return {
        "message": finding.message + fix,
        "location": location(finding.path, finding.span),
        "severity": SEVERITIES[finding.severity],
        "code": {"value": finding.code},
        "suggestions": _suggestions(finding.fix, lines(finding.path), partial(place, finding.path))
        if finding.fix
        else [],
        "related_locations": [
            {"message": related.message, "location": location(related.path, related.span)}
            for related in finding.related
        ],
    }


def _suggestions(
    fix: Fix | None, lines: Lines, place: Callable[[Span], dict[str, object]]
) -> list[dict[str, object]]:
    """One suggestion from the first edit to the last, since several would be alternatives; none if they do not fit."""
    if fix is None:
        return []
    try:
        places = [locate(lines, edit) for edit in fix.edits]
        after = apply_edits(lines.text, fix.edits)
    except EditError:
        return []
    if not places:
        return []
    first, last = min(places, key=lambda place: place[0]), max(places, key=lambda place: place[1])
    span = Span(first[2].span.line, first[2].span.column, last[2].span.end_line, last[2].span.end_column)
    kept = len(lines.text) - last[1]
    return [{"range": place(span), "text": after[first[0] : len(after) - kept]}]


def _range(span: Span, lines: Lines, mark: int) -> dict[str, object]:
    return {
        "start": _position(span.line, span.column, lines, mark),
        "end": _position(span.end_line, span.end_column, lines, mark),
    }


def _position(line: int, column: int, lines: Lines, mark: int) -> dict[str, int]:
    before = lines.line(line)[: column - 1]
    wider = len(before.encode("utf-8", "surrogatepass")) - len(before)
    return {"line": line, "column": column + wider + (mark if line == 1 else 0)}
