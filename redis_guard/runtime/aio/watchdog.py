"""The one task of a loop that renews leases and tells their holders what has become of them.

Law of this file: no task per lease; it holds leases weakly while it sleeps.
"""

import asyncio
import logging
from collections.abc import Callable
from math import inf

from redis_guard.runtime.aio.hub import set_by
from redis_guard.runtime.aio.wire import Wire
from redis_guard.runtime.clock import now
from redis_guard.runtime.core.lease import Holding
from redis_guard.runtime.core.watch import Watch, look_after

logger = logging.getLogger("redis_guard.runtime")


class Watchdog:
    """Looks after the leases of a loop."""

    def __init__(self, wire: Wire, jitter: Callable[[], float], told: Callable[[Holding], object]) -> None:
        self._wire = wire
        self._told = told
        self._watch = Watch(jitter)
        self._sooner = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    def add(self, lease: Holding) -> None:
        """Look after `lease` from now on."""
        first = self._watch.add(lease, now())
        if self._task is None and not self._closed:
            self._task = asyncio.create_task(self._live(), name="redis-guard-watchdog")
        elif first:
            self._sooner.set()

    async def aclose(self) -> None:
        """Renew nothing any more."""
        self._closed = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait((self._task,))

    async def _live(self) -> None:
        while True:
            self._sooner.clear()
            next_at = self._watch.next_at()
            if next_at > now():
                await (self._sooner.wait() if next_at == inf else set_by(self._sooner, next_at))
            else:
                await self._look()

    async def _look(self) -> None:
        leases = self._watch.due(now())
        try:
            going_on = await self._wire.run(look_after(leases, self._told))
        except Exception:
            # Whatever it is, the other leases must go on.
            logger.exception("leases could not be looked after; they are tried again")
            going_on = [(lease, True) for lease in leases]
        for lease, failed in going_on:
            self._watch.back(lease, now(), failed=failed)
