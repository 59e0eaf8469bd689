"""How often each rule speaks, the most frequent first, for `--statistics`."""

from collections import Counter
from typing import TextIO

from redis_guard.report.model import Report
from redis_guard.report.printable import write


def render(report: Report, out: TextIO) -> None:
    """Write a line a rule: count, code, name, and how many of its findings have a fix."""
    counts = Counter((finding.code, finding.name) for finding in report.open)
    fixable = Counter(finding.code for finding in report.open if finding.fix)
    digits = len(str(max(counts.values(), default=0)))
    for (code, name), count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        repair = f"  ({fixable[code]} with a fix)" if fixable[code] else ""
        write(out, f"{count:>{digits}}  {code}  {name}{repair}\n")
