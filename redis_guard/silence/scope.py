"""Which lines an allow speaks for.

Law of this file: at the end of a line it speaks for its statement, or for the header of a compound one;
on a line of its own for all of the statement, definition or clause that follows at the same indentation.
"""

from collections.abc import Iterable

from redis_guard.finding import Block, Comment


def covered(comment: Comment, blocks: Iterable[Block]) -> range:
    """The lines on which a finding may start to be silenced by an allow in this comment; empty when none."""
    line = comment.line
    headers = [block for block in blocks if block.header_line <= line <= block.header_end]
    if not comment.own_line or headers:
        first = min((block.header_line for block in headers), default=line)
        last = max((block.header_end for block in headers), default=line)
        return range(min(first, comment.first_line), max(last, line) + 1)
    target = _decorated(line, blocks) or _next(line, blocks)
    if not target or all(block.column != comment.column for block in target):
        return range(0)
    return range(target[0].first_line, max(block.last_line for block in target) + 1)


def _decorated(line: int, blocks: Iterable[Block]) -> list[Block]:
    return [block for block in blocks if block.first_line <= line < block.header_line]


def _next(line: int, blocks: Iterable[Block]) -> list[Block]:
    """The blocks that start on the first line with a block after this one; several share `a(); b()`."""
    first = min((block.first_line for block in blocks if block.first_line > line), default=0)
    return [block for block in blocks if block.first_line == first]
