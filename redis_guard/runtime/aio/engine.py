"""What the parts of a `Coordination` share: wire, hub, watchdog, and who holds what.

Law of this file: it belongs to one event loop of one process, and says so to everybody else.
"""

import asyncio
import inspect
import logging
import os
from collections.abc import Callable
from typing import TypeVar

from redis_guard.runtime.aio.hub import Hub
from redis_guard.runtime.aio.lease import Lease, tell
from redis_guard.runtime.aio.nodes import Finder
from redis_guard.runtime.aio.pool import Pool
from redis_guard.runtime.aio.watchdog import Watchdog
from redis_guard.runtime.aio.wire import Wire
from redis_guard.runtime.clock import now
from redis_guard.runtime.core.bound import Bound
from redis_guard.runtime.core.handover import Handover
from redis_guard.runtime.core.holders import Holders
from redis_guard.runtime.core.jitter import jitter
from redis_guard.runtime.core.lease import Holding
from redis_guard.runtime.core.limits import closed
from redis_guard.runtime.core.locking import Locking
from redis_guard.runtime.core.nodes import Nodes
from redis_guard.runtime.core.policy import at_start
from redis_guard.runtime.core.token import new_token, signature
from redis_guard.runtime.faults import Fault
from redis_guard.runtime.scripts import ALL
from redis_guard.runtime.steps import Steps

logger = logging.getLogger("redis_guard.runtime")

T = TypeVar("T")


class Engine:
    """One for each `Coordination`."""

    def __init__(self, nodes: Nodes[Pool]) -> None:
        self.nodes = nodes
        self.finder = Finder(nodes)
        self.hub = Hub(nodes, self.finder)
        self.wire = Wire(nodes, self.finder, self.hub)
        self.holders = Holders()
        self.locking = Locking(Lease, self.holders, now, jitter, self.hub.busy)
        self.watchdog = Watchdog(self.wire, jitter, tell)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._pid = os.getpid()
        self._signature = signature()
        self._closed = False
        self._callbacks: set[asyncio.Task[None]] = set()

    def enter(self) -> None:
        """Raise `RuntimeError` unless the caller's event loop is this engine's, and it is not closed."""
        loop = asyncio.get_running_loop()
        if loop is not self._loop or self._pid != os.getpid():
            self._belong_to(loop)
        if self._closed:
            raise closed()

    def token(self) -> str:
        """A token of this process."""
        return new_token(self._signature)

    async def run(self, steps: Steps[T]) -> T:
        """Run a primitive to its end."""
        self.enter()
        return await self.wire.run(steps)

    async def take(
        self,
        bound: Bound,
        ids: tuple[object, ...],
        key: bytes,
        wait: float,
        on_lost: Callable[[str], object] | None,
    ) -> Lease | None:
        """A lease for the calling task, or None."""
        self.enter()
        token, owner = self.token(), asyncio.current_task()
        lease = await self.wire.run(self.locking.take(bound, key, ids, token, owner, wait, on_lost))
        if lease is not None and lease.depth == 1:
            self._adopted(lease)
        return lease

    async def take_over(
        self, bound: Bound, handover: Handover, on_lost: Callable[[str], object] | None
    ) -> Lease:
        """A lease that another process has handed on."""
        self.enter()
        token, owner = self.token(), asyncio.current_task()
        lease = await self.wire.run(self.locking.take_over(bound, handover, token, owner, on_lost))
        self._adopted(lease)
        return lease

    async def give_back(self, lease: Lease, *, failing: bool, at_exit: bool) -> None:
        """Release it."""
        await self.wire.run(self.locking.give_back(lease, failing=failing, at_exit=at_exit))

    def watch(self, lease: Lease) -> None:
        """Have its holder told when it is lost."""
        self.enter()
        self.watchdog.add(lease)

    def call_back(self, lease: Holding) -> None:
        """Tell the holder of a lost lease."""
        if lease.on_lost is not None:
            task = asyncio.create_task(_told(lease.on_lost, lease.lost_because or "", lease.bound.name))
            self._callbacks.add(task)
            task.add_done_callback(self._callbacks.discard)

    async def start(self) -> None:
        """Connect, and have the scripts known. Raises `CoordinationUnavailable`, `CoordinationMistake`."""
        self.enter()
        try:
            await self.finder.find(None, self.nodes.connect_deadline)
            for pool in self.nodes.everywhere():
                link = await pool.take(pool.connect_deadline, patient=True)
                try:
                    for script in ALL:
                        await link.command(pool.connect_deadline, b"SCRIPT", b"LOAD", script.source)
                except BaseException:
                    pool.drop(link)
                    raise
                pool.give_back(link)
        except Fault as fault:
            raise at_start(fault) from fault

    async def aclose(self) -> None:
        """End the tasks and close all connections."""
        self._closed = True
        if self._loop is None:
            return
        self._belong_to(asyncio.get_running_loop())
        await self.watchdog.aclose()
        await self.hub.aclose()
        await self.wire.aclose()
        await self.finder.aclose()
        if self._callbacks:
            await asyncio.wait(self._callbacks)
        for pool in self.nodes.pools():
            pool.close()
        # The loop closes sockets in its next round.
        await asyncio.sleep(0)

    def _belong_to(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._pid != os.getpid():
            raise RuntimeError(
                "this Coordination was made before a fork and is the parent's; make another one in the child"
            )
        if self._loop is None:
            self._loop = loop
        elif loop is not self._loop:
            raise RuntimeError(
                "this Coordination belongs to another event loop; make one for each event loop"
            )

    def _adopted(self, lease: Lease) -> None:
        lease.attach(self)
        if lease.watched:
            self.watchdog.add(lease)


async def _told(on_lost: Callable[[str], object], reason: str, name: str) -> None:
    try:
        answer = on_lost(reason)
        if inspect.isawaitable(answer):
            await answer
    except Exception:
        logger.exception('on_lost of use case "%s" failed', name)
