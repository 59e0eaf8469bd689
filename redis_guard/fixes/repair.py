"""What a rule offers beside a finding: a value that knows how to put the code right, given its text.

Law of this file: whoever offers a repair judges facts; where things stand in the text is found out only when the fix
is written.
"""

from typing import Protocol

from redis_guard.finding import Fix
from redis_guard.fixes.program import Program


class Repair(Protocol):
    """One way to put one finding right."""

    def fix(self, program: Program) -> Fix | None:
        """The edits of the finding's file; None where the text has something in the way."""
        ...
