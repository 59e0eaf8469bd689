"""One subscription connection for the whole process: who waits for a lock and who listens to a signal share it.

Law of this file: no polling. A thread reads; callers sleep on events of their own; a connection that is lost wakes
everybody, since what was sent meanwhile is lost too.
"""

import os
import random
import threading
from typing import Any, Final

from redis_guard.runtime.clock import now
from redis_guard.runtime.core.nodes import Nodes
from redis_guard.runtime.core.queues import Queues
from redis_guard.runtime.core.signal import Wakes
from redis_guard.runtime.core.subscriptions import Subscriptions
from redis_guard.runtime.faults import MISTAKES, Fault
from redis_guard.runtime.sync.link import Link
from redis_guard.runtime.sync.nodes import found
from redis_guard.runtime.sync.pool import Pool

TICK: Final = 1.0
"""Seconds between two looks at what is idle."""
SILENCE: Final = 15.0
"""Seconds without a word after which the server is asked whether it is there; as many again and it is not."""
FIRST_RETRY, LAST_RETRY = 0.05, 2.0
"""Seconds before a lost connection is opened anew, doubling."""


class Ticket:
    """A place in a queue."""

    __slots__ = ("channel", "woken")

    def __init__(self, channel: bytes) -> None:
        self.channel = channel
        self.woken = threading.Event()


class Listener:
    """Somebody who listens to a signal."""

    __slots__ = ("channel", "wakes", "woken")

    def __init__(self, channel: bytes, wakes: Wakes) -> None:
        self.channel = channel
        self.wakes = wakes
        self.woken = threading.Event()


