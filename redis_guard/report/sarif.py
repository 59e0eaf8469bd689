"""All findings as SARIF 2.1.0, suppressed ones too: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html.

Law of this file: only the schema's own properties; names of files are URIs relative to the top of the repository.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TextIO
from urllib.parse import quote

from redis_guard.finding import Edit, Finding, Fix, Span
from redis_guard.report.model import Report
from redis_guard.report.sarif_rules import descriptor
from redis_guard.report.valid_json import valid_json

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
ROOT = "%SRCROOT%"
FINGERPRINT = "redisGuard/v1"
MOST_RELATED = 100
"""GitHub shows no more places of one finding."""

_UNPARSABLE = "RG001"
_KINDS = {"allow": "inSource", "noqa": "inSource", "config": "external", "baseline": "external"}


def render(report: Report, out: TextIO) -> None:
    """Write one log of one run."""
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(report)]}
    out.write(valid_json(log, indent=1) + "\n")


def _run(report: Report) -> dict[str, object]:
    rules = report.rules()
    indexes = {rule.code: index for index, rule in enumerate(rules)}
    return {
        "tool": {
            "driver": {
                "name": "redis-guard",
                "version": report.version,
                "semanticVersion": report.version,
                "rules": [descriptor(rule) for rule in rules],
            }
        },
        "automationDetails": {"id": f"redis-guard/{report.places.in_repository('')}"},
        "invocations": [
            {
                # a file that is no Python does not make a run fail: its finding and this list tell of it
                "executionSuccessful": not report.failures,
                "exitCode": report.status,
                "toolExecutionNotifications": [
                    _notification(report, finding) for finding in _unjudged(report)
                ],
            }
        ],
        "originalUriBaseIds": {ROOT: {"uri": f"{Path(report.places.repository).as_uri().rstrip('/')}/"}},
        "columnKind": "unicodeCodePoints",
        "newlineSequences": ["\r\n", "\n", "\r"],
        "results": [_result(report, finding, indexes) for finding in report.findings],
    }


def _unjudged(report: Report) -> Iterator[Finding]:
    """What could not be judged, each once; failures carry no fingerprint."""
    told = {(finding.path, finding.message) for finding in report.failures}
    yield from report.failures
    for finding in report.findings:
        if finding.code == _UNPARSABLE and (finding.path, finding.message) not in told:
            yield finding


def _result(report: Report, finding: Finding, indexes: Mapping[str, int]) -> dict[str, object]:
    result: dict[str, object] = {
        "ruleId": finding.code,
        "level": finding.severity.value,
        "message": {"text": finding.message},
        "locations": _locations(report, finding),
        "partialFingerprints": {FINGERPRINT: finding.fingerprint},
        "properties": {"confidence": finding.confidence},
    }
    if finding.code in indexes:
        result["ruleIndex"] = indexes[finding.code]
    if finding.related:
        result["relatedLocations"] = [
            {
                "id": number,
                "physicalLocation": _place(report, other.path, other.span),
                "message": {"text": other.message},
            }
            for number, other in enumerate(finding.related[:MOST_RELATED])
        ]
    if finding.fix and finding.fix.edits:
        result["fixes"] = [_fix(report, finding.path, finding.fix)]
    if finding.suppressed:
        why = {"justification": finding.reason} if finding.reason else {}
        result["suppressions"] = [{"kind": _KINDS[finding.suppressed], "status": "accepted", **why}]
    return result


def _notification(report: Report, finding: Finding) -> dict[str, object]:
    return {
        "associatedRule": {"id": finding.code},
        "level": "error",
        "message": {"text": finding.message},
        "locations": _locations(report, finding),
    }


def _fix(report: Report, path: str, fix: Fix) -> dict[str, object]:
    change = {
        "artifactLocation": _artifact(report, path),
        "replacements": [_replacement(e) for e in fix.edits],
    }
    return {
        "description": {"text": f"{fix.title} ({fix.applicability})"},
        "artifactChanges": [change],
        "properties": {"applicability": fix.applicability},
    }


def _replacement(edit: Edit) -> dict[str, object]:
    return {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.text}}


def _locations(report: Report, finding: Finding) -> list[dict[str, object]]:
    """None for what is said of no file."""
    return [{"physicalLocation": _place(report, finding.path, finding.span)}] if finding.path else []


def _place(report: Report, path: str, span: Span) -> dict[str, object]:
    return {"artifactLocation": _artifact(report, path), "region": _region(span)}


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _artifact(report: Report, path: str) -> dict[str, str]:
    named = report.places.in_repository(path)
    if named.startswith("/"):
        return {"uri": Path(named).as_uri()}
    return {"uri": quote(os.fsencode(named)), "uriBaseId": ROOT}
