"""The memory that stands in for a Redis: shared by the coordinations that a test makes of it.

Law of this file: one call at a time, and the time in it only rises; messages are delivered before `publish` is over.
"""

import threading
import time
from collections.abc import Callable, Sequence
from math import inf
from typing import Any, Protocol

from redis_guard.runtime.clock import now
from redis_guard.runtime.core.board import Board
from redis_guard.runtime.faults import Fault
from redis_guard.runtime.steps import Answer, Send
from redis_guard.testing.memory import Memory


class Attached(Protocol):
    """A coordination, as its store sees it."""

    def deliver(self, channel: bytes, message: bytes) -> bool:
        """Whether anybody there listens."""

    def age(self, seconds: float) -> None:
        """Let leases run on."""


class Store:
    """A server in memory, with the clock of the runtime."""

    def __init__(self) -> None:
        self._memory = Memory()
        self._lock = threading.Lock()
        self._attached: tuple[Attached, ...] = ()
        self._ahead = time.time() - now()

    def attach(self, coordination: Attached) -> Callable[[], None]:
        """Have messages delivered to it; what is returned ends that."""
        with self._lock:
            self._attached += (coordination,)

        def detach() -> None:
            with self._lock:
                self._attached = tuple(each for each in self._attached if each is not coordination)

        return detach

    def send(self, send: Send) -> Answer:
        """Run a script. Raises `Fault`."""
        with self._lock:
            sent_at = now()
            now_us = int((sent_at + self._ahead) * 1_000_000)
            until_us = int((sent_at + send.budget + self._ahead) * 1_000_000)
            values = self._memory.call(send.script.name, send.keys, (until_us, *send.args), now_us)
            published, self._memory.published = self._memory.published, ()
        for channel, message in published:
            self.publish(channel, message)
        # There are as many replicas as anybody may ask for.
        return Answer(values, sent_at, send.replicas)

    def send_all(self, sends: Sequence[Send]) -> list[Answer | Fault]:
        """Run scripts, one after the other."""
        answers: list[Answer | Fault] = []
        for send in sends:
            try:
                answers.append(self.send(send))
            except Fault as fault:
                answers.append(fault)
        return answers

    def publish(self, channel: bytes, message: bytes) -> int:
        """How many coordinations have somebody who listens."""
        return sum(coordination.deliver(channel, message) for coordination in self._attached)

    @property
    def attached(self) -> tuple[Attached, ...]:
        """Who has not been closed."""
        return self._attached

    def age(self, seconds: float) -> None:
        """Let all lifetimes run on, of keys first, then of leases. Raises `ValueError`."""
        if seconds < 0:
            raise ValueError(f"time does not run backwards: {seconds}")
        with self._lock:
            # A key still lives in the last millisecond of its ttl, and whoever lets a ttl pass wants it gone.
            self._memory.keyspace.age(int(seconds * 1000) + 1)
        for coordination in self._attached:
            coordination.age(seconds)


def delivered(board: Board[Any], channel: bytes, message: bytes) -> bool:
    """Whether anybody at `board` listens; a channel that nobody needs any more is left at once."""
    board.overdue(inf)
    board.heard([b"message", channel, message])
    return channel in board.wanted
