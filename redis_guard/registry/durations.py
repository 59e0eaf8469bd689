"""Lifetimes and waits as a registry writes them: `500ms`, `30s`, `15m`, `2h`, `7d`, and ranges `10m..1h`.

Law of this file: a duration is a whole number of milliseconds.
"""

from dataclasses import dataclass

MILLISECONDS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
LONGEST_MS = 3_650 * MILLISECONDS["d"]
EXAMPLES = "500ms, 30s, 15m, 2h or 7d"


class DurationError(ValueError):
    """The text is no duration; the message says what to write instead."""


@dataclass(frozen=True, slots=True)
class DurationRange:
    """From `shortest_ms` to `longest_ms`, both included; a plain duration has both the same."""

    shortest_ms: int
    longest_ms: int

    def __str__(self) -> str:
        shortest = format_duration(self.shortest_ms)
        if self.shortest_ms == self.longest_ms:
            return shortest
        return f"{shortest}..{format_duration(self.longest_ms)}"


def parse_duration(text: str) -> int:
    """The milliseconds that `text` stands for; raises `DurationError`."""
    digits = text.rstrip("dhms")
    unit = text[len(digits) :]
    if not (digits.isascii() and digits.isdigit()):
        raise DurationError(f'"{shortened(text)}" is not a duration such as {EXAMPLES}')
    if unit not in MILLISECONDS:
        number = shortened(digits)
        raise DurationError(
            f'"{shortened(text)}" has no unit; write {number}s for seconds or {number}ms for milliseconds'
            if not unit
            else f'"{shortened(text)}" is not a duration such as {EXAMPLES}'
        )
    # A number of a thousand digits is refused before it is converted.
    milliseconds = int(digits) * MILLISECONDS[unit] if len(digits) <= 15 else LONGEST_MS + 1
    if milliseconds > LONGEST_MS:
        raise DurationError(f'"{shortened(text)}" is longer than ten years')
    return milliseconds


def parse_range(text: str) -> DurationRange:
    """A duration or a range `10m..1h`; raises `DurationError`."""
    first, dots, last = text.partition("..")
    shortest = parse_duration(first.strip() if dots else text)
    longest = parse_duration(last.strip()) if dots else shortest
    if longest < shortest:
        raise DurationError(f'"{shortened(text)}" ends before it begins; write the shorter duration first')
    return DurationRange(shortest, longest)


def format_duration(milliseconds: int) -> str:
    """The shortest text that `parse_duration` reads back as `milliseconds`."""
    for unit in ("d", "h", "m", "s"):
        if milliseconds and milliseconds % MILLISECONDS[unit] == 0:
            return f"{milliseconds // MILLISECONDS[unit]}{unit}"
    return f"{milliseconds}ms" if milliseconds else "0s"


def shortened(text: str) -> str:
    """`text` as a message can quote it: one line, and not a screenful."""
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:57]}..."
