"""Open findings as a Code Quality report of GitLab: https://docs.gitlab.com/ci/testing/code_quality/.

Law of this file: no two findings of a repository share a fingerprint, whichever project they are of: GitLab shows one.
"""

from hashlib import sha256
from typing import TextIO

from redis_guard.finding import Finding, Severity
from redis_guard.report.model import Report
from redis_guard.report.printable import one_line
from redis_guard.report.valid_json import valid_json

SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.NOTE: "info"}


def render(report: Report, out: TextIO) -> None:
    """Write one array."""
    out.write(valid_json([_issue(report, finding) for finding in report.open], indent=2) + "\n")


def _issue(report: Report, finding: Finding) -> dict[str, object]:
    return {
        "description": f"{finding.code} {finding.name}: {one_line(finding.message)}",
        "check_name": finding.code,
        "fingerprint": _fingerprint(report, finding),
        "severity": SEVERITIES[finding.severity],
        "location": {
            "path": report.places.in_repository(finding.path),
            "lines": {"begin": finding.span.line, "end": finding.span.end_line},
        },
    }


def _fingerprint(report: Report, finding: Finding) -> str:
    folder = report.places.in_repository("")
    return (
        sha256(f"{folder}\0{finding.fingerprint}".encode()).hexdigest()[:20]
        if folder
        else finding.fingerprint
    )
