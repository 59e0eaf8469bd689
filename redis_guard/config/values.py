"""The values of one TOML table, read key by key.

Law of this file: a reader returns the value or None, and adds whatever is wrong to the problems; nothing
raises, so that one run tells everything.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from redis_guard.config.document import TABLE, Document
from redis_guard.config.problems import ConfigProblem
from redis_guard.nearest import did_you_mean


@dataclass(frozen=True, slots=True)
class Values:
    """One table: `[tool.redis-guard]`, or within it the `index`-th (from 0) table `within`."""

    document: Document
    table: Mapping[str, object]
    problems: list[ConfigProblem]
    within: str = ""
    index: int = 0

    def add(self, key: str, message: str) -> None:
        """Note a problem with `key`; an empty key means the table."""
        prefix = f"{self.within}: " if self.within else ""
        problem = self.document.problem(f"{prefix}{message}", key, self.within, self.index)
        self.problems.append(problem)

    def only(self, known: Iterable[str]) -> None:
        """Refuse keys that are not `known`."""
        names = tuple(known)
        for key in self.table:
            if key not in names:
                table = "" if self.within else f" in [tool.{TABLE}]"
                self.add(key, f'unknown key "{_quoted(key)}"{table}{_suggestion(key, names)}')

    def string(self, key: str) -> str | None:
        """Text that is not blank."""
        value = self.table.get(key)
        if value is None:
            return None
        if not isinstance(value, str):
            hint = (
                f'; write {key} = "{value}"'
                if isinstance(value, int | float) and not isinstance(value, bool)
                else ""
            )
            self.add(key, f'"{key}" must be a string, not {_kind(value)}{hint}')
            return None
        if not value.strip():
            self.add(key, f'"{key}" is blank')
            return None
        if "\0" in value:
            self.add(key, f'"{key}" holds a null character')
            return None
        return value

    def strings(self, key: str) -> tuple[str, ...] | None:
        """A list of texts, none of them blank."""
        value = self.table.get(key)
        if value is None:
            return None
        if not isinstance(value, list):
            hint = f'; write {key} = ["{_quoted(value)}"]' if isinstance(value, str) else ""
            self.add(key, f'"{key}" must be a list of strings, not {_kind(value)}{hint}')
            return None
        texts = tuple(item for item in value if isinstance(item, str) and item.strip())
        if len(texts) < len(value):
            odd = next(item for item in value if not (isinstance(item, str) and item.strip()))
            what = "a blank one" if isinstance(odd, str) else _kind(odd)
            self.add(key, f'"{key}" must be a list of strings, and holds {what}')
        if any("\0" in text for text in texts):
            self.add(key, f'"{key}" holds a null character')
        return texts

    def flag(self, key: str) -> bool | None:
        """true or false."""
        value = self.table.get(key)
        if value is None or isinstance(value, bool):
            return value
        self.add(key, f'"{key}" must be true or false, not {_kind(value)}')
        return None

    def count(self, key: str, most: int) -> int | None:
        """A whole number from 1 to `most`."""
        value = self.table.get(key)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool):
            self.add(key, f'"{key}" must be a whole number, not {_kind(value)}')
            return None
        if not 1 <= value <= most:
            self.add(key, f'"{key}" must be from 1 to {most}')
            return None
        return value

    def choice(self, key: str, options: Iterable[str]) -> str | None:
        """One of the `options`."""
        value, known = self.string(key), tuple(options)
        if value is None or value in known:
            return value
        self.add(key, f'"{key}" cannot be "{_quoted(value)}"; it is one of {", ".join(known)}')
        return None

    def path(self, key: str) -> Path | None:
        """A path, as written."""
        value = self.string(key)
        return None if value is None else Path(value)


def _suggestion(key: str, names: tuple[str, ...]) -> str:
    return did_you_mean(key, names) or f"; it is one of {', '.join(names)}"


def _quoted(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:57]}..."


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "a truth value"
    names = {str: "a string", int: "a number", float: "a number", list: "a list", dict: "a table"}
    return names.get(type(value), "a date or time")
