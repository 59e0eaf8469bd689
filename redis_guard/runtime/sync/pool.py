"""Connections to one server, kept for the next who needs one.

Law of this file: a connection is used by one thread at a time, never beyond a fork, and not when the server has
closed it; there are never more than `limit`.
"""

import os
import threading

from redis_guard.runtime.clock import now
from redis_guard.runtime.core.limits import MOST_CONNECTIONS, all_in_use
from redis_guard.runtime.origin import Server
from redis_guard.runtime.sync.link import Link


class Pool:
    """The connections to one server."""

    def __init__(self, server: Server, connect_deadline: float, limit: int = MOST_CONNECTIONS) -> None:
        self.server = server
        self.connect_deadline = connect_deadline
        self._limit = limit
        self._idle: list[Link] = []
        self._begin()

    def _begin(self) -> None:
        # Those of a parent process are let go unclosed: they are its own.
        self._idle = []
        self._given = threading.Condition()
        self._open = 0
        self._pid = os.getpid()

    def take(self, budget: float, *, patient: bool) -> Link:
        """A connection that is ready for use. Raises `Fault`."""
        if self._pid != os.getpid():
            self._begin()
        until = 0.0
        while True:
            try:
                link = self._idle.pop()
            except IndexError:
                until = until or now() + budget
                if self._may_open(until - now()):
                    return self._another(self.connect_deadline if patient else budget / 2)
                continue
            if not link.stale:
                return link
            self.drop(link)

    def _may_open(self, budget: float) -> bool:
        """Take a place for a connection, or wait until one is given back."""
        with self._given:
            if self._open >= self._limit and not self._given.wait_for(
                lambda: self._idle or self._open < self._limit, max(0.0, budget)
            ):
                raise all_in_use(self._limit)
            if self._idle:
                return False
            self._open += 1
            return True

    def _another(self, seconds: float) -> Link:
        try:
            # Connecting and logging in are bounded one by one.
            return Link.open(self.server, seconds)
        except BaseException:
            self._closed()
            raise

    def give_back(self, link: Link) -> None:
        """The exchange went well."""
        if link.pid != self._pid:
            return
        self._idle.append(link)
        if self._open >= self._limit:
            with self._given:
                self._given.notify()

    def drop(self, link: Link) -> None:
        """The exchange did not go well, or the server has moved."""
        link.close()
        if link.pid == self._pid:
            self._closed()

    def clear(self) -> None:
        """Drop all that are not in use."""
        if self._pid != os.getpid():
            self._begin()
        while self._idle:
            try:
                link = self._idle.pop()
            except IndexError:
                return
            self.drop(link)

    def _closed(self) -> None:
        with self._given:
            self._open -= 1
            self._given.notify()
