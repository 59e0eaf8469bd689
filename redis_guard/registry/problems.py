"""What is wrong with a registry, and where.

Law of this file: a problem is one line, `path:line:column: message`; lines and columns are 1-based and
columns count characters.
"""

from dataclasses import dataclass
from typing import Literal, Self

from redis_guard.mistake import Mistake

Kind = Literal[
    "unreadable-file",
    "bad-yaml",
    "duplicate-key",
    "unknown-field",
    "missing-field",
    "wrong-type",
    "bad-value",
    "unknown-owner",
    "unused-owner",
    "declared-twice",
    "overlapping-keys",
    "shared-prefix",
]


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where something stands in a registry file."""

    path: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong at one place."""

    kind: Kind
    path: str
    line: int
    column: int
    message: str
    other: Place | None = None
    """The second place of a problem between two entries."""

    @classmethod
    def at(cls, place: Place, kind: Kind, message: str, other: Place | None = None) -> Self:
        """The problem `kind` at `place`."""
        return cls(kind, place.path, place.line, place.column, message, other)

    @property
    def place(self) -> Place:
        """Where it is."""
        return Place(self.path, self.line, self.column)

    @property
    def is_warning(self) -> bool:
        """A shared prefix is worth a look; everything else makes the registry unfit."""
        return self.kind == "shared-prefix"

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}: {self.message}"


class RegistryError(Mistake):
    """The registry cannot be used; `problems` holds everything that is wrong with it, in file order."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__(problems)
        self.problems = problems

    def __str__(self) -> str:
        return "\n".join(map(str, self.problems))
