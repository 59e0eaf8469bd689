"""The driver for threads: performs the steps that primitives ask for.

Law of this file: every step ends in an answer or in an exception that is thrown into the primitive, so that it can
clean up whatever happens, Control-C included.
"""

import time
from collections import defaultdict
from inspect import GEN_CLOSED, getgeneratorstate
from typing import Any, TypeVar

from redis.exceptions import AskError, MovedError

from redis_guard.runtime.clock import now
from redis_guard.runtime.core.limits import MOST_REDIRECTS
from redis_guard.runtime.core.nodes import Nodes
from redis_guard.runtime.faults import Fault
from redis_guard.runtime.steps import (
    Answer,
    Batch,
    Enter,
    Leave,
    Pause,
    Publish,
    Send,
    Sleep,
    Step,
    Steps,
)
from redis_guard.runtime.sync.hub import Hub
from redis_guard.runtime.sync.nodes import found
from redis_guard.runtime.sync.pool import Pool

T = TypeVar("T")


class Wire:
    """Performs steps over the connections of one origin."""

    def __init__(self, nodes: Nodes[Pool], hub: Hub) -> None:
        self._nodes = nodes
        self._hub = hub

    def run(self, steps: Steps[T]) -> T:
        """Run a primitive to its end."""
        answer: Any = None
        error: BaseException | None = None
        while True:
            try:
                while True:
                    step = steps.send(answer) if error is None else steps.throw(error)
                    answer, error = self.perform(step), None
            except StopIteration as done:
                result: T = done.value
                return result
            except BaseException as raised:
                # What the primitive raises is its end; all else is for it, Control-C between two steps too.
                if getgeneratorstate(steps) == GEN_CLOSED:
                    raise
                error = raised

    def perform(self, step: Step) -> object:
        """The answer to one step. Raises `Fault`."""
        if type(step) is Send:
            return self._send(step)
        match step:
            case Batch(sends):
                return self._batch(sends)
            case Publish(channel, message, budget):
                return self._publish(channel, message, budget)
            case Enter(channel, until):
                return self._hub.enter(channel, until)
            case Pause(ticket, until):
                self._hub.pause(ticket, until)
            case Leave(ticket):
                self._hub.leave(ticket)
            case Sleep(until=until):
                time.sleep(max(0.0, until - now()))
        return None

    def _send(self, send: Send) -> Answer:
        pool = self._nodes.of(send.keys[0]) or self._find(send)
        try:
            return self._on(pool, send, redirects=0, asking=False)
        except Fault as fault:
            if not fault.refused:
                raise
            # Nobody is there any more: it may be known by now who has taken over.
            other = self._find(send)
            if other is pool:
                raise
        return self._on(other, send, redirects=0, asking=False)

    def _find(self, send: Send) -> Pool:
        seconds = self._nodes.connect_deadline if send.patient else send.budget
        return found(self._nodes, send.keys[0], seconds)

    def _on(self, pool: Pool, send: Send, *, redirects: int, asking: bool) -> Answer:
        began = now()
        try:
            link = pool.take(send.budget, patient=send.patient)
        except Fault as fault:
            self._nodes.failed(pool, fault)
            raise
        budget = send.budget if send.patient else send.budget - (now() - began)
        try:
            if asking:
                link.command(budget, b"ASKING")
            answer = link.exchange(send, budget)
        except (MovedError, AskError) as error:
            pool.give_back(link)
            if redirects >= MOST_REDIRECTS:
                raise Fault("moved", "redirected too often") from error
            address = (error.host or link.address[0], error.port)
            if isinstance(error, MovedError):
                self._nodes.moved(error.slot_id, address)
            follow = send._replace(budget=max(0.001, send.budget - (now() - began)))
            return self._on(
                self._nodes.at(address),
                follow,
                redirects=redirects + 1,
                asking=not isinstance(error, MovedError),
            )
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

    def _batch(self, sends: tuple[Send, ...]) -> list[Answer | Fault]:
        answers: list[Answer | Fault] = [Fault("other")] * len(sends)
        by_pool: defaultdict[Pool, list[int]] = defaultdict(list)
        for index, send in enumerate(sends):
            try:
                by_pool[self._find(send)].append(index)
            except Fault as fault:
                answers[index] = fault
        for pool, indexes in by_pool.items():
            for index, answer in zip(indexes, self._batch_on(pool, [sends[i] for i in indexes]), strict=True):
                answers[index] = answer
        return answers

    def _batch_on(self, pool: Pool, sends: list[Send]) -> list[Answer | Fault]:
        budget = min(send.budget for send in sends)
        try:
            link = pool.take(budget, patient=False)
        except Fault as fault:
            self._nodes.failed(pool, fault)
            return [fault] * len(sends)
        try:
            answers, redirects = link.exchange_all(sends, budget)
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

    def _publish(self, channel: bytes, message: bytes, budget: float) -> int:
        pool = found(self._nodes, None, self._nodes.connect_deadline)
        try:
            link = pool.take(budget, patient=True)
        except Fault as fault:
            self._nodes.failed(pool, fault)
            raise
        try:
            count = link.command(budget, b"PUBLISH", channel, message)
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
