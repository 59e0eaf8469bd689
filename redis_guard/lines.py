"""A source text by lines and columns, counted as Python counts them.

Law of this file: only line feed, carriage return and the two together end a line; form feeds and the
other separators that `str.splitlines` knows are ordinary characters.
"""

import re
from dataclasses import dataclass

from redis_guard.finding import Span

_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Lines:
    """A text (without byte order mark) and where its lines start and stop, as offsets in characters."""

    text: str
    starts: tuple[int, ...]
    stops: tuple[int, ...]
    """Where each line's content ends and its line ending begins."""

    @classmethod
    def of(cls, text: str) -> "Lines":
        """Split once; a last line without ending counts, an empty one after the last ending does not."""
        ends = [(match.start(), match.end()) for match in _END.finditer(text)]
        starts = [0, *(end for _, end in ends)]
        stops = [*(start for start, _ in ends), len(text)]
        if starts[-1] == len(text):
            starts.pop()
            stops.pop()
        return cls(text, tuple(starts), tuple(stops))

    def __len__(self) -> int:
        return len(self.starts)

    def line(self, number: int) -> str:
        """The content of a 1-based line; empty outside the text."""
        if not 1 <= number <= len(self.starts):
            return ""
        return self.text[self.starts[number - 1] : self.stops[number - 1]]

    def ending(self, number: int) -> str:
        """A line's ending, or the first line's when this one has none; a line feed at worst."""
        for index in (number - 1, 0):
            if 0 <= index < len(self.starts):
                following = self.starts[index + 1] if index + 1 < len(self.starts) else len(self.text)
                if ending := self.text[self.stops[index] : following]:
                    return ending
        return "\n"

    def offset(self, line: int, column: int) -> int:
        """The offset of a 1-based place. The start of the line after the last one is the end of the text.

        Raises ValueError for a place that the text does not have.
        """
        if line == len(self.starts) + 1 and column == 1:
            return len(self.text)
        if 1 <= line <= len(self.starts):
            offset = self.starts[line - 1] + column - 1
            if column >= 1 and offset <= self.stops[line - 1]:
                return offset
        raise ValueError(f"the text has no line {line}, column {column}")

    def slice(self, span: Span) -> str:
        """The text of a span. Raises ValueError when the text does not have it."""
        return self.text[self.offset(span.line, span.column) : self.offset(span.end_line, span.end_column)]
