"""The two findings this package makes about silencers themselves. Their pages are ordinary rule files."""

from redis_guard.finding import Finding, Fix, Severity, Span

UNUSED_ALLOW = ("RG002", "unused-allow", Severity.WARNING)
ALLOW_WITHOUT_REASON = ("RG003", "allow-without-reason", Severity.ERROR)
UNPARSABLE_FILE = "RG001"
"""A file with this finding was not judged, so nothing said about it is known to be unused."""


def unused(
    path: str, span: Span, message: str, fix: Fix | None = None, severity: Severity | None = None
) -> Finding:
    """An RG002 finding."""
    code, name, usual = UNUSED_ALLOW
    return Finding(code, name, severity or usual, message, path, span, fix=fix)


def unreasoned(path: str, span: Span, message: str) -> Finding:
    """An RG003 finding."""
    code, name, severity = ALLOW_WITHOUT_REASON
    return Finding(code, name, severity, message, path, span)
