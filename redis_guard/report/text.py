"""Findings for people: grouped by file, each with its source.

Law of this file: colour adds nothing but colour; without it the text is the same.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import TextIO

from redis_guard.lines import Lines
from redis_guard.passwords import masked
from redis_guard.report.closing import summary_line
from redis_guard.report.model import Report
from redis_guard.report.printable import encodable, printable, write
from redis_guard.report.style import STYLES, Pieces

_PLAIN_WIDTH = 100
"""Cells of a line where nobody says how many there are."""
_NARROWEST = 40


def render(report: Report, out: TextIO, *, width: int | None = None, colour: bool | None = None) -> None:
    """Write all findings and a closing line. Width and colour follow the terminal unless they are given."""
    terminal = out.isatty()
    if width is None:
        width = shutil.get_terminal_size((_PLAIN_WIDTH, 24)).columns if terminal else _PLAIN_WIDTH
    if colour is None:
        colour = _wants_colour(terminal)
    emit = _coloured(out) if colour else _plain(out)
    for line in _lines(report, max(width, _NARROWEST)):
        emit(line)


def _lines(report: Report, width: int) -> Iterator[Pieces]:
    if report.shown:
        yield from _groups(report, width)
    yield ((summary_line(report), "code"),)


def _groups(report: Report, width: int) -> Iterator[Pieces]:
    from redis_guard.report.layout import finding_lines

    explained: set[str] = set()
    for path, group in groupby(report.shown, key=lambda finding: finding.path):
        yield ((printable(path), "path"),)
        yield ()
        sources = {path: _source(report, path)}
        for finding in group:
            for related in finding.related:
                if related.path not in sources:
                    sources[related.path] = _source(report, related.path)
            yield from finding_lines(finding, sources, width, with_help=finding.code not in explained)
            yield ()
            explained.add(finding.code)


def _source(report: Report, path: str) -> Lines | None:
    text = report.sources(path)
    return None if text is None else Lines.of(masked(text))


def _plain(out: TextIO) -> Callable[[Pieces], None]:
    return lambda line: write(out, "".join(text for text, _ in line).rstrip() + "\n")


def _coloured(out: TextIO) -> Callable[[Pieces], None]:
    from rich.console import Console
    from rich.text import Text

    console = Console(file=out, force_terminal=True, highlight=False, markup=False, emoji=False)

    def emit(line: Pieces) -> None:
        text = Text.assemble(*((encodable(piece, out), STYLES[style]) for piece, style in line))
        text.rstrip()
        console.print(text, soft_wrap=True)

    return emit


def _wants_colour(terminal: bool) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return terminal and os.environ.get("TERM") not in ("dumb", "unknown")
