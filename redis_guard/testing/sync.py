"""Coordination for tests of code with threads: on a real server or in memory, failing when it is told to.

Law of this file: all but the way to the server is the runtime's own.
"""

from typing import Any, Self
from weakref import WeakSet

from redis_guard.registry import Registry
from redis_guard.registry.model import DEFAULT_INSTANCE, Primitive
from redis_guard.runtime import Coordination, Lease, Telemetry
from redis_guard.runtime.clock import now
from redis_guard.runtime.core.jitter import jitter
from redis_guard.runtime.core.locking import Locking
from redis_guard.runtime.core.nodes import Nodes, nodes_of
from redis_guard.runtime.core.policy import at_start
from redis_guard.runtime.core.watch import look_after
from redis_guard.runtime.faults import ErrorClass
from redis_guard.runtime.steps import Batch, Publish, Send, Step
from redis_guard.runtime.sync.engine import Engine
from redis_guard.runtime.sync.hub import Hub
from redis_guard.runtime.sync.lease import tell
from redis_guard.runtime.sync.pool import Pool
from redis_guard.runtime.sync.watchdog import Watchdog
from redis_guard.runtime.sync.wire import Wire
from redis_guard.testing.ageing import age_lease
from redis_guard.testing.failures import Failure, Failures, with_faults
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
            raise RuntimeError("this Coordination is closed")
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


class FailableCoordination(Coordination):
    """A `Coordination` on a real server, which fails when a test says so."""

    def __init__(
        self,
        registry: Registry,
        client: Any = None,
        *,
        url: str | None = None,
        telemetry: Telemetry | None = None,
        instance: str = DEFAULT_INSTANCE,
    ) -> None:
        super().__init__(registry, client, url=url, telemetry=telemetry, instance=instance)
        self._failures = Failures(registry, now)
        self._engine = self._new_engine(nodes_of(self._origin, Pool, self._connect_deadline))

    def fail(
        self,
        error_class: ErrorClass,
        *,
        times: int | None = None,
        primitive: Primitive | None = None,
        use_case: str | None = None,
    ) -> Failure:
        """From now on, requests fail with this error class, until `heal()`, or the end of `with coordination.fail(…)`.

        Only the next `times` requests; only those of a primitive, or of a use case. They are not carried out, but for
        `ambiguous`: the server does them and the reply is lost. Raises `ValueError`, `UnregisteredUseCase`.
        """
        return self._failures.fail(error_class, times, primitive, use_case)

    def heal(self) -> None:
        """End all failures that `fail` has begun."""
        self._failures.heal()

    def _new_engine(self, nodes: Nodes[Pool]) -> Engine:
        return FailingEngine(nodes, self._failures)


class InMemoryCoordination(FailableCoordination):
    """A `Coordination` without a server: the scripts run as Python, in this process.

    Use it as the real one, and close it likewise. `another()` is what a second process would have.
    """

    def __init__(
        self,
        registry: Registry,
        *,
        telemetry: Telemetry | None = None,
        instance: str = DEFAULT_INSTANCE,
        store: Store | None = None,
    ) -> None:
        self._store = store or Store()
        self._made_with = (registry, telemetry, instance)
        # Nobody goes there; the runtime wants to know of a place.
        super().__init__(registry, url="redis://in-memory", telemetry=telemetry, instance=instance)

    def another(self) -> Self:
        """One on the same memory, as another process has it: with holders, and with failures, of its own."""
        registry, telemetry, instance = self._made_with
        return type(self)(registry, telemetry=telemetry, instance=instance, store=self._store)

    def advance(self, seconds: float) -> None:
        """Let so much time pass for all that has a lifetime, at once: keys expire, leases run out.

        Leases that the runtime renews are renewed if they have not run out; holders of those that have are told.
        """
        if seconds < 0:
            raise ValueError(f"time does not run backwards: {seconds}")
        self._store.age(seconds)

    def _new_engine(self, nodes: Nodes[Pool]) -> Engine:
        return MemoryEngine(nodes, self._failures, self._store)
