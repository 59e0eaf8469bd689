"""What a migration is asked, and what comes of it.

Law of this file: plain values.
"""

from dataclasses import dataclass

from redis_guard.registry import UseCase


@dataclass(frozen=True, slots=True)
class Target:
    """The use case, and the object that its call sites will ask."""

    case: UseCase
    module: str
    attribute: str
    asynchronous: bool | None
    """Which runtime the object belongs to; None where its module does not show it."""

    @property
    def name(self) -> str:
        """What is imported: the first part of a dotted attribute."""
        return self.attribute.partition(".")[0]


@dataclass(frozen=True, slots=True, order=True)
class Said:
    """A line about one place: a call site that is left, or a note."""

    path: str
    line: int
    column: int
    text: str


@dataclass(frozen=True, slots=True)
class FileResult:
    """What comes of one file."""

    path: str
    text: str | None
    """The new text; None where the file is left alone."""
    rewritten: int
    """Call sites that the new text does not have any more."""
    left: tuple[Said, ...] = ()
    notes: tuple[Said, ...] = ()


class Refused(Exception):
    """A call site that cannot be rewritten; the message says why."""
