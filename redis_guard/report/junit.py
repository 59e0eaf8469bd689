"""Findings as JUnit XML, for CI servers that show failed tests: a suite a file, a test case a finding.

Law of this file: a test case keeps its name when lines move, and no two of a suite share one.
"""

from collections import Counter
from itertools import groupby
from typing import TextIO
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from redis_guard.finding import Finding, Span
from redis_guard.report.concise import suppression
from redis_guard.report.model import Report
from redis_guard.report.printable import one_line, printable

UNPARSABLE = "RG001"


def render(report: Report, out: TextIO) -> None:
    """Write one document, in ASCII with character references. A run without findings is one test that passes."""
    root = Element("testsuites", name="redis-guard")
    for path, group in groupby(report.shown, key=lambda finding: finding.path):
        _suite(root, report, path, tuple(group))
    if not report.shown:
        suite = SubElement(
            root, "testsuite", name="redis-guard", tests="1", failures="0", errors="0", skipped="0"
        )
        SubElement(suite, "testcase", name="no findings", classname="redis-guard")
    indent(root)
    out.write(tostring(root, encoding="us-ascii", xml_declaration=True).decode("ascii") + "\n")


def _suite(root: Element, report: Report, path: str, findings: tuple[Finding, ...]) -> None:
    name = printable(report.places.in_repository(path))
    outcomes = Counter(map(_outcome, findings))
    suite = SubElement(
        root,
        "testsuite",
        name=name,
        file=name,
        tests=str(len(findings)),
        failures=str(outcomes["failure"]),
        errors=str(outcomes["error"]),
        skipped=str(outcomes["skipped"]),
    )
    seen: Counter[str] = Counter()
    for finding in findings:
        title = printable(
            f"{finding.code} {finding.name}{f' in {finding.function}' * bool(finding.function)}"
        )
        seen[title] += 1
        number = f" ({seen[title]})" if seen[title] > 1 else ""
        case = SubElement(suite, "testcase", name=title + number, classname=name)
        _result(case, report, finding)


def _result(case: Element, report: Report, finding: Finding) -> None:
    outcome = _outcome(finding)
    if outcome == "skipped":
        SubElement(case, outcome, message=suppression(finding))
        return
    result = SubElement(case, outcome, type=finding.severity.value, message=one_line(finding.message))
    lines = [_line(report, finding.path, finding.span, finding.message)]
    lines += [_line(report, other.path, other.span, other.message) for other in finding.related]
    result.text = "\n".join(lines)


def _line(report: Report, path: str, span: Span, message: str) -> str:
    return f"{printable(report.places.in_repository(path))}:{span.line}:{span.column}: {one_line(message)}"


def _outcome(finding: Finding) -> str:
    if finding.suppressed:
        return "skipped"
    return "error" if finding.code == UNPARSABLE else "failure"
