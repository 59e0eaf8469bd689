"""Where a comment can be added to a source without changing the program.

Law of this file: the standard tokenizer decides; what it cannot read gets no comment.
"""

import io
import re
import tokenize
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LineEnds:
    """Physical lines, 1-based."""

    closed: frozenset[int]
    """Those that end inside a string or with a backslash: a comment there would be none."""
    code: frozenset[int]
    """Those that hold any code."""


def line_ends(text: str) -> LineEnds | None:
    """Judge every line end of a source; None when it cannot be split into tokens."""
    tokens = _tokens(text)
    if tokens is None:
        return None
    closed: set[int] = set()
    code: set[int] = set()
    commented: set[int] = set()
    string_starts: list[int] = []
    for token in tokens:
        kind, first, last = tokenize.tok_name[token.type], token.start[0], token.end[0]
        if kind == "COMMENT":
            commented.add(first)
        elif kind not in ("NL", "NEWLINE", "INDENT", "DEDENT", "ENDMARKER"):
            closed.update(range(first, last))
            code.update(range(first, last + 1))
        if kind.endswith("STRING_START"):  # f-strings come in pieces since Python 3.12
            string_starts.append(first)
        elif kind.endswith("STRING_END"):
            closed.update(range(string_starts.pop(), last))
    backslashed = {number for number, line in enumerate(_plain(text).split("\n"), 1) if line.endswith("\\")}
    return LineEnds(frozenset(closed | (backslashed - commented)), frozenset(code))


def same_program(before: str, after: str) -> bool:
    """Whether two sources differ in nothing but comments and blank lines."""
    old, new = _tokens(before), _tokens(after)
    return old is not None and new is not None and _meaning(old) == _meaning(new)


def _meaning(tokens: list[tokenize.TokenInfo]) -> list[tuple[int, str]]:
    return [
        (token.type, "" if token.type == tokenize.NEWLINE else token.string)
        for token in tokens
        if token.type not in (tokenize.COMMENT, tokenize.NL)
    ]


def _tokens(text: str) -> list[tokenize.TokenInfo] | None:
    try:
        return list(tokenize.generate_tokens(io.StringIO(_plain(text)).readline))
    except (tokenize.TokenError, SyntaxError):
        return None


def _plain(text: str) -> str:
    return re.sub(r"\r\n?", "\n", text)
