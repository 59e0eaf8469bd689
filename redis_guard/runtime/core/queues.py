"""Who in this process waits for which channel, in the order of their coming.

Law of this file: only the first of a queue is woken; whoever leaves hands the turn on. Nothing here waits or locks.
"""

from collections import deque
from typing import Generic, TypeVar

TicketT = TypeVar("TicketT")


class Queues(Generic[TicketT]):
    """A queue for each channel."""

    __slots__ = ("_queues",)

    def __init__(self) -> None:
        self._queues: dict[bytes, deque[TicketT]] = {}

    def join(self, channel: bytes, ticket: TicketT) -> None:
        """Queue up."""
        self._queues.setdefault(channel, deque()).append(ticket)

    def leave(self, channel: bytes, ticket: TicketT) -> TicketT | None:
        """Go away; the one whose turn it has become by that, if any."""
        queue = self._queues.get(channel)
        if queue is None or ticket not in queue:
            return None
        first = queue[0] is ticket
        queue.remove(ticket)
        if not queue:
            del self._queues[channel]
            return None
        return queue[0] if first else None

    def first(self, channel: bytes) -> TicketT | None:
        """Whose turn it is."""
        queue = self._queues.get(channel)
        return queue[0] if queue else None

    def everybody(self) -> list[TicketT]:
        """All who wait."""
        return [ticket for queue in self._queues.values() for ticket in queue]

    @property
    def channels(self) -> frozenset[bytes]:
        """Those that somebody waits for."""
        return frozenset(self._queues)
