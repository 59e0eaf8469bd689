"""Text that is safe to print: nothing in a source or a path can move the cursor or reorder a line.

Law of this file: every character becomes exactly one character, so columns stay true.
"""

import re
from typing import TextIO

# C0, DEL, C1, soft hyphen, line and paragraph separators, marks that reorder text, lone surrogates, no characters.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


def printable(text: str) -> str:
    """The text with a picture in place of every control character, tabs and line ends included."""
    return _UNSAFE.sub(lambda match: _picture(match[0]), text)


def _picture(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else "\ufffd"


def one_line(text: str) -> str:
    """A message on one line, printable."""
    return printable(" ".join(text.split()))


def encodable(text: str, out: TextIO) -> str:
    """The text with escapes in place of the characters that the stream's encoding lacks."""
    encoding = getattr(out, "encoding", None) or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def write(out: TextIO, text: str) -> None:
    """Write what the stream can take of a text."""
    out.write(encodable(text, out))
