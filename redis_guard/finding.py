"""What a rule says and where: findings, and the places in a source that findings and allows speak of.

Plain data, read by every door.

Law of this file: lines and columns are 1-based, columns count characters, and paths are relative to
the project root with `/`.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

Confidence = Literal["certain", "likely", "guessed"]
Suppression = Literal["allow", "noqa", "config", "baseline"]

INTERNAL_ERROR = "internal error: "
"""How a finding of RG001 tells that the tool is at fault, and not the file."""


class Severity(StrEnum):
    """How bad a finding is, from `error` down to `note`."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    @property
    def rank(self) -> int:
        """2 for error, 1 for warning, 0 for note."""
        return {"error": 2, "warning": 1, "note": 0}[self.value]


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of source; the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment, from its `#` to the end of its line."""

    line: int
    column: int
    text: str
    own_line: bool
    """Whether nothing but white space stands before it."""
    joined_from: int | None = None
    """The first of the physical lines that a multi-line string or backslashes join to this one."""

    @property
    def first_line(self) -> int:
        """The first physical line of the stretch that this comment ends."""
        return self.line if self.joined_from is None else self.joined_from


@dataclass(frozen=True, slots=True)
class Block:
    """The lines of one statement, definition, or clause (`else`, `except`, `finally`, `case`) of one.

    A simple statement is all header: `header_end` equals `last_line`.
    """

    column: int
    """Of its first character, the `@` of a decorator included."""
    first_line: int
    """Decorators included."""
    header_line: int
    """Where `def`, `class`, `if` … stands; differs from `first_line` only under decorators."""
    header_end: int
    """The line of the colon that ends the header."""
    last_line: int


@dataclass(frozen=True, slots=True)
class Related:
    """A second place a finding speaks of, as the EXPIRE of a pair."""

    path: str
    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text of `span` with `text`."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that belong together; `safe` keeps the meaning for every input apart from the fault."""

    title: str
    applicability: Literal["safe", "unsafe"]
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing one rule says about one place."""

    code: str
    name: str
    severity: Severity
    message: str
    path: str
    span: Span
    method: str | None = None
    command: str | None = None
    key: str | None = None
    use_case: str | None = None
    confidence: Confidence = "certain"
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    function: str = ""
    """Qualified name of the enclosing function or class, for fingerprints; empty at module level."""
    fingerprint: str = ""
    suppressed: Suppression | None = None
    reason: str | None = None
    """Why it is suppressed, as the allow, the config or the baseline gives it."""

    @property
    def sort_key(self) -> tuple[str, Span, str, str]:
        """Path, place, code: the order of every report."""
        return (self.path, self.span, self.code, self.message)
