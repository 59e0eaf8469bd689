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
    for prose in _PROSE.finditer(data):
        if place is None or place < prose.start():
            break
        start, end = _code_within(data, *prose.span())
        while place is not None and place < prose.end():
            if start <= place < end:
                return True
            place = next(upcoming, None)
    return place is not None


def _code_within(data: bytes, start: int, end: int) -> tuple[int, int]:
    """The part of a comment or a string that is code, or may be."""
    opening = data[start : start + 1]
    if opening == b"#":
        return end, end
    whole = data[end - 1 : end] == opening and end - start > 1
    if not whole and not data.startswith(opening * 3, start):
        return start, end
    prefix = data[max(start - 2, 0) : start].lower()
    if prefix[-1:] in (b"f", b"t") or prefix in (b"fr", b"tr"):
        return max(data.find(b"{", start, end), start), data.rfind(b"}", start, end)
    return end, end
