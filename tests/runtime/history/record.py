"""What players and nemesis write down while they act, one line of JSON for each event.

Law of this file: a line is with the kernel before the next step is taken, so that a killed process has told all it
did; every moment is of the one clock that all processes of the machine share.
"""

import json
import os
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from redis_guard.runtime.clock import now


class Event(NamedTuple):
    """One thing that was asked or answered; the events of one request share `who` and `call`."""

    at: float
    kind: str
    """acquire, adopt: acquired, refused, failed, told · checked · release: released, failed, told · handed_on ·
    claim: accepted, duplicate, failed · count: counted, failed"""
    who: str
    """A process, a new one after each kill."""
    call: int
    what: str
    """The lock, claim or counter, as `use_case/identifier`."""
    detail: Any = None


class Record:
    """The history of one process. Safe to share between its threads."""

    def __init__(self, path: Path, who: str) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self._who = who
        self._calls = count()

    def begin(self, kind: str, what: str, detail: Any = None) -> int:
        """Write down that something is asked for; gives the number that its answer shares."""
        call = next(self._calls)
        self.add(kind, call, what, detail)
        return call

    def add(self, kind: str, call: int, what: str, detail: Any = None, *, at: float | None = None) -> None:
        event = Event(now() if at is None else at, kind, self._who, call, what, detail)
        os.write(self._file, json.dumps(event).encode() + b"\n")


def events_in(paths: Iterable[Path]) -> Iterator[Event]:
    """What is written so far; a line that a kill has cut short is none."""
    for path in paths:
        for line in path.read_bytes().split(b"\n")[:-1]:
            yield Event(*json.loads(line))
