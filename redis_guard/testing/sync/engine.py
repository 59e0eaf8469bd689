"""The way to the server of a coordination for tests, in the world of threads.

Law of this file: all that is not on that way is the runtime's own.
"""

from typing import Any
from weakref import WeakSet

from redis_guard.runtime.clock import now
from redis_guard.runtime.core.jitter import jitter
from redis_guard.runtime.core.lease import Holding
from redis_guard.runtime.core.limits import closed
from redis_guard.runtime.core.locking import Locking
from redis_guard.runtime.core.nodes import Nodes
from redis_guard.runtime.core.policy import at_start
from redis_guard.runtime.core.watch import look_after
from redis_guard.runtime.steps import Batch, Publish, Send, Step
from redis_guard.runtime.sync.callbacks import call_back
from redis_guard.runtime.sync.engine import Engine
from redis_guard.runtime.sync.hub import Hub
from redis_guard.runtime.sync.lease import Lease, tell
from redis_guard.runtime.sync.pool import Pool
from redis_guard.runtime.sync.watchdog import Watchdog
from redis_guard.runtime.sync.wire import Wire
from redis_guard.testing.ageing import age_lease
from redis_guard.testing.failures import Failures, with_faults
from redis_guard.testing.store import Store, delivered


class FailingWire(Wire):
    """Performs what no failure meets."""

    def __init__(self, nodes: Nodes[Pool], hub: Hub, failures: Failures) -> None:
        super().__init__(nodes, hub)
        self._failures = failures

    def perform(self, step: Step) -> object:
        if isinstance(step, Batch):
            faults, going = self._failures.of_batch(step)
            return with_faults(faults, self._carry_out(going)) if going.sends else faults
        fault = self._failures.of(step)
        if fault is not None and not fault.ambiguous:
            raise fault
        answer = self._carry_out(step)
        if fault is not None:
            raise fault
        return answer

    def _carry_out(self, step: Step) -> Any:
        return super().perform(step)


class FailingEngine(Engine):
    """An engine with another way to the server."""

    def __init__(self, nodes: Nodes[Pool], failures: Failures) -> None:
        super().__init__(nodes)
        self._failures = failures
        self._use(self.hub, FailingWire(nodes, self.hub, failures))

    def _use(self, hub: Hub, wire: Wire) -> None:
        self.hub = hub
        self.wire = wire
        self.locking = Locking(Lease, self.holders, now, jitter, hub.busy)
        self.watchdog = Watchdog(wire, jitter, tell)

    def start(self) -> None:
        fault = self._failures.of(None)
        if fault is not None:
            raise at_start(fault) from fault
        self._connect()

    def _connect(self) -> None:
        super().start()


class MemoryWire(FailingWire):
    """The server is a `Store`."""

    def __init__(self, nodes: Nodes[Pool], hub: Hub, failures: Failures, store: Store) -> None:
        super().__init__(nodes, hub, failures)
        self._store = store

    def _carry_out(self, step: Step) -> Any:
        match step:
            case Send():
                return self._store.send(step)
            case Batch(sends):
                return self._store.send_all(sends)
            case Publish(channel, message):
                return self._store.publish(channel, message)
        return super()._carry_out(step)


class MemoryHub(Hub):
    """Subscribed as soon as somebody wants it, without a connection and without a thread."""

    def deliver(self, channel: bytes, message: bytes) -> bool:
        """Whether anybody here listens."""
        with self._lock:
            return delivered(self._board, channel, message)

    def wake(self) -> None:
        """Have all who wait look again."""
        with self._lock:
            self._board.wake_everybody()

    def _want(self, new: bool, channel: bytes) -> None:
        if self._closed:
            raise closed()
        if new:
            self._board.heard([b"subscribe", channel])


class MemoryEngine(FailingEngine):
    """An engine without a server."""

    def __init__(self, nodes: Nodes[Pool], failures: Failures, store: Store) -> None:
        super().__init__(nodes, failures)
        self._memory_hub = MemoryHub(nodes)
        self._use(self._memory_hub, MemoryWire(nodes, self._memory_hub, failures, store))
        self._leases: WeakSet[Lease] = WeakSet()
        self._detach = store.attach(self)

    def call_back(self, lease: Holding) -> None:
        call_back(lease)

    def deliver(self, channel: bytes, message: bytes) -> bool:
        return self._memory_hub.deliver(channel, message)

    def age(self, seconds: float) -> None:
        """Let leases run on, look after them as the watchdog would have done in time, and wake who waits."""
        leases = [lease for lease in tuple(self._leases) if not lease.ended]
        for lease in leases:
            age_lease(lease, seconds)
        looked_after = [lease for lease in leases if lease.watched or lease._lost is not None]
        self.wire.run(look_after(looked_after, tell))
        self._memory_hub.wake()

    def close(self) -> None:
        self._detach()
        super().close()

    def _connect(self) -> None:
        """There is nowhere to go."""

    def _adopted(self, lease: Lease) -> None:
        super()._adopted(lease)
        self._leases.add(lease)
