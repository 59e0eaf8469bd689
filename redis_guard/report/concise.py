"""One line a finding, `path:line:column: CODE message`, as flake8 prints."""

from typing import TextIO

from redis_guard.finding import Finding
from redis_guard.report.model import Report
from redis_guard.report.printable import one_line, printable, write


def render(report: Report, out: TextIO) -> None:
    """Write the lines."""
    for finding in report.shown:
        write(out, f"{_line(finding)}\n")


def _line(finding: Finding) -> str:
    place = f"{printable(finding.path)}:{finding.span.line}:{finding.span.column}"
    note = f" ({suppression(finding)})" if finding.suppressed else ""
    return f"{place}: {finding.code} {one_line(finding.message)}{note}"


def suppression(finding: Finding) -> str:
    """What suppresses a finding and why, in words."""
    reason = f": {one_line(finding.reason)}" if finding.reason else ""
    return f"suppressed by {finding.suppressed}{reason}"
