"""What a service leaves out of a report that is longer than it takes.

Sources: https://docs.github.com/code-security/code-scanning/troubleshooting-sarif-uploads/results-exceed-limit and
https://github.com/actions/toolkit/blob/main/docs/problem-matchers.md.

Law of this file: the report itself is whole; this only tells.
"""

from collections.abc import Iterator

from redis_guard.finding import Severity
from redis_guard.report.github import COMMANDS
from redis_guard.report.model import Report

ANNOTATIONS = 10
"""Of each kind that GitHub shows of one step."""
RESULTS_SHOWN = 5_000
RESULTS_TAKEN = 25_000
"""Of one run; GitHub refuses a file with more."""


def limits(name: str, report: Report) -> Iterator[str]:
    """Lines for the standard error about a report in the format `name`."""
    if name == "github":
        counts = report.summary.by_severity
        shown = sum(min(counts.get(severity, 0), ANNOTATIONS) for severity in Severity)
        if shown < len(report.open):
            kinds = "each of " + ", ".join(f"{command}s" for command in COMMANDS.values())
            yield (
                f"GitHub shows {ANNOTATIONS} annotations of a step for {kinds}: {shown} of {len(report.open)} "
                "findings; all are in the log, and `--output-format sarif` shows more"
            )
    elif name == "sarif" and len(report.findings) > RESULTS_TAKEN:
        yield (
            f"GitHub takes {RESULTS_TAKEN} results in a SARIF file, and here are {len(report.findings)}: "
            "select fewer rules or paths"
        )
    elif name == "sarif" and len(report.findings) > RESULTS_SHOWN:
        yield f"GitHub shows {RESULTS_SHOWN} results of a SARIF file, and here are {len(report.findings)}"
