"""The line that closes the text format.

Law of this file: every number in it is a count of the report, so it agrees with the other formats.
"""

from redis_guard.report.model import Report


def summary_line(report: Report) -> str:
    """What was found, in one sentence."""
    summary = report.summary
    looked_at = f"{_count(report.files, 'file')}, {report.analysed} analysed"
    if summary.findings:
        severities = ", ".join(
            _count(count, severity.value) for severity, count in summary.by_severity.items()
        )
        paths = len({finding.path for finding in report.open})
        parts = [f"{_count(summary.findings, 'finding')} ({severities}) in {paths} of {looked_at}"]
    else:
        parts = [f"no findings in {looked_at}"]
    if report.fixed:
        parts.append(f"{report.fixed} repaired")
    if summary.safe_fixes:
        parts.append(f"--fix repairs {summary.safe_fixes}")
    if summary.unsafe_fixes:
        more = " more" if summary.safe_fixes else ""
        parts.append(f"--unsafe-fixes repairs {summary.unsafe_fixes}{more}")
    if summary.suppressed:
        parts.append(f"{summary.suppressed} suppressed")
    if summary.baseline:
        parts.append(f"{summary.baseline} in the baseline")
    return "; ".join(parts)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
