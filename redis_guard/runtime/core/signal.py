"""The signal: "go and look again". Sent at most once, so that every doubt is a reason to look.

Law of this file: a listener is woken at once, after every subscription that was acknowledged, after messages (several
are one), and when it was left alone for too long; a message carries a marker, never data.
"""

from dataclasses import dataclass
from typing import Final, Literal

from redis_guard.runtime.core.bound import Bound
from redis_guard.runtime.core.policy import by_policy
from redis_guard.runtime.faults import MISTAKES, Fault
from redis_guard.runtime.outcomes import SignalOutcome
from redis_guard.runtime.steps import Clock, Publish, Steps

LONGEST_MARKER: Final = 256
"""Bytes."""


@dataclass(frozen=True, slots=True)
class Sent:
    """What came of sending. Pub/Sub promises nothing: a listener that is not connected just then hears nothing."""

    receivers: int
    """Subscribers that the server which took the message knew of; on a cluster, those of one node."""
    degraded: bool = False
    """Redis could not be asked; the message is dropped, as the registry says."""


@dataclass(frozen=True, slots=True)
class Wake:
    """A reason to look again."""

    reason: Literal["start", "subscribed", "message", "reread"]
    marker: bytes | None = None
    """Of the last message, where `reason` is `message`."""


def marker_bytes(marker: str | bytes) -> bytes:
    """What is sent. Raises `ValueError` for more than a marker."""
    data = marker.encode() if isinstance(marker, str) else marker
    if not isinstance(data, bytes):
        raise TypeError(f"a marker is str or bytes, not {type(marker).__name__}")
    if len(data) > LONGEST_MARKER:
        raise ValueError(
            f"a marker has at most {LONGEST_MARKER} bytes, not {len(data)}: a signal says that something changed, "
            "and the listener reads what"
        )
    return data


def send(bound: Bound, channel: bytes, marker: bytes, clock: Clock) -> Steps[Sent]:
    """Wake whoever listens."""
    began = clock()
    record = bound.recorder.operation
    try:
        receivers: int = yield Publish(channel, marker, bound.deadline)
    except Fault as fault:
        mistake, closed = fault.error_class in MISTAKES, bound.case.failure == "closed"
        outcome: SignalOutcome = "error" if mistake else "unavailable" if closed else "dropped"
        record(outcome, fault.error_class, clock() - began, ())
        return by_policy(bound.case, fault, lambda: Sent(0, degraded=True))
    record("sent", None, clock() - began, ())
    return Sent(receivers)


class Wakes:
    """What a listener has to be told next. Not safe for threads: its owner locks."""

    __slots__ = ("_bound", "_pending", "_reread", "_subscribed", "due_at", "mistake")

    def __init__(self, bound: Bound, now: float) -> None:
        self._bound = bound
        self._reread = bound.case.reread_ms / 1000
        self._pending: Wake | None = Wake("start")
        self._subscribed = False
        self.due_at = now
        """When to ask again at the latest."""
        self.mistake: Fault | None = None
        """What no waiting will cure."""

    def subscribed(self) -> None:
        """The server has acknowledged the subscription: whatever was sent before it is lost."""
        if self._subscribed:
            self._bound.recorder.operation("resubscribed", None, 0.0, ())
        self._subscribed = True
        if self._pending is None:
            self._pending = Wake("subscribed")

    def message(self, marker: bytes) -> None:
        """Somebody has sent."""
        self._pending = Wake("message", marker)

    def take(self, now: float) -> Wake | None:
        """The wake that is due, if any."""
        wake = self._pending
        if wake is None and now >= self.due_at:
            wake = Wake("reread")
        if wake is not None:
            self._pending = None
            self.due_at = now + self._reread
            if wake.reason == "message":
                self._bound.recorder.operation("woken", None, 0.0, ())
        return wake