class Hub:
    """The subscriptions of a process."""

    def __init__(self, nodes: Nodes[Pool]) -> None:
        self._nodes = nodes
        self._closed = False
        self._begin()

    def _begin(self) -> None:
        self._lock = threading.Lock()
        self._wanted_more = threading.Condition(self._lock)
        self._queues: Queues[Ticket] = Queues()
        self._listeners: dict[bytes, set[Listener]] = {}
        self._subscriptions = Subscriptions()
        self._link: Link | None = None
        self._fault: Fault | None = None
        self._thread: threading.Thread | None = None
        self._pid = os.getpid()

    def busy(self, channel: bytes) -> bool:
        """Somebody waits for `channel` here."""
        self._after_fork()
        return self._queues.first(channel) is not None

    def enter(self, channel: bytes, until: float) -> Ticket | None:
        """Queue up; the ticket once it is the first and subscribed, None when `until` has passed. Raises `Fault`."""
        self._after_fork()
        ticket = Ticket(channel)
        with self._lock:
            self._fault = None
            self._queues.join(channel, ticket)
            self._want(channel)
        try:
            while True:
                with self._lock:
                    if self._fault is not None:
                        raise self._fault
                    if self._queues.first(channel) is ticket and self._subscriptions.confirmed(channel):
                        return ticket
                    ticket.woken.clear()
                left = until - now()
                if left <= 0 or not ticket.woken.wait(left):
                    self.leave(ticket)
                    return None
        except BaseException:
            self.leave(ticket)
            raise

    def pause(self, ticket: Any, until: float) -> None:
        """Sleep until the ticket's channel speaks, or until then."""
        ticket.woken.wait(max(0.0, until - now()))
        ticket.woken.clear()

    def leave(self, ticket: Any) -> None:
        """Leave the queue, and wake the next."""
        with self._lock:
            following = self._queues.leave(ticket.channel, ticket)
            if following is not None:
                following.woken.set()
            if self._queues.first(ticket.channel) is None and ticket.channel not in self._listeners:
                self._subscriptions.idle(ticket.channel, now())

    def listen(self, channel: bytes, wakes: Wakes) -> Listener:
        """Listen to a signal until `unlisten`."""
        self._after_fork()
        listener = Listener(channel, wakes)
        with self._lock:
            self._listeners.setdefault(channel, set()).add(listener)
            if self._subscriptions.confirmed(channel):
                wakes.subscribed()
            self._want(channel)
        return listener

    def unlisten(self, listener: Listener) -> None:
        """Listen no longer."""
        with self._lock:
            listeners = self._listeners.get(listener.channel, set())
            listeners.discard(listener)
            if not listeners:
                self._listeners.pop(listener.channel, None)
                if self._queues.first(listener.channel) is None:
                    self._subscriptions.idle(listener.channel, now())

    def locked(self) -> threading.Lock:
        """What guards the wakes of listeners."""
        return self._lock

    def close(self) -> None:
        """End the thread; whoever waits is woken."""
        self._after_fork()
        with self._lock:
            self._closed = True
            thread, link = self._thread, self._link
            if link is not None:
                link.shut()
            self._wake_everybody()
            self._wanted_more.notify_all()
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout=5)

    @property
    def closed(self) -> bool:
        """Nobody is woken any more."""
        return self._closed

    def _after_fork(self) -> None:
        """A child has neither the thread nor the connection, and a lock of its parent may have been held."""
        if self._pid != os.getpid():
            self._begin()

    def _want(self, channel: bytes) -> None:
        """Have `channel` subscribed; the lock is held."""
        if self._closed:
            raise RuntimeError("this Coordination is closed")
        if self._thread is None:
            self._thread = threading.Thread(target=self._read, name="redis-guard-hub", daemon=True)
            self._thread.start()
        if self._subscriptions.want(channel):
            self._say(b"SUBSCRIBE", channel)
        # Whoever comes while a lost connection is being waited for has it tried at once.
        self._wanted_more.notify_all()

    def _say(self, *words: bytes) -> None:
        """Write to the server; what comes of it is the reader's to see. The lock is held."""
        link = self._link
        if link is not None:
            try:
                link.write(*words)
            except Fault:
                link.shut()

    def _read(self) -> None:
        """The life of the reading thread."""
        retry = FIRST_RETRY
        while True:
            with self._lock:
                while not self._subscriptions.wanted and not self._closed:
                    self._wanted_more.wait()
                if self._closed:
                    return
            try:
                self._converse()
                retry = FIRST_RETRY
            except Fault as fault:
                with self._lock:
                    self._subscriptions.lost()
                    self._link = None
                    if fault.opening or fault.error_class in MISTAKES:
                        self._fault = fault
                        if fault.error_class in MISTAKES:
                            for listener in self._everyone_listening():
                                listener.wakes.mistake = fault
                    else:
                        retry = FIRST_RETRY
                    self._wake_everybody()
                    self._wanted_more.wait(retry * random.uniform(0.5, 1.5))
                retry = min(2 * retry, LAST_RETRY)

    def _converse(self) -> None:
        """Subscribe and read until nothing is wanted, or a `Fault` ends it."""
        pool = found(self._nodes, None, self._nodes.connect_deadline)
        try:
            link = Link.open(pool.server, pool.connect_deadline)
        except Fault as fault:
            self._nodes.failed(pool, fault)
            raise
        try:
            with self._lock:
                self._link = link
                link.write(b"SUBSCRIBE", *self._subscriptions.wanted)
            heard_at, asked = now(), False
            while True:
                if link.readable(TICK):
                    self._heard(link.read())
                    heard_at, asked = now(), False
                if self._closed:
                    raise Fault("connection", "closed")
                if now() - heard_at > 2 * SILENCE:
                    raise Fault("timeout", "the server is silent")
                with self._lock:
                    if not asked and now() - heard_at > SILENCE:
                        asked = True
                        link.write(b"PING")
                    if leaving := self._subscriptions.overdue(now()):
                        link.write(b"UNSUBSCRIBE", *leaving)
        except Fault as fault:
            self._nodes.failed(pool, fault)
            raise
        finally:
            with self._lock:
                self._link = None
            link.close()

    def _heard(self, message: Any) -> None:
        kind, channel, *rest = message if isinstance(message, list) else (message, b"")
        with self._lock:
            if kind == b"message":
                self._wake(channel)
                for listener in self._listeners.get(channel, ()):
                    listener.wakes.message(rest[0])
                    listener.woken.set()
            elif kind == b"subscribe":
                self._subscriptions.confirm(channel)
                self._fault = None
                self._wake(channel)
                for listener in self._listeners.get(channel, ()):
                    listener.wakes.subscribed()
                    listener.woken.set()

    def _wake(self, channel: bytes) -> None:
        first = self._queues.first(channel)
        if first is not None:
            first.woken.set()

    def _wake_everybody(self) -> None:
        for ticket in self._queues.everybody():
            ticket.woken.set()
        for listener in self._everyone_listening():
            listener.woken.set()

    def _everyone_listening(self) -> list[Listener]:
        return [listener for listeners in self._listeners.values() for listener in listeners]
