"""Writes what the text format makes of the sample report, at two widths, with and without colour."""

import io
import os
from pathlib import Path

from redis_guard.report.text import render
from tests.report.sample import sample_report

FOLDER = Path(__file__).resolve().parents[1] / "report" / "snapshots"
VARIANTS = {
    f"text_{width}{'_colour' if colour else ''}.txt": (width, colour)
    for width in (80, 120)
    for colour in (False, True)
}


def rendered(width: int, colour: bool) -> str:
    """The sample report as text. What rich makes of colours depends on TERM and COLORTERM."""
    out = io.StringIO()
    render(sample_report(), out, width=width, colour=colour)
    return out.getvalue()


if __name__ == "__main__":
    os.environ.update(TERM="xterm-256color", COLORTERM="")
    FOLDER.mkdir(exist_ok=True)
    for name, (width, colour) in VARIANTS.items():
        (FOLDER / name).write_text(rendered(width, colour), encoding="utf-8")
