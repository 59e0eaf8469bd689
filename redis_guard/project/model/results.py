"""What is done with the value of a call.

Law of this file: `later is None` means that some uses cannot be seen.
"""

from dataclasses import dataclass
from typing import Literal

ResultUse = Literal[
    "discarded", "assigned", "returned", "condition", "compared", "argument", "chained", "iterated", "entered",
    "stored", "collected", "operand", "yielded", "other",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class LaterUse:
    """A use of a variable that holds a result."""

    use: ResultUse
    awaited: bool
    callee: str | None
    place_order: int


@dataclass(frozen=True, slots=True)
class Result:
    """What is done with the value of a call."""

    use: ResultUse
    awaited: bool
    """`await` stands directly before the call, or `async with`/`async for` takes it."""
    callee: str | None = None
    """For `argument`: the dotted name of what it is passed to, as far as it is known. For `chained`: the attribute."""
    names: tuple[str, ...] = ()
    """For `assigned` and `entered`: the variables."""
    later: tuple[LaterUse, ...] | None = None
    """For `assigned` to a local variable: its uses; None where some cannot be seen (attributes, globals, closures)."""
    negated: bool = False
