"""The table `[tool.redis-guard]` behind what pyproject.toml holds.

Law of this file: every byte that was there stays, and what comes out is read again before it is written.
"""

import json
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from redis_guard.config.document import TABLE, parse_toml
from redis_guard.config.load import FILE_NAME
from redis_guard.init.steps import InitError, Step, appended, change, create
from redis_guard.plain_files import is_there, read_plain

_PLAIN_PATH = re.compile(r"[\w./-]+", re.ASCII)
"""A path that means itself as a pattern of .gitignore."""


@dataclass(frozen=True, slots=True)
class Pyproject:
    """The file as it is: None where there is none."""

    root: Path
    before: bytes | None
    tables: dict[str, object]


def read_pyproject(root: Path) -> Pyproject:
    """Raises Mistake for a file that cannot be read, or is no TOML."""
    path = root / FILE_NAME
    if not is_there(path):
        return Pyproject(root, None, {})
    try:
        before = read_plain(path)
    except OSError as error:
        raise InitError(f"{path}: cannot be read: {error.strerror or error}") from None
    try:
        text = before.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InitError(f"{path}: not valid TOML: it is not UTF-8") from None
    return Pyproject(root, before, parse_toml(path, text))


def table(registry: str, coordination: str | None, builders: Iterable[str]) -> str:
    """The text of the table; `builders` are modules that may build clients."""
    lines = [f"[tool.{TABLE}]", f"registry = [{json.dumps(registry)}]"]
    if coordination is not None:
        lines.append(f"coordination = {json.dumps(coordination)}")
    for path in sorted(path for path in set(builders) if _PLAIN_PATH.fullmatch(path)):
        lines += [
            "",
            f"[[tool.{TABLE}.allow]]",
            f"paths = [{json.dumps(path if '/' in path else f'/{path}')}]",
            'rules = ["RG102"]',
            'reason = "The connections to Redis are configured here"',
        ]
    return "\n".join((*lines, ""))


def add_table(pyproject: Pyproject, text: str) -> Step:
    """Write the table. Raises InitError."""
    if pyproject.before is None:
        return create(pyproject.root, FILE_NAME, text, f"[tool.{TABLE}]")
    gap = "\n" if pyproject.before.strip() else ""
    after = appended(pyproject.before, gap + text)
    if not _adds(pyproject.tables, after, text):
        raise InitError(
            f"{pyproject.root / FILE_NAME}: [tool.{TABLE}] cannot be added at its end; write the other tools' tables "
            "as [tool.NAME], and run again"
        )
    return change(pyproject.root, FILE_NAME, pyproject.before, after, f"[tool.{TABLE}] added")


def _adds(before: dict[str, object], after: bytes, text: str) -> bool:
    """Whether the new file says what the old one said, and the table."""
    try:
        found = tomllib.loads(after.decode("utf-8-sig"))
    except ValueError:
        return False
    tool = found["tool"]
    if tool.pop(TABLE, None) != tomllib.loads(text)["tool"][TABLE]:
        return False
    if not tool and "tool" not in before:
        del found["tool"]
    return found == before
