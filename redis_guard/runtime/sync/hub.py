"""One subscription connection for the whole process: who waits for a lock and who listens to a signal share it.

Law of this file: no polling. A thread reads; callers sleep on events of their own.
"""

import os
import threading
from collections import deque
from typing import Any

from redis_guard.runtime.clock import now
from redis_guard.runtime.core import board
from redis_guard.runtime.core.board import FIRST_RETRY, LAST_RETRY, SILENCE, TICK, Board
from redis_guard.runtime.core.jitter import wide_jitter
from redis_guard.runtime.core.limits import closed, closing
from redis_guard.runtime.core.nodes import Nodes
from redis_guard.runtime.core.signal import Wakes
from redis_guard.runtime.faults import Fault
from redis_guard.runtime.sync.link import Link
from redis_guard.runtime.sync.nodes import found
from redis_guard.runtime.sync.pool import Pool

Ticket = board.Ticket[threading.Event]
Listener = board.Listener[threading.Event]


class Hub:
    """The subscriptions of a process."""

    def __init__(self, nodes: Nodes[Pool]) -> None:
        self._nodes = nodes
        self._closed = False
        self._begin()

    def _begin(self) -> None:
        self._lock = threading.Lock()
        self._wanted_more = threading.Condition(self._lock)
        self._board: Board[threading.Event] = Board()
        self._link: Link | None = None
        self._thread: threading.Thread | None = None
        self._mine = threading.local()
        self._leaving: deque[Listener] = deque()
        self._pid = os.getpid()

    def busy(self, channel: bytes) -> bool:
        """Somebody waits for `channel` here."""
        self._after_fork()
        return self._board.busy(channel)

    def enter(self, channel: bytes, until: float) -> Ticket | None:
        """Queue up; the ticket once it is the first and subscribed, None when `until` has passed. Raises `Fault`."""
        self._after_fork()
        ticket = self._mine.ticket = Ticket(channel, threading.Event())
        try:
            with self._lock:
                self._want(self._board.join(ticket), channel)
            while True:
                with self._lock:
                    if self._closed:
                        raise closing()
                    if self._board.turn(ticket):
                        return ticket
                left = until - now()
                if left <= 0 or not ticket.woken.wait(left):
                    self.leave(ticket)
                    return None
        except BaseException:
            self.leave(ticket)
            raise

    def pause(self, ticket: Any, until: float) -> None:
        """Sleep until the ticket's channel speaks, or until then. Raises `Fault` at the end."""
        ticket.woken.wait(max(0.0, until - now()))
        ticket.woken.clear()
        if self._closed:
            raise closing()

    def leave(self, ticket: Any) -> None:
        """Leave the queue, and wake the next."""
        with self._lock:
            self._board.leave(ticket, now())

    def leave_if_entered(self) -> None:
        """Leave the queue that this thread has entered last, if it is still in it: it may not know its ticket."""
        ticket = getattr(self._mine, "ticket", None)
        if ticket is not None:
            self.leave(ticket)

    def listen(self, channel: bytes, wakes: Wakes) -> Listener:
        """Listen to a signal until `unlisten`."""
        self._after_fork()
        listener = Listener(channel, wakes, threading.Event())
        with self._lock:
            self._let_go()
            try:
                self._want(self._board.listen(listener), channel)
            except BaseException:
                self._board.unlisten(listener, now())
                raise
        return listener

    def unlisten(self, listener: Listener) -> None:
        """Listen no longer. Never waits: the garbage collector may call it in a thread that holds the lock."""
        self._leaving.append(listener)
        if self._lock.acquire(blocking=False):
            try:
                self._let_go()
            finally:
                self._lock.release()

    def _let_go(self) -> None:
        """Forget those who listen no longer; the lock is held."""
        while self._leaving:
            self._board.unlisten(self._leaving.popleft(), now())

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
            self._board.wake_everybody()
            self._wanted_more.notify_all()
        if thread is not None and thread.is_alive() and thread is not threading.current_thread():
            thread.join(timeout=5)

    @property
    def closed(self) -> bool:
        """Nobody is woken any more."""
        return self._closed

    def _after_fork(self) -> None:
        """A child has neither the thread nor the connection, and a lock of its parent may have been held."""
        if self._pid != os.getpid():
            self._begin()

    def _want(self, new: bool, channel: bytes) -> None:
        """Have `channel` subscribed, if it is `new`; the lock is held."""
        if self._closed:
            raise closed()
        # Control-C may have struck while it was being started.
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._read, name="redis-guard-hub", daemon=True)
            self._thread.start()
        if new and self._link is not None:
            try:
                self._link.write(b"SUBSCRIBE", channel)
            except Fault:
                # What comes of it is the reader's to see.
                self._link.shut()
        # Whoever comes while a lost connection is being waited for has it tried at once.
        self._wanted_more.notify_all()

    def _read(self) -> None:
        """The life of the reading thread."""
        retry = FIRST_RETRY
        while True:
            with self._lock:
                while not self._board.wanted and not self._closed:
                    self._wanted_more.wait()
                if self._closed:
                    return
            try:
                self._converse()
                retry = FIRST_RETRY
            except Fault as fault:
                with self._lock:
                    if self._board.lost(fault):
                        retry = FIRST_RETRY
                    self._wanted_more.wait(retry * wide_jitter())
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
            self._read_from(link)
        except Fault as fault:
            self._nodes.failed(pool, fault)
            raise
        finally:
            with self._lock:
                self._link = None
            link.close()

    def _read_from(self, link: Link) -> None:
        with self._lock:
            self._link = link
            link.write(b"SUBSCRIBE", *self._board.wanted)
        heard_at, asked = now(), False
        while True:
            if link.readable(TICK):
                message = link.read()
                with self._lock:
                    self._board.heard(message)
                heard_at, asked = now(), False
            if self._closed:
                raise Fault("connection", "closed")
            if now() - heard_at > 2 * SILENCE:
                raise Fault("timeout", "the server is silent")
            with self._lock:
                self._let_go()
                if not asked and now() - heard_at > SILENCE:
                    asked = True
                    link.write(b"PING")
                if leaving := self._board.overdue(now()):
                    if not self._board.wanted:
                        # The thread sleeps until somebody comes; whoever does now finds no connection to write on.
                        self._link = None
                        return
                    link.write(b"UNSUBSCRIBE", *leaving)
