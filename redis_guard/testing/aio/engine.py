"""The way to the server of a coordination for tests, in the world of asyncio.

Law of this file: all that is not on that way is the runtime's own.
"""

import asyncio
from weakref import WeakSet

from redis_guard.runtime.aio.engine import Engine
from redis_guard.runtime.aio.hub import Hub
from redis_guard.runtime.aio.lease import Lease, tell
from redis_guard.runtime.aio.nodes import Finder
from redis_guard.runtime.aio.pool import Pool
from redis_guard.runtime.aio.watchdog import Watchdog
from redis_guard.runtime.aio.wire import Wire
from redis_guard.runtime.clock import now
from redis_guard.runtime.core.jitter import jitter
from redis_guard.runtime.core.limits import closed
from redis_guard.runtime.core.locking import Locking
from redis_guard.runtime.core.nodes import Nodes
from redis_guard.runtime.core.policy import at_start
from redis_guard.runtime.core.watch import look_after
from redis_guard.runtime.faults import Fault
from redis_guard.runtime.steps import Answer, Batch, Enter, Publish, Send, Step
from redis_guard.testing.ageing import age_lease
from redis_guard.testing.failures import Failures, with_faults
from redis_guard.testing.store import Store, delivered


class FailingWire(Wire):
    """Performs what no failure meets."""

    def __init__(self, nodes: Nodes[Pool], finder: Finder, hub: Hub, failures: Failures) -> None:
        super().__init__(nodes, finder, hub)
        self._failures = failures

    async def _perform(self, step: Step) -> object:
        fault = self._failures.of(step) if isinstance(step, Enter) else None
        if fault is not None:
            raise fault
        return await super()._perform(step)

    async def _send(self, send: Send) -> Answer:
        fault = self._failures.of(send)
        if fault is not None and not fault.ambiguous:
            raise fault
        answer = await self._carry_out(send)
        if fault is not None:
            raise fault
        return answer

    async def _batch(self, sends: tuple[Send, ...]) -> list[Answer | Fault]:
        faults, going = self._failures.of_batch(Batch(sends))
        return with_faults(faults, await self._carry_out_all(going.sends))

    async def _publish(self, channel: bytes, message: bytes, budget: float) -> int:
        fault = self._failures.of(Publish(channel, message, budget))
        if fault is not None and not fault.ambiguous:
            raise fault
        receivers = await self._carry_on(channel, message, budget)
        if fault is not None:
            raise fault
        return receivers

    async def _carry_out(self, send: Send) -> Answer:
        return await super()._send(send)

    async def _carry_out_all(self, sends: tuple[Send, ...]) -> list[Answer | Fault]:
        return await super()._batch(sends) if sends else []

    async def _carry_on(self, channel: bytes, message: bytes, budget: float) -> int:
        return await super()._publish(channel, message, budget)


class FailingEngine(Engine):
    """An engine with another way to the server."""

    def __init__(self, nodes: Nodes[Pool], failures: Failures) -> None:
        super().__init__(nodes)
        self._failures = failures
        self._use(self.hub, FailingWire(nodes, self.finder, self.hub, failures))

    def _use(self, hub: Hub, wire: Wire) -> None:
        self.hub = hub
        self.wire = wire
        self.locking = Locking(Lease, self.holders, now, jitter, hub.busy)
        self.watchdog = Watchdog(wire, jitter, tell)

    async def start(self) -> None:
        self.enter()
        fault = self._failures.of(None)
        if fault is not None:
            raise at_start(fault) from fault
        await self._connect()

    async def _connect(self) -> None:
        await super().start()


class MemoryWire(FailingWire):
    """The server is a `Store`; every request lets other tasks run first, as one to a server does."""

    def __init__(
        self, nodes: Nodes[Pool], finder: Finder, hub: Hub, failures: Failures, store: Store
    ) -> None:
        super().__init__(nodes, finder, hub, failures)
        self._store = store

    async def _carry_out(self, send: Send) -> Answer:
        await asyncio.sleep(0)
        return self._store.send(send)

    async def _carry_out_all(self, sends: tuple[Send, ...]) -> list[Answer | Fault]:
        await asyncio.sleep(0)
        return self._store.send_all(sends)

    async def _carry_on(self, channel: bytes, message: bytes, budget: float) -> int:
        await asyncio.sleep(0)
        return self._store.publish(channel, message)


class MemoryHub(Hub):
    """Subscribed as soon as somebody wants it, without a connection and without a task."""

    def deliver(self, channel: bytes, message: bytes) -> bool:
        """Whether anybody here listens."""
        return delivered(self._board, channel, message)

    def wake(self) -> None:
        """Have all who wait look again."""
        self._board.wake_everybody()

    def _want(self, new: bool, channel: bytes) -> None:
        if self.closed:
            raise closed()
        if new:
            self._board.heard([b"subscribe", channel])


class MemoryEngine(FailingEngine):
    """An engine without a server."""

    def __init__(self, nodes: Nodes[Pool], failures: Failures, store: Store) -> None:
        super().__init__(nodes, failures)
        self._memory_hub = MemoryHub(nodes, self.finder)
        self._use(self._memory_hub, MemoryWire(nodes, self.finder, self._memory_hub, failures, store))
        self._leases: WeakSet[Lease] = WeakSet()
        self._detach = store.attach(self)

    def deliver(self, channel: bytes, message: bytes) -> bool:
        return self._memory_hub.deliver(channel, message)

    def age(self, seconds: float) -> None:
        """Let leases run on, and wake who waits."""
        for lease in tuple(self._leases):
            age_lease(lease, seconds)
        self._memory_hub.wake()

    async def look(self) -> None:
        """Look after leases as the watchdog would have done in time."""
        looked_after = [
            lease
            for lease in tuple(self._leases)
            if not lease.ended and (lease.watched or lease._lost is not None)
        ]
        await self.wire.run(look_after(looked_after, tell))
        # Whoever is called when a lease is lost, is called in a task.
        await asyncio.sleep(0)

    async def aclose(self) -> None:
        self._detach()
        await super().aclose()

    async def _connect(self) -> None:
        """There is nowhere to go."""

    def _adopted(self, lease: Lease) -> None:
        super()._adopted(lease)
        self._leases.add(lease)
