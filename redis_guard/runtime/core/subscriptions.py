"""The channels of the one subscription connection.

Law of this file: a channel counts as subscribed from its acknowledgement on, and no longer than its connection lives;
a channel that nobody needs is kept for a while, since waiters come in crowds.
"""

from typing import Final

KEPT: Final = 5.0
"""Seconds that a channel without listeners stays subscribed."""


class Subscriptions:
    """What is wanted, and what is confirmed."""

    __slots__ = ("_confirmed", "_idle", "_wanted")

    def __init__(self) -> None:
        self._wanted: dict[bytes, None] = {}
        self._confirmed: set[bytes] = set()
        self._idle: dict[bytes, float] = {}

    @property
    def wanted(self) -> tuple[bytes, ...]:
        """The channels that must be subscribed."""
        return tuple(self._wanted)

    def want(self, channel: bytes) -> bool:
        """Somebody needs `channel`; whether it must be subscribed for that."""
        self._idle.pop(channel, None)
        if channel in self._wanted:
            return False
        self._wanted[channel] = None
        return True

    def idle(self, channel: bytes, now: float) -> None:
        """Nobody needs `channel` any more."""
        self._idle[channel] = now

    def confirm(self, channel: bytes) -> None:
        """The server has acknowledged."""
        if channel in self._wanted:
            self._confirmed.add(channel)

    def confirmed(self, channel: bytes) -> bool:
        """Messages on `channel` arrive."""
        return channel in self._confirmed

    def overdue(self, now: float) -> tuple[bytes, ...]:
        """Channels to unsubscribe; they are no longer wanted."""
        found = tuple(channel for channel, since in self._idle.items() if now - since >= KEPT)
        for channel in found:
            del self._idle[channel]
            self._wanted.pop(channel, None)
            self._confirmed.discard(channel)
        return found

    def lost(self) -> None:
        """The connection is gone, and idle channels with it."""
        for channel in self._idle:
            self._wanted.pop(channel, None)
        self._idle.clear()
        self._confirmed.clear()
