"""Which faults lie on which calls.

Law of this file: places decide; a fault belongs to the innermost call that it begins in.
"""

from collections.abc import Iterable, Mapping

from redis_guard.behaviour.classify import CallId, call_id
from redis_guard.finding import Finding, Span
from redis_guard.project.model import Call


def faults_by_call(calls: Iterable[Call], findings: Iterable[Finding]) -> Mapping[CallId, tuple[str, ...]]:
    """The codes of the findings that begin within each call, in the order of the findings."""
    by_path: dict[str, list[Call]] = {}
    for call in calls:
        by_path.setdefault(call.path, []).append(call)
    found: dict[CallId, list[str]] = {}
    for finding in findings:
        around = [call for call in by_path.get(finding.path, ()) if _holds(call.span, finding.span)]
        if around:
            innermost = max(around, key=lambda call: (call.span.line, call.span.column, -_end(call.span)))
            found.setdefault(call_id(innermost), []).append(finding.code)
    return {call: tuple(codes) for call, codes in found.items()}


def _holds(outer: Span, inner: Span) -> bool:
    begins = (inner.line, inner.column)
    return (outer.line, outer.column) <= begins < (outer.end_line, outer.end_column)


def _end(span: Span) -> int:
    return span.end_line * 1_000_000 + span.end_column
