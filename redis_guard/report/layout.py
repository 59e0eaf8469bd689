"""The lines of the text format, as pieces of text with a style each.

Law of this file: no line is longer than the width allows, unless a single word is.
"""

from collections.abc import Iterator

from rich.cells import cell_len

from redis_guard.finding import Finding, Span
from redis_guard.lines import Lines
from redis_guard.report.concise import suppression
from redis_guard.report.frame import frame
from redis_guard.report.printable import one_line, printable
from redis_guard.report.style import Pieces

_WIDEST_PROSE = 120


def finding_lines(
    finding: Finding, sources: dict[str, Lines | None], width: int, with_help: bool
) -> Iterator[Pieces]:
    """One finding: headline, message, source, related places, fix, and where the rule is explained.

    `sources` holds the text of the finding's and its related places' files.
    """
    severity = finding.severity.value
    place = _place(finding.path, finding.span)
    yield (
        ("  ", ""),
        (severity, severity),
        (f" {finding.code} {finding.name}", "code"),
        (f"  {place}", "quiet"),
    )
    for text in wrap(one_line(finding.message), min(width, _WIDEST_PROSE) - 2):
        yield ((f"  {text}", ""),)
    spans = [finding.span, *(related.span for related in finding.related)]
    digits = len(str(max(span.line + 1 for span in spans)))
    yield from _frame_lines(sources[finding.path], finding.span, width, digits, severity, context=True)
    for related in finding.related:
        yield from _note(
            f"{_place(related.path, related.span)}: {one_line(related.message)}", width, digits, "note"
        )
        yield from _frame_lines(sources[related.path], related.span, width, digits, "note", context=False)
    if finding.fix:
        title = f"fix ({finding.fix.applicability}): {one_line(finding.fix.title)}"
        yield from _note(title, width, digits, "fix")
    if finding.suppressed:
        yield from _note(suppression(finding), width, digits, "quiet")
    if with_help:
        yield from _note(f"help: redis-guard rule {finding.code}", width, digits, "quiet")


def _frame_lines(
    lines: Lines | None, span: Span, width: int, digits: int, style: str, context: bool
) -> Iterator[Pieces]:
    if lines is None:
        return
    for row in frame(lines, span, width - digits - len("   | "), context):
        number = "" if row.number is None else str(row.number)
        gutter = f"  {number:>{digits}} |"
        text = f" {row.text}" if row.text else ""
        yield (gutter, "gutter"), (text, style if row.number is None else "")


def _note(text: str, width: int, digits: int, style: str) -> Iterator[Pieces]:
    indent = " " * (digits + 3)
    for index, part in enumerate(wrap(text, min(width, _WIDEST_PROSE) - digits - 5)):
        yield (f"{indent}{'  ' if index else '= '}", "gutter"), (part, style)


def _place(path: str, span: Span) -> str:
    return f"{printable(path)}:{span.line}:{span.column}"


def wrap(text: str, width: int) -> Iterator[str]:
    """The text in lines of at most `width` cells, broken at blanks; a longer word has a line of its own."""
    line = ""
    for word in text.split(" "):
        if line and cell_len(line) + 1 + cell_len(word) > width:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line
