"""Who waits for a lock and who listens to a signal, and whom a message wakes.

Law of this file: nothing here waits, locks or does I/O. Whoever owns it guards it, keeps the connection, and reports
what was heard and what was lost; a lost connection wakes everybody, since what was sent meanwhile is lost too.
"""

from typing import Any, Final, Generic, Protocol, TypeVar

from redis_guard.runtime.core.queues import Queues
from redis_guard.runtime.core.signal import Wakes
from redis_guard.runtime.core.subscriptions import Subscriptions
from redis_guard.runtime.faults import MISTAKES, Fault

TICK: Final = 1.0
"""Seconds between two looks at what is idle."""
SILENCE: Final = 15.0
"""Seconds without a word after which the server is asked whether it is there; as many again and it is not."""
FIRST_RETRY: Final = 0.05
LAST_RETRY: Final = 2.0
"""Seconds before a lost connection is opened anew, doubling."""


class Alarm(Protocol):
    """The event of a thread or of a task."""

    def set(self) -> object: ...
    def clear(self) -> object: ...


AlarmT = TypeVar("AlarmT", bound=Alarm)


class Ticket(Generic[AlarmT]):
    """A place in a queue."""

    __slots__ = ("channel", "woken")

    def __init__(self, channel: bytes, woken: AlarmT) -> None:
        self.channel = channel
        self.woken = woken


class Listener(Generic[AlarmT]):
    """Somebody who listens to a signal."""

    __slots__ = ("channel", "wakes", "woken")

    def __init__(self, channel: bytes, wakes: Wakes, woken: AlarmT) -> None:
        self.channel = channel
        self.wakes = wakes
        self.woken = woken


class Board(Generic[AlarmT]):
    """The waiters and listeners of one subscription connection."""

    __slots__ = ("_fault", "_listeners", "_queues", "_subscriptions")

    def __init__(self) -> None:
        self._queues: Queues[Ticket[AlarmT]] = Queues()
        self._listeners: dict[bytes, set[Listener[AlarmT]]] = {}
        self._subscriptions = Subscriptions()
        self._fault: Fault | None = None

    @property
    def wanted(self) -> tuple[bytes, ...]:
        """The channels to subscribe to."""
        return self._subscriptions.wanted

    def overdue(self, now: float) -> tuple[bytes, ...]:
        """Channels to unsubscribe from."""
        return self._subscriptions.overdue(now)

    def busy(self, channel: bytes) -> bool:
        """Somebody waits for `channel`."""
        return self._queues.first(channel) is not None

    def join(self, ticket: Ticket[AlarmT]) -> bool:
        """Queue up; whether the channel must be subscribed to for that."""
        self._fault = None
        self._queues.join(ticket.channel, ticket)
        return self._subscriptions.want(ticket.channel)

    def turn(self, ticket: Ticket[AlarmT]) -> bool:
        """It is the first and subscribed; otherwise it will be woken for another look. Raises `Fault`."""
        if self._fault is not None:
            raise self._fault
        if self._queues.first(ticket.channel) is ticket and self._subscriptions.confirmed(ticket.channel):
            return True
        ticket.woken.clear()
        return False

    def leave(self, ticket: Ticket[AlarmT], now: float) -> None:
        """Leave the queue, and wake the next."""
        following = self._queues.leave(ticket.channel, ticket)
        if following is not None:
            following.woken.set()
        self._idle(ticket.channel, now)

    def listen(self, listener: Listener[AlarmT]) -> bool:
        """Listen from now on; whether the channel must be subscribed to for that."""
        self._listeners.setdefault(listener.channel, set()).add(listener)
        if self._subscriptions.confirmed(listener.channel):
            listener.wakes.subscribed()
        return self._subscriptions.want(listener.channel)

    def unlisten(self, listener: Listener[AlarmT], now: float) -> None:
        """Listen no longer."""
        listeners = self._listeners.get(listener.channel)
        if listeners is not None:
            listeners.discard(listener)
            if not listeners:
                del self._listeners[listener.channel]
        self._idle(listener.channel, now)

    def heard(self, message: Any) -> None:
        """What the server said: a message, or the acknowledgement of a subscription."""
        if not isinstance(message, list):
            return
        kind, channel, *rest = message
        if kind == b"message":
            self._wake_first(channel)
            for listener in self._listeners.get(channel, ()):
                listener.wakes.message(rest[0])
                listener.woken.set()
        elif kind == b"subscribe":
            self._subscriptions.confirm(channel)
            self._fault = None
            self._wake_first(channel)
            for listener in self._listeners.get(channel, ()):
                listener.wakes.subscribed()
                listener.woken.set()

    def lost(self, fault: Fault) -> bool:
        """The connection has ended, or could not be opened; whether another is likely to do better at once."""
        self._subscriptions.lost()
        hopeful = not fault.opening and fault.error_class not in MISTAKES
        if not hopeful:
            self._fault = fault
        if fault.error_class in MISTAKES:
            for listener in self._everyone_listening():
                listener.wakes.mistake = fault
        self.wake_everybody()
        return hopeful

    def wake_everybody(self) -> None:
        """Have everybody look again."""
        for ticket in self._queues.everybody():
            ticket.woken.set()
        for listener in self._everyone_listening():
            listener.woken.set()

    def _idle(self, channel: bytes, now: float) -> None:
        if not self.busy(channel) and channel not in self._listeners:
            self._subscriptions.idle(channel, now)

    def _wake_first(self, channel: bytes) -> None:
        first = self._queues.first(channel)
        if first is not None:
            first.woken.set()

    def _everyone_listening(self) -> list[Listener[AlarmT]]:
        return [listener for listeners in self._listeners.values() for listener in listeners]
