"""Two texts of one file as a unified diff that `git apply` and `patch` take.

Law of this file: lines end where Python ends them, and a missing last line end is said.
"""

from difflib import unified_diff

from redis_guard.lines import Lines


def unified(path: str, before: str, after: str) -> str:
    """The diff; empty where the texts are equal."""
    rows = unified_diff(_lines(before), _lines(after), f"a/{path}", f"b/{path}")
    return "".join(row if row.endswith("\n") else f"{row}\n\\ No newline at end of file\n" for row in rows)


def _lines(text: str) -> list[str]:
    lines = Lines.of(text)
    ends = [*lines.starts[1:], len(text)]
    return [text[start:end] for start, end in zip(lines.starts, ends, strict=True)]
