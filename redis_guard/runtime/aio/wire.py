"""The driver for asyncio: performs the steps that primitives ask for.

Law of this file: every step ends in an answer or in an exception that is thrown into the primitive, so that it can
clean up whatever happens, a cancellation included.
"""

import asyncio
from collections import defaultdict
from contextlib import suppress
from typing import Any, TypeVar

from redis.exceptions import AskError, MovedError

from redis_guard.runtime.aio.clean_ups import CleanUps
from redis_guard.runtime.aio.hub import Hub
from redis_guard.runtime.aio.nodes import Finder
from redis_guard.runtime.aio.pool import Pool
from redis_guard.runtime.clock import now
from redis_guard.runtime.core.limits import MOST_REDIRECTS
from redis_guard.runtime.core.nodes import Nodes
from redis_guard.runtime.faults import Fault
from redis_guard.runtime.steps import Answer, Batch, Enter, Leave, Pause, Publish, Send, Sleep, Step, Steps

T = TypeVar("T")


class Wire:
    """Performs steps over the connections of one origin."""

    def __init__(self, nodes: Nodes[Pool], finder: Finder, hub: Hub) -> None:
        self._nodes = nodes
        self._finder = finder
        self._hub = hub
        self._clean_ups = CleanUps(self._send)

    async def run(self, steps: Steps[T]) -> T:
        """Run a primitive to its end."""
        answer: Any = None
        error: BaseException | None = None
        again_at = 0.0
        while True:
            try:
                step = steps.send(answer) if error is None else steps.throw(error)
            except StopIteration as done:
                result: T = done.value
                return result
            answer, error = None, None
            try:
                if type(step) is not Send:
                    if type(step) is Sleep and step.shielded:
                        # Nobody is kept waiting for it: the clean-up is done now, and once more then if need be.
                        again_at = step.until
                    else:
                        answer = await self._perform(step)
                elif step.shielded:
                    # A cancellation that comes now leaves the clean-up alone, and goes on.
                    answer = await asyncio.shield(self._clean_ups.start(step, again_at))
                else:
                    answer = await self._send(step)
            except GeneratorExit:
                self._abandon(steps)
                raise
            except BaseException as raised:
                error = raised

    async def aclose(self) -> None:
        """Wait for the clean-ups; each is bounded."""
        await self._clean_ups.aclose()

    async def _perform(self, step: Step) -> object:
        """The answer to one step. Raises `Fault`."""
        match step:
            case Batch(sends):
                return await self._batch(sends)
            case Publish(channel, message, budget):
                return await self._publish(channel, message, budget)
            case Enter(channel, until):
                return await self._hub.enter(channel, until)
            case Pause(ticket, until):
                await self._hub.pause(ticket, until)
            case Leave(ticket):
                self._hub.leave(ticket)
            case Sleep(until):
                await asyncio.sleep(max(0.0, until - now()))
        return None

    def _abandon(self, steps: Steps[Any]) -> None:
        """The coroutine is being closed and may wait for nothing; what it leaves behind is cleaned up where it can."""
        again_at = 0.0
        with suppress(asyncio.CancelledError, StopIteration):
            while True:
                # A GeneratorExit would close what is within before it could say what to clean up.
                step = steps.throw(asyncio.CancelledError())
                if type(step) is Leave:
                    self._hub.leave(step.ticket)
                elif type(step) is Sleep:
                    again_at = step.until
                elif type(step) is Send and _loop_is_running():
                    self._clean_ups.start(step, again_at)

    async def _send(self, send: Send) -> Answer:
        pool = self._nodes.of(send.keys[0]) or await self._find(send)
        try:
            return await self._on(pool, send)
        except Fault as fault:
            if not fault.refused:
                raise
            # Nobody is there any more: it may be known by now who has taken over.
            other = await self._find(send)
            if other is pool:
                raise
        return await self._on(other, send)

    async def _find(self, send: Send) -> Pool:
        seconds = self._nodes.connect_deadline if send.patient else send.budget
        return await self._finder.find(send.keys[0], seconds)

    async def _on(self, pool: Pool, send: Send, *, redirects: int = 0, asking: bool = False) -> Answer:
        began = now()
        try:
            link = pool.ready() or await pool.take(send.budget, patient=send.patient)
        except Fault as fault:
            self._nodes.failed(pool, fault)
            raise
        budget = send.budget if send.patient else send.budget - (now() - began)
        if budget <= 0:
            pool.give_back(link)
            raise Fault("timeout", "no connection in time", opening=True)
        try:
            if asking:
                await link.command(budget, b"ASKING")
            answer = await link.exchange(send, budget)
        except (MovedError, AskError) as error:
            pool.give_back(link)
            if redirects >= MOST_REDIRECTS:
                raise Fault("moved", "redirected too often") from error
            address = (error.host or link.address[0], error.port)
            asked = isinstance(error, AskError)
            if not asked:
                self._nodes.moved(error.slot_id, address)
            follow = send._replace(budget=max(0.001, send.budget - (now() - began)))
            return await self._on(self._nodes.at(address), follow, redirects=redirects + 1, asking=asked)
        except Fault as fault:
            if fault.spoils:
                pool.drop(link)
            else:
                pool.give_back(link)
            self._nodes.failed(pool, fault)
            raise
        except BaseException:
            pool.drop(link)
            raise
        pool.give_back(link)
        return answer

    async def _batch(self, sends: tuple[Send, ...]) -> list[Answer | Fault]:
        answers: list[Answer | Fault] = [Fault("other")] * len(sends)
        by_pool: defaultdict[Pool, list[int]] = defaultdict(list)
        for index, send in enumerate(sends):
            try:
                by_pool[await self._finder.find(send.keys[0], send.budget)].append(index)
            except Fault as fault:
                answers[index] = fault
        rounds = [self._batch_on(pool, [sends[i] for i in indexes]) for pool, indexes in by_pool.items()]
        for indexes, came in zip(by_pool.values(), await asyncio.gather(*rounds), strict=True):
            for index, answer in zip(indexes, came, strict=True):
                answers[index] = answer
        return answers

    async def _batch_on(self, pool: Pool, sends: list[Send]) -> list[Answer | Fault]:
        budget = min(send.budget for send in sends)
        try:
            link = await pool.take(budget, patient=False)
        except Fault as fault:
            self._nodes.failed(pool, fault)
            return [fault] * len(sends)
        try:
            answers, redirects = await link.exchange_all(sends, budget)
        except BaseException:
            pool.drop(link)
            raise
        faults = [answer for answer in answers if isinstance(answer, Fault)]
        if any(each.spoils for each in faults):
            pool.drop(link)
        else:
            pool.give_back(link)
        for each in faults:
            self._nodes.failed(pool, each)
        for slot, address in redirects:
            self._nodes.moved(slot, address)
        return answers

    async def _publish(self, channel: bytes, message: bytes, budget: float) -> int:
        pool = await self._finder.find(None, self._nodes.connect_deadline)
        try:
            link = await pool.take(budget, patient=True)
        except Fault as fault:
            self._nodes.failed(pool, fault)
            raise
        try:
            count = await link.command(budget, b"PUBLISH", channel, message)
        except Fault as fault:
            if fault.spoils:
                pool.drop(link)
            else:
                pool.give_back(link)
            self._nodes.failed(pool, fault)
            raise
        except BaseException:
            pool.drop(link)
            raise
        pool.give_back(link)
        return int(count)


def _loop_is_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
