"""What is undone on behalf of callers who may wait for it no longer.

Law of this file: a clean-up runs to its end in a task of its own, whoever is cancelled meanwhile; it is bounded, and
somebody holds on to it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from math import inf
from typing import Any, TypeVar

from redis_guard.runtime.clock import now
from redis_guard.runtime.core.exchange import CLEANING
from redis_guard.runtime.faults import Fault
from redis_guard.runtime.steps import Answer, Send

T = TypeVar("T")


class CleanUps:
    """The clean-ups of a loop; `send` performs one."""

    def __init__(self, send: Callable[[Send], Awaitable[Answer]]) -> None:
        self._send = send
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, send: Send, again_at: float) -> asyncio.Task[Answer]:
        """Undo it now, and once more at `again_at` if there was nothing to undo: it may still be on its way."""
        return self._spawn(self._now(send, again_at))

    async def aclose(self) -> None:
        """Wait for all."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def _now(self, send: Send, again_at: float) -> Answer:
        answer: Answer | None = None
        try:
            answer = await self._insist(send)
            return answer
        except Fault:
            # A busy loop, or too many who connect at once: nobody waits for the next try, which may take longer.
            patient = send._replace(budget=send.budget / CLEANING, patient=True)
            self._spawn(self._later(patient, again_at if again_at < inf else 0.0))
            again_at = 0.0
            raise
        finally:
            if (answer is None or answer.values[0] != 1) and now() < again_at < inf:
                self._spawn(self._later(send, again_at))

    async def _later(self, send: Send, at: float) -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(max(0.0, at - now()))
        with suppress(Fault):
            await self._insist(send)

    async def _insist(self, send: Send) -> Answer:
        try:
            return await self._send(send)
        except asyncio.CancelledError:
            # A loop that ends cancels every task it finds, this one too.
            return await self._send(send)

    def _spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            # Whoever waited may have gone; then nobody else takes note of it.
            task.exception()
