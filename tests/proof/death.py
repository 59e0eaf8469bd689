"""How and when a program is ended from outside.

Law of this file: an end is counted in commands that reached the server, so that every end can be had again.
"""

from dataclasses import dataclass
from enum import Enum


class Crash(BaseException):
    """The end of the program, raised where it spoke to the server.

    No Exception: `except Exception` is not to survive it.
    """


class Manner(Enum):
    """What is left of the program afterwards."""

    KILLED = "killed"
    """Nothing: whatever it still tries reaches nobody, as after SIGKILL or a power cut."""
    INTERRUPTED = "interrupted"
    """Its `finally` and `with`, which still reach the server, as after Ctrl-C or a cancelled task."""


@dataclass(frozen=True, slots=True)
class Death:
    """The program ends at its `at`-th command, counted from 1 over all its connections.

    The command has reached the server and its reply is not read; with `unsent` it has not reached the server, and all
    replies before it have been read. A packet of several commands is torn at that point.
    """

    manner: Manner
    at: int
    unsent: bool = False

    def __str__(self) -> str:
        return f"{self.manner.value} {'before' if self.unsent else 'after'} command {self.at}"
