"""Source bytes to text and back.

Law of this file: what comes out of `decode` goes back byte for byte through `encode`, or says
beforehand that it will not. Line ends are never translated.
"""

import codecs
import re
from collections import Counter
from dataclasses import dataclass
from tokenize import detect_encoding
from typing import Literal

from redis_guard.source.read import Unreadable

Newline = Literal["\n", "\r\n", "\r"]

_FIRST_LINES = re.compile(rb"[^\r\n]*+(?:\r\n?|\n)?")
_NEWLINES = re.compile(r"\r\n?|\n")
_WIDE_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
_NOT_FOR_SOURCE = frozenset(
    {"idna", "punycode", "raw_unicode_escape", "undefined", "unicode_escape", "utf_7"}
)
"""Codecs whose bytes can spell a line end another way, so that no position would be right."""


@dataclass(frozen=True, slots=True)
class SourceText:
    """One file's text, without a byte order mark, and what it takes to write it back."""

    text: str
    encoding: str
    """A codec's name, as declared by the cookie of PEP 263; `utf-8` where none is."""
    bom: bool
    newline: Newline
    """The file's commonest line end: what a new line should end with."""
    exact: bool
    """Whether encoding the text gives the very bytes again; False forbids fixes."""

    def encode(self, text: str) -> bytes:
        """The bytes of a new text; UnicodeEncodeError where the encoding lacks a character."""
        return (codecs.BOM_UTF8 if self.bom else b"") + text.encode(self.encoding)


def decode(data: bytes) -> SourceText | Unreadable:
    """Decode as Python would: byte order mark, then cookie, then UTF-8; no null characters."""
    for mark, name in _WIDE_MARKS:
        if data.startswith(mark):
            return Unreadable(f"is {name}, which Python does not read; save it as UTF-8", 1)
    encoding = _encoding(data)
    if isinstance(encoding, Unreadable):
        return encoding
    bom = data.startswith(codecs.BOM_UTF8)
    body = data[len(codecs.BOM_UTF8) :] if bom else data
    try:
        text = body.decode(encoding)
        text.encode("utf-8")
    except UnicodeDecodeError as error:
        return _undecodable(body, error, encoding)
    except (LookupError, UnicodeError, ValueError) as error:
        return Unreadable(f"its encoding {encoding} cannot be used: {_one_line(error)}", 1)
    if "\0" in text:
        return Unreadable("holds a null character; is it Python?", _line(text[: text.index("\0")]))
    return SourceText(text, encoding, bom, _commonest_newline(text), _is_exact(text, encoding, body))


def _encoding(data: bytes) -> str | Unreadable:
    first = _FIRST_LINES.match(data)
    second = _FIRST_LINES.match(data, first.end()) if first else None
    lines = iter([match[0] for match in (first, second) if match])
    try:
        declared, _ = detect_encoding(lambda: next(lines))
    except SyntaxError as error:
        if "unknown encoding" in str(error) or "encoding problem" in str(error):
            return Unreadable(f"declares an encoding that cannot be used ({_one_line(error)})", 1)
        # Undeclared, and not UTF-8: decoding says where.
        return "utf-8"
    encoding = "utf-8" if declared == "utf-8-sig" else declared
    if codecs.lookup(encoding).name.replace("-", "_") in _NOT_FOR_SOURCE or not _reads_ascii(encoding):
        return Unreadable(f"declares the encoding {encoding}, which is not one for source", 1)
    return encoding


def _reads_ascii(encoding: str) -> bool:
    try:
        return b"coding".decode(encoding) == "coding"
    except (LookupError, UnicodeError):
        return False


def _undecodable(body: bytes, error: UnicodeDecodeError, encoding: str) -> Unreadable:
    line = _line(body[: error.start].decode("latin-1"))
    if encoding != "utf-8":
        return Unreadable(f"is not {encoding}, which it declares: byte 0x{body[error.start]:02x}", line)
    if b"\0" in body:
        return Unreadable("is not text", line)
    return Unreadable(f"is not UTF-8 and declares no other encoding: byte 0x{body[error.start]:02x}", line)


def _is_exact(text: str, encoding: str, body: bytes) -> bool:
    if encoding == "utf-8":
        return True
    try:
        return text.encode(encoding) == body
    except UnicodeError:
        return False


def _line(before: str) -> int:
    return len(_NEWLINES.findall(before)) + 1


def _commonest_newline(text: str) -> Newline:
    if "\r" not in text:
        return "\n"
    ((commonest, _),) = Counter(_NEWLINES.findall(text)).most_common(1)
    return "\r\n" if commonest == "\r\n" else "\r" if commonest == "\r" else "\n"


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
