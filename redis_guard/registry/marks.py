"""Allow comments in a registry file, and the entries they may cover.

Law of this file: lines and their indentation only, so that a comment covers the entry it stands beside or above,
with all that is indented below it.
"""

import re
from collections.abc import Iterator

from redis_guard.finding import Block, Comment

_QUOTED = re.compile(r'"(?:\\.|[^"\\])*"|\'[^\']*\'')
_COMMENT = re.compile(r"(?:^|(?<=\s))#.*")


def registry_marks(text: str) -> tuple[tuple[Comment, ...], tuple[Block, ...]]:
    """The comments of a file, and one block for every line with those that are indented deeper below it."""
    lines = text.splitlines()
    return tuple(_comments(lines)), tuple(_blocks(lines))


def _comments(lines: list[str]) -> Iterator[Comment]:
    for number, line in enumerate(lines, start=1):
        blank = _QUOTED.sub(lambda quoted: "x" * len(quoted[0]), line)
        if (found := _COMMENT.search(blank)) is not None:
            start = found.start()
            yield Comment(number, start + 1, line[start:].rstrip(), not line[:start].strip())


def _blocks(lines: list[str]) -> Iterator[Block]:
    rows = [
        (number, len(line) - len(line.lstrip()))
        for number, line in enumerate(lines, start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    for place, (number, indent) in enumerate(rows):
        last = number
        for below, deeper in rows[place + 1 :]:
            if deeper <= indent:
                break
            last = below
        yield Block(indent + 1, number, number, number, last)
