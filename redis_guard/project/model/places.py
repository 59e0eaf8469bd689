"""Where something happens: functions, arms of statements, order.

Law of this file: places are compared by `redis_guard.project.flow`, not by their numbers.
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Function:
    """The function (or module body) in which something happens."""

    path: str
    scope: int
    """Identifies the function in its file; 0 is the module body."""
    name: str
    qualname: str
    """Empty for the module body."""
    asynchronous: bool
    generator: bool
    decorators: frozenset[str]
    cls: str | None
    """Qualified name of the class whose method it is (or is nested in)."""
    parameters: tuple[str, ...]
    enclosing: tuple[int, ...]
    """Scopes around it, nearest first."""


@dataclass(frozen=True, slots=True)
class Arm:
    """One step from the function's body to a statement: which compound statement, which arm of it."""

    construct: int
    kind: Literal["if", "for", "while", "try", "with", "match"]
    arm: int
    arms: int
    ends: bool
    """Control never passes the end of this arm (it returns, raises, breaks or continues)."""
    line: int
    has_finally: bool


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the flow of its function something happens. Compare places with `redis_guard.project.flow`."""

    function: Function
    order: int
    """Rises in the order of evaluation."""
    path: tuple[Arm, ...]
    """From the function's body inwards."""
    statement: int
    """Equal for everything in one statement."""
