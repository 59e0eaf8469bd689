"""One TOML file and its `[tool.redis-guard]` table.

Law of this file: a file that says nothing of redis-guard is never parsed, and one that does is either
understood or a `ConfigError`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from redis_guard.config.problems import ConfigError, ConfigProblem
from redis_guard.plain_files import read_plain

TABLE = "redis-guard"
_TABLES = re.compile(rb"""^\s*\[+\s*["']?tool["']?\s*\.\s*["']?([a-zA-Z0-9_-]+)""", re.MULTILINE)
_OURS = (TABLE.encode(), b"redis_guard")
_LETTERS = 6
"""Of the eight that our name has."""
_LIKENESS = 0.85
"""Of a misspelt name, punctuation aside: `redis-gaurd` has 0.9, `redis-om` 0.6."""


@dataclass(frozen=True, slots=True)
class Document:
    """The table's keys and values, and the text they were read from."""

    path: Path
    text: str
    table: Mapping[str, object]

    def problem(self, message: str, key: str = "", within: str = "", index: int = 0) -> ConfigProblem:
        """`message` at the line of `key`, inside the sub-table `within` (its `index`-th one from 0)."""
        return ConfigProblem(self.path, self.line(key, within, index), message)

    def line(self, key: str = "", within: str = "", index: int = 0) -> int | None:
        """The line of `key`, as far as it can be told, else of the table that it is in."""
        table = f"tool.{TABLE}.{within}" if within else f"tool.{TABLE}"
        return line_of(self.text, table, key, index)


def read_document(path: Path) -> Document | None:
    """The document, or None where it has no `[tool.redis-guard]`; raises `ConfigError`."""
    try:
        content = read_plain(path)
    except OSError as error:
        raise _refused(path, None, f"cannot be read: {error.strerror or error}") from error
    speaks_of_us = any(name in content for name in _OURS)
    if not speaks_of_us and not any(_is_misspelt(name.decode()) for name in _TABLES.findall(content)):
        return None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _refused(
            path, content.count(b"\n", 0, error.start) + 1, "not valid TOML: it is not UTF-8"
        ) from error
    tool = parse_toml(path, text).get("tool")
    if not isinstance(tool, dict):
        return None
    if (misspelt := next(filter(_is_misspelt, tool), None)) is not None:
        message = f"unknown table [tool.{misspelt}]; did you mean [tool.{TABLE}]?"
        raise _refused(path, _line_of_table(text, misspelt), message)
    if TABLE not in tool:
        return None
    table = tool[TABLE]
    if not isinstance(table, dict):
        raise _refused(
            path, line_of(text, "tool", TABLE), f"tool.{TABLE} must be a table; write [tool.{TABLE}]"
        )
    return Document(path, text, table)


def _is_misspelt(name: str) -> bool:
    """It is not ours and resembles it; `redis-guard-…` is somebody else's."""
    folded, meant = name.lower().replace("-", "").replace("_", ""), TABLE.replace("-", "")
    if name == TABLE or name.startswith(f"{TABLE}-") or len({*folded} & {*meant}) < _LETTERS:
        return False
    # difflib is loaded for names that may be misspelt only
    from difflib import SequenceMatcher

    return SequenceMatcher(None, folded[:100], meant).ratio() >= _LIKENESS


def _line_of_table(text: str, name: str) -> int | None:
    """Of the table, or of the first one below it; where it is written otherwise, of the name."""
    lines = text.split("\n")
    header = re.compile(rf"""\s*\[+\s*["']?tool["']?\s*\.\s*["']?{re.escape(name)}\b""")
    numbers = [number for number, line in enumerate(lines, 1) if header.match(line)]
    return next(iter(numbers), None) or line_of(text, "tool", name)


def parse_toml(path: Path, text: str) -> dict[str, object]:
    """The tables and values of a file's text; raises `ConfigError` with the line."""
    # Loaded here, since most runs find that no file above them concerns redis-guard.
    import tomllib

    try:
        return tomllib.loads(text)
    except ValueError as error:  # TOMLDecodeError is one, and a number of 5,000 digits raises another
        reason, _, place = str(error).partition(" (at ")
        digits = place.removeprefix("line ").partition(",")[0]
        line = int(digits) if digits.isdigit() else text.count("\n") + 1
        raise _refused(path, line, f"not valid TOML: {reason}") from error
    except RecursionError as error:
        raise _refused(path, None, "not valid TOML: nested too deeply") from error


def _refused(path: Path, line: int | None, message: str) -> ConfigError:
    return ConfigError([ConfigProblem(path, line, message)])


def line_of(text: str, table: str, key: str = "", index: int = 0) -> int | None:
    """The 1-based line of `key` in the `index`-th (from 0) table of that dotted name; None if not found.

    Without a key, or when it is not there, the line where the table begins. The TOML reader keeps no
    places, so this looks for lines of the usual layout.
    """
    parent, _, leaf = table.rpartition(".")
    header, count = "", -1
    beginning: int | None = None
    for number, line in enumerate(text.split("\n"), 1):
        code = line.partition("#")[0].strip()
        if title := _header(code):
            header = title
            count += title == table
            if title == table and count == index:
                beginning = number
        elif "=" in code:
            name = _plain(code.partition("=")[0])
            if header == table and count == index and name == key:
                return number
            # An inline table, or dotted keys, of the table above.
            if header == parent and name.partition(".")[0] == leaf:
                beginning = beginning or number
    return beginning


def _header(code: str) -> str | None:
    """The dotted name in `[name]` or `[[name]]`; a line of a nested array is none."""
    if not (code.startswith("[") and code.endswith("]")):
        return None
    title = _plain(code.strip("[]"))
    bare = all(part and part.replace("-", "").replace("_", "").isalnum() for part in title.split("."))
    return title if bare and code.lstrip("[")[0] not in "\"'" else None


def _plain(name: str) -> str:
    return name.replace('"', "").replace("'", "").replace(" ", "")
