"""What every output format is given.

Law of this file: a report counts its findings itself, so that two formats never disagree.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from redis_guard.finding import Finding, Severity
from redis_guard.report.places import Places
from redis_guard.report.rule_like import RuleLike


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts of a report; suppressed findings are in none but the last two."""

    findings: int
    by_severity: dict[Severity, int]
    by_rule: dict[str, int]
    """From code to count, in order of codes."""
    safe_fixes: int
    unsafe_fixes: int
    suppressed: int
    """By allow, noqa or config."""
    baseline: int


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of one run of `check`."""

    findings: tuple[Finding, ...]
    """All of them in report order, suppressed ones too."""
    files: int
    """Files that were looked at."""
    analysed: int
    """Those of them that had to be parsed."""
    sources: Callable[[str], str | None]
    """The text of a reported path, without byte order mark; None when there is none."""
    version: str
    """Of redis-guard."""
    marked: Callable[[str], bool] = lambda path: False
    """Whether a reported path begins with a byte order mark."""
    failures: tuple[Finding, ...] = ()
    """What went wrong inside the tool, by file; without a path where it concerns the project. Some are findings too."""
    show_suppressed: bool = False
    fixed: int = 0
    """Findings that this run has repaired."""
    status: int = 0
    """What the command exits with."""
    places: Places = field(default_factory=Places)
    rules: Callable[[], Sequence[RuleLike]] = tuple
    """Every rule there is, by code; loaded for the formats that explain them."""

    @property
    def open(self) -> tuple[Finding, ...]:
        """The findings that nothing suppresses."""
        return tuple(finding for finding in self.findings if finding.suppressed is None)

    @property
    def shown(self) -> tuple[Finding, ...]:
        """The findings that people are to see."""
        return self.findings if self.show_suppressed else self.open

    @property
    def summary(self) -> Summary:
        """Counted anew at each call."""
        unsuppressed = self.open
        severities = Counter(finding.severity for finding in unsuppressed)
        rules = Counter(finding.code for finding in unsuppressed)
        fixes = Counter(finding.fix.applicability for finding in unsuppressed if finding.fix)
        baseline = sum(finding.suppressed == "baseline" for finding in self.findings)
        return Summary(
            findings=len(unsuppressed),
            by_severity={severity: severities[severity] for severity in Severity if severities[severity]},
            by_rule=dict(sorted(rules.items())),
            safe_fixes=fixes["safe"],
            unsafe_fixes=fixes["unsafe"],
            suppressed=len(self.findings) - len(unsuppressed) - baseline,
            baseline=baseline,
        )
