"""Lines of the printed table, in Markdown.

Law of this file: no seconds are shown, only ratios; they alone mean something on another machine.
"""

from pathlib import Path

from benchmarks import peers
from benchmarks.measure import Ratio
from benchmarks.rows import Row

HEAD = "| work | against | ratio | range | rounds | target | met |\n|---|---|---|---|---|---|---|"


def against(row: Row, programs: Path | None) -> str:
    """What a row is compared with; with its version when the folder of its programs is known."""
    if isinstance(row.against, peers.Peer):
        return (
            peers.described(row.against, programs) if programs else f"{row.against.name}, {row.against.what}"
        )
    return {"python": "`python -c pass`", "itself": "itself"}[row.against]


def measured(row: Row, other: str, ratio: Ratio) -> str:
    """A row with its ratio, and whether the target is met."""
    spread = f"{_figure(ratio.low)} to {_figure(ratio.high)}"
    return _cells(
        row.work, other, _figure(ratio.median), spread, str(ratio.rounds), _target(row), _met(row, ratio)
    )


def unmeasured(row: Row, other: str, reason: str) -> str:
    """A row without a ratio, and why."""
    return _cells(row.work, other, "not measured", reason.replace("|", "/"), "", _target(row), "")


def _target(row: Row) -> str:
    if row.first is None:
        return "none"
    return f"≤ {row.first:g}" + (f", then ≤ {row.later:g}" if row.later is not None else "")


def _met(row: Row, ratio: Ratio) -> str:
    if row.first is None:
        return ""
    if row.later is not None and ratio.median <= row.later:
        return "yes, both"
    if ratio.median <= row.first:
        return "yes" if row.later is None else "the first"
    return "NO"


def _figure(value: float) -> str:
    return f"{value:.3g}"


def _cells(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"
