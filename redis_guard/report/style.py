"""The looks of the text format by name.

Law of this file: it is data, so that text without colour needs nothing of rich's console.
"""

Pieces = tuple[tuple[str, str], ...]
"""One line: pieces of text, each with the name of a style."""

STYLES = {
    "": "",
    "path": "bold underline",
    "error": "bold red",
    "warning": "bold yellow",
    "note": "bold cyan",
    "code": "bold",
    "gutter": "blue",
    "fix": "green",
    "quiet": "dim",
}
"""From the name of a style to rich's description of it."""
