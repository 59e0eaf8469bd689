"""Applying edits to a text.

Law of this file: what no edit names stays as it is, character for character.
"""

from collections.abc import Iterable

from redis_guard.finding import Edit
from redis_guard.lines import Lines


class EditError(ValueError):
    """Edits that the text has no place for, or that want the same place."""


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text after all edits; insertions at one place appear in the order given.

    Raises EditError when two edits overlap or one lies outside the text.
    """
    lines = Lines.of(text)
    pieces: list[str] = []
    done = 0
    for start, end, edit in sorted((locate(lines, edit) for edit in edits), key=lambda found: found[:2]):
        if start < done:
            raise EditError(f"two edits overlap at line {edit.span.line}, column {edit.span.column}")
        pieces += (text[done:start], edit.text)
        done = end
    pieces.append(text[done:])
    return "".join(pieces)


def locate(lines: Lines, edit: Edit) -> tuple[int, int, Edit]:
    """Start and end of an edit as offsets, and the edit. Raises EditError for a place outside the text."""
    span = edit.span
    try:
        start = lines.offset(span.line, span.column)
        end = lines.offset(span.end_line, span.end_column)
    except ValueError as error:
        raise EditError(str(error)) from None
    if end < start:
        raise EditError(f"an edit at line {span.line}, column {span.column} ends before it starts")
    return start, end, edit
