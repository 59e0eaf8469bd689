"""Connections to one server, kept for the next task that needs one.

Law of this file: a connection is used by one task at a time, and not when the server has closed it; there are never
more than `limit`, and those who wait for one get it in the order of their coming.
"""

import asyncio
from collections import deque
from contextlib import suppress

from redis_guard.runtime.aio.link import Link
from redis_guard.runtime.core.limits import MOST_CONNECTIONS, all_in_use, closing
from redis_guard.runtime.origin import Server


class Pool:
    """The connections to one server."""

    def __init__(self, server: Server, connect_deadline: float, limit: int = MOST_CONNECTIONS) -> None:
        self.server = server
        self.connect_deadline = connect_deadline
        self._limit = limit
        self._idle: list[Link] = []
        self._open = 0
        self._waiting: deque[asyncio.Future[Link | None]] = deque()
        self._closed = False

    def ready(self) -> Link | None:
        """A connection that is open and free."""
        while self._idle:
            link = self._idle.pop()
            if not link.stale:
                return link
            self.drop(link)
        return None

    async def take(self, budget: float, *, patient: bool) -> Link:
        """A connection that is ready for use. Raises `Fault`."""
        link = self.ready()
        if link is not None:
            return link
        if self._open < self._limit:
            self._open += 1
        elif (link := await self._handed(budget)) is not None:
            return link
        try:
            if self._closed:
                raise closing()
            return await Link.open(self.server, self.connect_deadline if patient else budget)
        except BaseException:
            self._free_place()
            raise

    async def _handed(self, budget: float) -> Link | None:
        """What another task gives back; None is its place, for a connection of one's own."""
        given: asyncio.Future[Link | None] = asyncio.get_running_loop().create_future()
        self._waiting.append(given)
        try:
            async with asyncio.timeout(budget):
                return await given
        except BaseException as error:
            if given.done() and not given.cancelled():
                # It came at the same moment as the end of waiting.
                link = given.result()
                if link is None:
                    self._free_place()
                else:
                    self.give_back(link)
            else:
                with suppress(ValueError):
                    self._waiting.remove(given)
            if isinstance(error, TimeoutError):
                raise all_in_use(self._limit) from None
            raise

    def give_back(self, link: Link) -> None:
        """The exchange went well."""
        if self._closed:
            self.drop(link)
        elif not self._hand(link):
            self._idle.append(link)

    def drop(self, link: Link) -> None:
        """The exchange did not go well, or the server has moved."""
        link.close()
        self._free_place()

    def clear(self) -> None:
        """Drop all that are not in use."""
        while self._idle:
            self.drop(self._idle.pop())

    def close(self) -> None:
        """Drop them all, each when it is given back, and open no more."""
        self._closed = True
        self.clear()

    def _free_place(self) -> None:
        if not self._hand(None):
            self._open -= 1

    def _hand(self, link: Link | None) -> bool:
        while self._waiting:
            given = self._waiting.popleft()
            if not given.done():
                given.set_result(link)
                return True
        return False
