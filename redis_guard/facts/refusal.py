"""Where and why a file cannot be parsed.

Law of this file: the interpreter's own word goes first, because its places and its advice are the better ones.
"""

import ast
import re

import libcst as cst

from redis_guard.lines import Lines

_AT = re.compile(r"error at (\d+):(\d+)")


def refusal(text: str, error: cst.ParserSyntaxError | cst.CSTValidationError) -> tuple[int, int, str]:
    """Line, column (both from 1) and message for a text that libcst refused with `error`."""
    try:
        ast.parse(text)
    except SyntaxError as said:
        return *_within(text, said.lineno, said.offset), f"cannot be parsed: {said.msg}"
    except (ValueError, RecursionError, MemoryError):
        pass
    reason = " ".join(str(getattr(error, "message", error)).split("\n")[0].split())
    if at := _AT.search(reason):
        return *_within(text, int(at[1]), int(at[2]) + 1), "cannot be parsed: unexpected code here, or before"
    return *_within(text, getattr(error, "raw_line", 1), 1), f"cannot be parsed: {reason}"


def _within(text: str, line: int | None, column: int | None) -> tuple[int, int]:
    """A place that the text has, whatever a parser counted."""
    lines = Lines.of(text)
    row = max(1, min(line or 1, len(lines)))
    return row, max(1, min(column or 1, len(lines.line(row)) + 1))
