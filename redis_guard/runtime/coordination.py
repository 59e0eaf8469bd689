"""The door for threads.

Law of this file: names are checked against the registry before anything is sent; there is no generic command.
"""

from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from redis_guard.registry import Registry
from redis_guard.registry.keys import Identifier
from redis_guard.registry.model import DEFAULT_INSTANCE, Primitive
from redis_guard.runtime.clock import now
from redis_guard.runtime.core.acquire import callback
from redis_guard.runtime.core.bound import Bound
from redis_guard.runtime.core.claim import Claim, claim, withdraw
from redis_guard.runtime.core.limits import closed
from redis_guard.runtime.core.nodes import nodes_of
from redis_guard.runtime.core.token import claimant
from redis_guard.runtime.errors import CoordinationError
from redis_guard.runtime.making import Making
from redis_guard.runtime.sync.engine import Engine
from redis_guard.runtime.sync.lease import Lease
from redis_guard.runtime.sync.pool import Pool
from redis_guard.runtime.sync.primitives import Counter, Lock, Signal
from redis_guard.runtime.telemetry import Telemetry


class Coordination(Making):
    """Locks, claims, counters and signals by their registered names. Safe to share between threads.

    After a fork the child may use it; leases stay with the process that took them.
    """

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
        self._engine = Engine(nodes_of(self._origin, Pool, self._connect_deadline))

    def claim(self, name: str, *ids: Identifier, by: Identifier | None = None) -> Claim:
        """Claim something once; the answer is true when it is accepted. There is no way to give a claim back.

        `by` names a claimant who may come back, as a redelivered job does, and finds his own claim accepted again.
        Raises `CoordinationUnavailable`, `CoordinationMistake`, `UnregisteredUseCase`, `WrongPrimitive`.
        """
        bound = self._bound("claim", name)
        token = self._engine.token() if by is None else claimant(by)
        key = bound.keys.key(*ids)
        try:
            return self._engine.wire.run(claim(bound, key, token, named=by is not None, clock=now, ids=ids))
        except CoordinationError:
            raise
        except BaseException:
            if by is None:
                self._engine.wire.run(withdraw(bound, key, token))
            raise

    def lock(
        self,
        name: str,
        *ids: Identifier,
        wait: float | None = None,
        on_lost: Callable[[str], object] | None = None,
    ) -> Lock:
        """A lock to be taken: `with coordination.lock(...) as lease`, or `.try_acquire()`.

        `wait` is how many seconds to wait for it, by default what the registry says. `on_lost` is called with the
        reason, from a thread of the runtime, when the lease is found to be lost.
        """
        return Lock(self._engine, self._bound("lock", name), ids, wait, on_lost)

    def adopt(self, text: str, *, on_lost: Callable[[str], object] | None = None) -> Lease:
        """Take over the lease that another process has exported; of several who try, one gets it.

        Raises `LockLost` if it is over or taken, `ValueError` if `text` is no exported lease.
        """
        handover, bound = self._handed_on(text)
        return self._engine.take_over(bound, handover, callback(on_lost))

    def counter(self, name: str, *ids: Identifier) -> Counter:
        """A counter of one window."""
        return Counter(self._engine, self._bound("counter", name), ids)

    def signal(self, name: str, *ids: Identifier) -> Signal:
        """A signal to send or to listen to."""
        return Signal(self._engine, self._bound("signal", name), ids)

    def _bound(self, primitive: Primitive, name: str) -> Bound:
        if self._engine.hub.closed:
            raise closed()
        return super()._bound(primitive, name)

    def start(self) -> Self:
        """Connect and load the scripts, so that the first request need not.

        Raises `CoordinationUnavailable` or `CoordinationMistake`: a wrong password shows at start-up.
        """
        self._engine.start()
        return self

    def close(self) -> None:
        """End the threads of the runtime and its connections. Leases that are still held expire by themselves."""
        self._engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
