"""Code told from comments and strings, without a parser.

Law of this file: what cannot be told is code. A string that ends at no quote is code, and so is
all between the first and the last brace of an f-string.
"""

import re
from collections.abc import Sequence

# Every alternative begins with its own first byte and ends where the file does at the latest:
# that keeps the search fast, and linear on a file made to be slow.
_PROSE = re.compile(
    rb"""
      \# [^\r\n]*+
    | \"\"\" (?: [^\\"]++ | \\. | "(?!"") )*+ (?: \"\"\" | \Z )
    | ''' (?: [^\\']++ | \\. | '(?!'') )*+ (?: ''' | \Z )
    | " (?: [^"\\\r\n]++ | \\. )*+ "?+
    | ' (?: [^'\\\r\n]++ | \\. )*+ '?+
    """,
    re.VERBOSE | re.DOTALL,
)


def any_in_code(data: bytes, places: Sequence[int]) -> bool:
    """Whether at least one of the ascending offsets lies in code."""
    upcoming = iter(places)
    place = next(upcoming, None)
    unclear_until = 0
    for prose in _PROSE.finditer(data):
        start, end = prose.span()
        if place is None or place < start or place < unclear_until:
            break
        if _is_formatted(data, start):
            # Quotes within braces may be the string's own kind: then it has not ended here.
            if data.count(b"{", start, end) != data.count(b"}", start, end):
                unclear_until = _end_of_string_at_most(data, start, end)
            start, end = max(data.find(b"{", start, end), start), data.rfind(b"}", start, end)
        elif _is_whole(data, start, end):
            start = end
        while place is not None and place < prose.end():
            if start <= place < max(end, unclear_until):
                return True
            place = next(upcoming, None)
    return place is not None


def _is_formatted(data: bytes, start: int) -> bool:
    prefix = data[max(start - 2, 0) : start].lower()
    return prefix[-1:] in (b"f", b"t") or prefix in (b"fr", b"tr")


def _is_whole(data: bytes, start: int, end: int) -> bool:
    """False for a string of one line that ends at no quote."""
    opening = data[start : start + 1]
    if opening == b"#" or data.startswith(opening * 3, start):
        return True
    return data[end - 1 : end] == opening and end - start > 1


def _end_of_string_at_most(data: bytes, start: int, end: int) -> int:
    if data.startswith((b'"""', b"'''"), start):
        return len(data)
    line_end = data.find(b"\n", end)
    return len(data) if line_end < 0 else line_end
