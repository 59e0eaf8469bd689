"""The findings of `check` as JSON, version 1.

Law of this file: within a version fields are added, never renamed, removed or given another meaning.
"""

from json import dumps
from typing import TextIO

from redis_guard.finding import Finding, Fix, Related
from redis_guard.report.model import Report

VERSION = 1


def render(report: Report, out: TextIO) -> None:
    """Write one object, in ASCII."""
    out.write(dumps(document(report), indent=2) + "\n")


def document(report: Report) -> dict[str, object]:
    """The object that is written."""
    summary = report.summary
    return {
        "version": VERSION,
        "tool": {"name": "redis-guard", "version": report.version},
        "findings": [finding_object(finding) for finding in report.shown],
        "summary": {
            "files": report.files,
            "analysed": report.analysed,
            "findings": summary.findings,
            "suppressed": summary.suppressed,
            "baseline": summary.baseline,
            "by_rule": summary.by_rule,
        },
    }


def finding_object(finding: Finding) -> dict[str, object]:
    """One finding as JSON has it."""
    span = finding.span
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity.value,
        "message": finding.message,
        "path": finding.path,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "method": finding.method,
        "command": finding.command,
        "key": finding.key,
        "use_case": finding.use_case,
        "confidence": finding.confidence,
        "related": [_related(related) for related in finding.related],
        "fix": _fix(finding.fix) if finding.fix else None,
        "fingerprint": finding.fingerprint,
        "suppressed": finding.suppressed,
        "reason": finding.reason,
        "help": f"redis-guard rule {finding.code}",
    }


def _related(related: Related) -> dict[str, object]:
    return {
        "path": related.path,
        "line": related.span.line,
        "column": related.span.column,
        "message": related.message,
    }


def _fix(fix: Fix) -> dict[str, object]:
    return {
        "applicability": fix.applicability,
        "title": fix.title,
        "edits": [
            {
                "start": {"line": edit.span.line, "column": edit.span.column},
                "end": {"line": edit.span.end_line, "column": edit.span.end_column},
                "text": edit.text,
            }
            for edit in fix.edits
        ],
    }
