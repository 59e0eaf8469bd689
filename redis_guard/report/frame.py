"""The source of a finding with a caret under it.

Law of this file: the caret stands under its code whatever the width of the characters before it.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from rich.cells import cell_len

from redis_guard.finding import Span
from redis_guard.lines import Lines
from redis_guard.report.printable import printable

TAB = 4
"""Cells from one tab stop to the next."""
CUT = "..."


@dataclass(frozen=True, slots=True)
class FrameLine:
    """One line of a frame; a line of carets has no number."""

    number: int | None
    text: str


def frame(lines: Lines, span: Span, room: int, context: bool) -> Iterator[FrameLine]:
    """The first line of a span in at most `room` cells, its carets, and with `context` the lines around it.

    A line that is too long is cut around the carets. Nothing when the text has no such line.
    """
    if not 1 <= span.line <= len(lines):
        return
    source = lines.line(span.line)
    first = min(max(span.column - 1, 0), len(source))
    last = min(span.end_column - 1, len(source)) if span.end_line == span.line else len(source.rstrip())
    strip = _strip(source, first, room)
    start, end = strip.cell(first), max(strip.cell(last), strip.cell(first) + 1)
    window = _window(strip, start, end, room)
    around = context and window.start == 0
    if around:
        yield from _context(lines, span.line - 1, room)
    yield FrameLine(span.line, _cut(strip, window))
    shift = len(CUT) - strip.edges[window.start] if window.start else 0
    carets = max(min(end, strip.edges[window.stop]) - start, 1)
    yield FrameLine(None, " " * (start + shift) + "^" * carets)
    if around:
        yield from _context(lines, span.line + 1, room)


@dataclass(frozen=True, slots=True)
class _Strip:
    """What is displayed of a line, one glyph a character, and the cell where each glyph begins."""

    glyphs: tuple[str, ...]
    edges: tuple[int, ...]
    skipped: int
    """Characters left out at the beginning of an extremely long line."""

    def cell(self, index: int) -> int:
        """Where the line's character at an index begins."""
        return self.edges[min(max(index - self.skipped, 0), len(self.glyphs))]


def _strip(source: str, focus: int, room: int) -> _Strip:
    """Only the surroundings of the focus when measuring the whole line would take long."""
    skipped = 0
    if len(source) > 8 * room:
        skipped = max(0, focus - 3 * room)
        source = source[skipped : focus + 3 * room]
    glyphs: list[str] = []
    edges = [0]
    for character in source:
        glyph = " " * (TAB - edges[-1] % TAB) if character == "\t" else printable(character)
        glyphs.append(glyph)
        edges.append(edges[-1] + cell_len(glyph))
    return _Strip(tuple(glyphs), tuple(edges), skipped)


def _window(strip: _Strip, start: int, end: int, room: int) -> range:
    """The glyphs to show: all, or the beginning if the carets are in it, or what is around them."""
    edges, count = strip.edges, len(strip.glyphs)
    if edges[-1] <= room:
        return range(count)
    if min(end, start + room // 2) <= room - len(CUT):
        return range(bisect_right(edges, room - len(CUT)) - 1)
    first = max(1, bisect_left(edges, start - room // 4))
    whole_tail = bisect_left(edges, edges[-1] - (room - len(CUT)))
    if whole_tail <= first:
        return range(max(1, whole_tail), count)
    return range(first, bisect_right(edges, edges[first] + room - 2 * len(CUT)) - 1)


def _cut(strip: _Strip, window: range) -> str:
    head = CUT if window.start else ""
    tail = CUT if window.stop < len(strip.glyphs) else ""
    return f"{head}{''.join(strip.glyphs[window.start : window.stop])}{tail}".rstrip()


def _context(lines: Lines, number: int, room: int) -> Iterator[FrameLine]:
    if lines.line(number).strip():
        strip = _strip(lines.line(number), 0, room)
        yield FrameLine(number, _cut(strip, _window(strip, 0, 1, room)))
