"""One subscription connection for a loop: who waits for a lock and who listens to a signal share it.

Law of this file: no polling. One task reads; callers sleep on events of their own.
"""

import asyncio
from typing import Any

from redis_guard.runtime.aio.link import Link
from redis_guard.runtime.aio.nodes import Finder
from redis_guard.runtime.aio.pool import Pool
from redis_guard.runtime.clock import now
from redis_guard.runtime.core import board
from redis_guard.runtime.core.board import FIRST_RETRY, LAST_RETRY, SILENCE, TICK, Board
from redis_guard.runtime.core.jitter import wide_jitter
from redis_guard.runtime.core.limits import closed, closing
from redis_guard.runtime.core.nodes import Nodes
from redis_guard.runtime.core.signal import Wakes
from redis_guard.runtime.faults import Fault

Ticket = board.Ticket[asyncio.Event]
Listener = board.Listener[asyncio.Event]


class Hub:
    """The subscriptions of a loop."""

    def __init__(self, nodes: Nodes[Pool], finder: Finder) -> None:
        self._nodes = nodes
        self._finder = finder
        self._board: Board[asyncio.Event] = Board()
        self._link: Link | None = None
        self._task: asyncio.Task[None] | None = None
        self._wanted_more = asyncio.Event()
        self.busy = self._board.busy
        self.closed = False

    async def enter(self, channel: bytes, until: float) -> Ticket | None:
        """Queue up; the ticket once it is the first and subscribed, None when `until` has passed. Raises `Fault`."""
        ticket = Ticket(channel, asyncio.Event())
        try:
            self._want(self._board.join(ticket), channel)
            while not self._board.turn(ticket):
                if self.closed:
                    raise closing()
                if not await set_by(ticket.woken, until):
                    self.leave(ticket)
                    return None
        except BaseException:
            self.leave(ticket)
            raise
        return ticket

    async def pause(self, ticket: Any, until: float) -> None:
        """Sleep until the ticket's channel speaks, or until then."""
        await set_by(ticket.woken, until)
        ticket.woken.clear()

    def leave(self, ticket: Any) -> None:
        """Leave the queue, and wake the next."""
        self._board.leave(ticket, now())

    def listen(self, channel: bytes, wakes: Wakes) -> Listener:
        """Listen to a signal until `unlisten`."""
        listener = Listener(channel, wakes, asyncio.Event())
        try:
            self._want(self._board.listen(listener), channel)
        except BaseException:
            self.unlisten(listener)
            raise
        return listener

    def unlisten(self, listener: Listener) -> None:
        """Listen no longer."""
        self._board.unlisten(listener, now())

    async def aclose(self) -> None:
        """End the task; whoever waits is woken."""
        self.closed = True
        self._board.wake_everybody()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait((self._task,))

    def _want(self, new: bool, channel: bytes) -> None:
        """Have `channel` subscribed, if it is `new`."""
        if self.closed:
            raise closed()
        if self._task is None:
            self._task = asyncio.create_task(self._read(), name="redis-guard-hub")
        if new and self._link is not None:
            self._link.write(b"SUBSCRIBE", channel)
        # Whoever comes while a lost connection is being waited for has it tried at once.
        self._wanted_more.set()

    async def _read(self) -> None:
        """The life of the reading task."""
        retry = FIRST_RETRY
        while True:
            self._wanted_more.clear()
            if not self._board.wanted:
                await self._wanted_more.wait()
            try:
                await self._converse()
                retry = FIRST_RETRY
            except Fault as fault:
                if self._board.lost(fault):
                    retry = FIRST_RETRY
                await set_by(self._wanted_more, now() + retry * wide_jitter())
                retry = min(2 * retry, LAST_RETRY)

    async def _converse(self) -> None:
        """Subscribe and read until nothing is wanted, or a `Fault` ends it."""
        pool = await self._finder.find(None, self._nodes.connect_deadline)
        try:
            link = await Link.open(pool.server, pool.connect_deadline)
            try:
                await self._read_from(link)
            finally:
                self._link = None
                link.close()
        except Fault as fault:
            self._nodes.failed(pool, fault)
            raise

    async def _read_from(self, link: Link) -> None:
        self._link = link
        if self._board.wanted:
            link.write(b"SUBSCRIBE", *self._board.wanted)
        heard_at, asked = now(), False
        while True:
            message = await link.read(TICK)
            if message is not None:
                self._board.heard(message)
                heard_at, asked = now(), False
            if now() - heard_at > 2 * SILENCE:
                raise Fault("timeout", "the server is silent")
            if not asked and now() - heard_at > SILENCE:
                asked = True
                link.write(b"PING")
            if leaving := self._board.overdue(now()):
                if not self._board.wanted:
                    return
                link.write(b"UNSUBSCRIBE", *leaving)


async def set_by(event: asyncio.Event, until: float) -> bool:
    """Wait for `event`; whether it is set before `until`."""
    if not event.is_set():
        try:
            async with asyncio.timeout(until - now()):
                await event.wait()
        except TimeoutError:
            return False
    return True
