"""Connections to one server, kept for the next who needs one.

Law of this file: a connection is used by one thread at a time, never beyond a fork, and not when the server has
closed it; there are never more than `limit`. An exception that a signal handler raises, at whatever moment, costs a
connection at most, never its place.
"""

import os
import threading
from weakref import WeakSet

from redis_guard.runtime.clock import now
from redis_guard.runtime.core.limits import MOST_CONNECTIONS, all_in_use
from redis_guard.runtime.origin import Server
from redis_guard.runtime.sync.link import Link


class Place:
    """Room for one connection, taken for as long as anything refers to it."""

    __slots__ = ("__weakref__",)


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
        self._places: WeakSet[Place] = WeakSet()
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
                place = self._place(until - now())
                if place is not None:
                    return self._another(place, self.connect_deadline if patient else budget / 2)
                continue
            if not link.stale:
                return link
            self.drop(link)

    def _place(self, budget: float) -> Place | None:
        """A place for a connection, or None when one was given back, which is waited for."""
        with self._given:
            if self._full and not self._given.wait_for(
                lambda: self._idle or not self._full, max(0.0, budget)
            ):
                raise all_in_use(self._limit)
            if self._idle:
                return None
            place = Place()
            self._places.add(place)
            return place

    @property
    def _full(self) -> bool:
        return len(self._places) >= self._limit

    def _another(self, place: Place, seconds: float) -> Link:
        try:
            # Connecting and logging in are bounded one by one.
            link = Link.open(self.server, seconds)
        except BaseException:
            self._free(place)
            raise
        link.place = place
        return link

    def give_back(self, link: Link) -> None:
        """The exchange went well."""
        if link.pid != self._pid:
            return
        self._idle.append(link)
        if self._full:
            with self._given:
                self._given.notify()

    def drop(self, link: Link) -> None:
        """The exchange did not go well, or the server has moved."""
        link.close()
        if link.pid == self._pid:
            self._free(link.place)

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

    def _free(self, place: object) -> None:
        with self._given:
            # Now, though a traceback may refer to it for longer.
            if isinstance(place, Place):
                self._places.discard(place)
            self._given.notify()
