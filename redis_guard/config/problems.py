"""What is wrong with the configuration, and where.

Law of this file: a problem is one line that names the file, the line where it is known, and what to do.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from redis_guard.mistake import Mistake


@dataclass(frozen=True, slots=True)
class ConfigProblem:
    """One thing that is wrong in `path`; `line` is 1-based."""

    path: Path
    line: int | None
    message: str

    def __str__(self) -> str:
        where = str(self.path) if self.line is None else f"{self.path}:{self.line}"
        return f"{where}: {self.message}"


class ConfigError(Mistake):
    """The configuration cannot be used; `problems` holds everything that is wrong with it."""

    def __init__(self, problems: Iterable[ConfigProblem]) -> None:
        self.problems = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(map(str, self.problems))
