"""What a primitive asks of whoever runs it.

Law of this file: a primitive is a generator that yields these and is sent the answers; it does no I/O, reads no clock
but the one it is given, and so serves sync, asyncio, and a test that plays every order of events.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")

Clock = Callable[[], float]
"""Seconds since some moment in the past; never stepped, and running on while the machine sleeps where it can."""

Argument = bytes | str | int
Value = Any
"""What a script answers is integers and byte strings; each primitive knows which stand where."""


@dataclass(frozen=True, slots=True)
class Script:
    """A Lua script: `sha` is the SHA-1 of `source` in hexadecimal, as EVALSHA wants it."""

    name: str
    source: bytes
    sha: bytes


class Send(NamedTuple):
    """Call a script once, on the node of `keys[0]`. Answered by an `Answer`; a `Fault` is thrown in.

    The runner puts "not after" before `args`: the end of `budget` in the server's own time, as the connection knows
    it, or 0 where it does not. The script declines when it comes later than that.
    """

    script: Script
    keys: tuple[bytes, ...]
    args: tuple[Argument, ...]
    budget: float
    """Seconds that the exchange may take."""
    patient: bool = True
    """Opening a connection, where there is none, has a deadline of its own; otherwise it is part of `budget`."""
    replicas: int = 0
    """Replicas that must have it as well (WAIT)."""
    shielded: bool = False
    """A clean-up: it runs to its end though the caller is being cancelled."""


class Answer(NamedTuple):
    """What came of a `Send`."""

    values: list[Value]
    """Status, two values of the script's own, and the server's time in microseconds (0 where it is of no use)."""
    sent_at: float
    """By the caller's clock, before the first byte left."""
    replicas: int = 0
    """Replicas that have acknowledged."""


class Batch(NamedTuple):
    """Several calls in one go, a round trip per node. Answered by a list of `Answer` or `Fault`, one for each."""

    sends: tuple[Send, ...]


class Publish(NamedTuple):
    """Publish a message. Answered by the number of subscribers that the node knows of."""

    channel: bytes
    message: bytes
    budget: float


class Enter(NamedTuple):
    """Queue up for `channel` in this process.

    Answered, once this caller is the first and the subscription is acknowledged, by a ticket; by None when `until`
    has passed. A `Fault` is thrown in when there is no subscribing.
    """

    channel: bytes
    until: float


class Pause(NamedTuple):
    """Wait, as the first in the queue, for a message or until `until`."""

    ticket: object
    until: float


class Leave(NamedTuple):
    """Leave the queue; never waits and never fails."""

    ticket: object


class Sleep(NamedTuple):
    """Wait until then."""

    until: float
    shielded: bool = False
    """Part of a clean-up, as that of a `Send`."""


Step = Send | Batch | Publish | Enter | Pause | Leave | Sleep
Steps = Generator[Step, Any, T]
"""A primitive: yields steps, is sent their answers, returns a `T`."""
