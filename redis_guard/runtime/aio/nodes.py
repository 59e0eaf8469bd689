"""Finding the server that a key is on, in the world of asyncio.

Law of this file: one task asks, and all who need to know wait for it, each no longer than he has time.
"""

import asyncio

from redis_guard.runtime.aio.link import Link
from redis_guard.runtime.aio.pool import Pool
from redis_guard.runtime.clock import now
from redis_guard.runtime.core.nodes import Finding, Nodes
from redis_guard.runtime.faults import Fault


class Finder:
    """Asks for addresses on behalf of all tasks of a loop."""

    def __init__(self, nodes: Nodes[Pool]) -> None:
        self._nodes = nodes
        self._asking: asyncio.Task[None] | None = None

    async def find(self, key: bytes | None, seconds: float) -> Pool:
        """The connections to the server that keeps `key`, or to any for None. Raises `Fault`."""
        try:
            async with asyncio.timeout(seconds):
                while (pool := self._nodes.of(key)) is None:
                    if self._asking is None:
                        until = now() + self._nodes.connect_deadline
                        self._asking = asyncio.create_task(_find(self._nodes.find(), until))
                        self._asking.add_done_callback(self._asked)
                    # Whoever is cancelled leaves the others waiting.
                    await asyncio.shield(self._asking)
                return pool
        except TimeoutError:
            raise Fault("timeout", "nobody has said in time where keys are", opening=True) from None

    async def aclose(self) -> None:
        """Ask nobody any more."""
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.wait((self._asking,))

    def _asked(self, task: asyncio.Task[None]) -> None:
        self._asking = None
        if not task.cancelled():
            # All who waited may have gone; then nobody else takes note of it.
            task.exception()


async def _find(finding: Finding, until: float) -> None:
    answer: object = None
    error: Fault | None = None
    while True:
        try:
            ask = finding.send(answer) if error is None else finding.throw(error)
        except StopIteration:
            return
        try:
            share = ask.share(until - now())
            link = await Link.open(ask.server, share, timed=False)
            try:
                answer, error = await link.command(share, *ask.words), None
            finally:
                link.close()
        except Fault as fault:
            error = fault
