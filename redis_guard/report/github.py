"""Open findings as annotations of GitHub Actions, the worst first, and a closing line for the log.

The commands and how they are escaped: https://docs.github.com/actions/reference/workflow-commands-for-github-actions.

Law of this file: nothing in a path or a message can end a command or begin another.
"""

from typing import TextIO

from redis_guard.finding import Finding, Severity
from redis_guard.report.closing import summary_line
from redis_guard.report.model import Report
from redis_guard.report.printable import printable, write

COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render(report: Report, out: TextIO) -> None:
    """Write a command a finding. GitHub shows the first ten of each kind, hence the order."""
    for finding in sorted(report.open, key=lambda finding: -finding.severity.rank):
        place = "".join(f"{name}={_property(value)}," for name, value in _place(report, finding).items())
        title = _property(f"{finding.code} {finding.name}")
        write(out, f"::{COMMANDS[finding.severity]} {place}title={title}::{_data(finding.message)}\n")
    write(out, f"{summary_line(report)}\n")


def _place(report: Report, finding: Finding) -> dict[str, str]:
    span = finding.span
    place = {"file": report.places.in_repository(finding.path), "line": str(span.line)}
    if span.end_line > span.line:
        # columns are taken for one line only
        return place | {"endLine": str(span.end_line)}
    return place | {"col": str(span.column), "endColumn": str(max(span.column, span.end_column - 1))}


def _data(text: str) -> str:
    return printable(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
