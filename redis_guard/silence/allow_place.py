"""Where in a source an allow for given findings is written.

Law of this file: the place silences the statement of the findings and nothing wider.
"""

from collections.abc import Collection
from dataclasses import dataclass

from redis_guard.finding import Block, Edit, Span
from redis_guard.lines import Lines
from redis_guard.silence.line_ends import LineEnds

LONGEST_LINE = 110
"""Characters beyond which a comment goes on a line of its own."""


@dataclass(frozen=True, slots=True)
class Place:
    """The end of a line, or a new line above it."""

    row: int
    above: bool


@dataclass(frozen=True, slots=True)
class Places:
    """The places of one source."""

    lines: Lines
    ends: LineEnds
    blocks: tuple[Block, ...]

    def statement(self, line: int) -> Block | None:
        """The smallest statement with this line in its header; None on decorators and outside the text."""
        around = [block for block in self.blocks if block.header_line <= line <= block.header_end]
        return min(around, key=lambda block: block.header_end - block.header_line, default=None)

    def best(self, statement: Block | None, rows: Collection[int], length: int) -> Place | None:
        """The place of a comment of some length for findings on `rows` of a statement, if any.

        At the end of such a row if it fits, else above a simple statement, else at the end of another row.
        """
        header = range(statement.header_line, statement.header_end + 1) if statement else ()
        usable = [row for row in (*sorted(rows), *header) if row in self.ends.code - self.ends.closed]
        short = [row for row in usable if len(self._code(row)) + len("  ") + length <= LONGEST_LINE]
        if short and short[0] in rows:
            return Place(short[0], above=False)
        if statement and self._can_stand_above(statement):
            return Place(statement.first_line, above=True)
        return next((Place(row, above=False) for row in (*short, *usable)), None)

    def edit(self, place: Place, comment: str) -> Edit:
        """The edit that writes the comment there."""
        row, line = place.row, self.lines.line(place.row)
        if place.above:
            return Edit(Span(row, 1, row, 1), f"{self._indent(row)}{comment}{self.lines.ending(row)}")
        return Edit(Span(row, len(self._code(row)) + 1, row, len(line) + 1), f"  {comment}")

    def _can_stand_above(self, statement: Block) -> bool:
        row = statement.first_line
        beginning = [block for block in self.blocks if block.first_line == row]
        return (
            row - 1 not in self.ends.closed
            and any(block.column == len(self._indent(row)) + 1 for block in beginning)
            and all(block.last_line <= statement.last_line for block in beginning)
            and statement.header_end == statement.last_line
        )

    def _code(self, row: int) -> str:
        return self.lines.line(row).rstrip()

    def _indent(self, row: int) -> str:
        line = self.lines.line(row)
        return line[: len(line) - len(line.lstrip())]
