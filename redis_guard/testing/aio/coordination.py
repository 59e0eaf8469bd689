"""Coordination for tests, in the world of asyncio: on a real server, which fails when it is told to, or in memory.

Law of this file: it is used as the real one, and is one to a type checker.
"""

from typing import Any, Self

from redis_guard.registry import Registry
from redis_guard.registry.model import DEFAULT_INSTANCE
from redis_guard.runtime.aio import Coordination
from redis_guard.runtime.aio.engine import Engine
from redis_guard.runtime.aio.pool import Pool
from redis_guard.runtime.clock import now
from redis_guard.runtime.core.nodes import Nodes, nodes_of
from redis_guard.runtime.telemetry import Telemetry
from redis_guard.testing.aio.engine import FailingEngine, MemoryEngine
from redis_guard.testing.failable import Failable
from redis_guard.testing.failures import Failures
from redis_guard.testing.store import Store


class FailableCoordination(Failable, Coordination):
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

    def _new_engine(self, nodes: Nodes[Pool]) -> Engine:
        return FailingEngine(nodes, self._failures)


class InMemoryCoordination(FailableCoordination):
    """A `Coordination` without a server: the scripts run as Python, in this process.

    Use it as the real one, in one event loop, and close it likewise. `another()` is what a second process would have.
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

    async def advance(self, seconds: float) -> None:
        """Let so much time pass for all that has a lifetime, at once: keys expire, leases run out.

        Leases that the runtime renews are renewed if they have not run out; holders of those that have are told.
        """
        self._store.age(seconds)
        for engine in self._store.attached:
            if isinstance(engine, MemoryEngine):
                await engine.look()

    def _new_engine(self, nodes: Nodes[Pool]) -> Engine:
        return MemoryEngine(nodes, self._failures, self._store)
