"""The primitives as tasks use them: `Lock`, `Counter`, `Signal`.

Law of this file: an object here names what is meant and does nothing until it is told to.
"""

from collections.abc import AsyncGenerator, Callable
from types import TracebackType

from redis_guard.registry.keys import Identifier
from redis_guard.runtime.aio.engine import Engine
from redis_guard.runtime.aio.hub import set_by
from redis_guard.runtime.aio.lease import Lease
from redis_guard.runtime.clock import now
from redis_guard.runtime.core import counter as core
from redis_guard.runtime.core import signal
from redis_guard.runtime.core.acquire import callback, seconds
from redis_guard.runtime.core.bound import Bound
from redis_guard.runtime.core.counter import Count
from redis_guard.runtime.core.policy import unavailable
from redis_guard.runtime.core.signal import Sent, Wake, Wakes, marker_bytes
from redis_guard.runtime.errors import AlreadyHeld, LockNotAcquired


class Lock:
    """A lock that can be taken, once: `async with` waits for it, `try_acquire` does not."""

    __slots__ = ("_bound", "_engine", "_ids", "_key", "_lease", "_on_lost", "_wait")

    def __init__(
        self,
        engine: Engine,
        bound: Bound,
        ids: tuple[Identifier, ...],
        wait: float | None,
        on_lost: Callable[[str], object] | None,
    ) -> None:
        self._engine = engine
        self._bound = bound
        self._ids = ids
        self._key = bound.keys.key(*ids)
        self._wait = seconds(wait)
        self._on_lost = callback(on_lost)
        self._lease: Lease | None = None

    async def try_acquire(self) -> Lease | None:
        """A lease, or None if somebody else has the lock. It does not wait, unless `wait=` was given.

        Raises `LockStuck`, `AlreadyHeld`, `CoordinationUnavailable`, `CoordinationMistake`.
        """
        return await self._engine.take(self._bound, self._ids, self._key, self._wait or 0.0, self._on_lost)

    async def __aenter__(self) -> Lease:
        if self._lease is not None:
            raise AlreadyHeld(
                self._bound.name, "this lock object is in use; call coordination.lock() for each `async with`"
            )
        wait = self._bound.case.wait_ms / 1000 if self._wait is None else self._wait
        began = now()
        lease = await self._engine.take(self._bound, self._ids, self._key, wait, self._on_lost)
        if lease is None:
            raise LockNotAcquired(self._bound.name, now() - began)
        self._lease = lease
        return lease

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        lease, self._lease = self._lease, None
        if lease is not None:
            await self._engine.give_back(lease, failing=error is not None, at_exit=True)


class Counter:
    """A counter of one window."""

    __slots__ = ("_bound", "_engine", "_ids", "_key")

    def __init__(self, engine: Engine, bound: Bound, ids: tuple[Identifier, ...]) -> None:
        self._engine = engine
        self._bound = bound
        self._ids = ids
        self._key = bound.keys.key(*ids)

    async def increment(self, by: int = 1) -> Count:
        """Count `by` more. Raises `CoordinationUnavailable`, `CoordinationMistake`."""
        return await self._engine.run(core.increment(self._bound, self._key, core.step(by), now, self._ids))

    async def value(self) -> int:
        """The count as it is; 0 where nothing was counted yet, or what the registry says stands in."""
        return (await self._engine.run(core.read(self._bound, self._key, now, self._ids))).value

    async def reset(self) -> bool:
        """End the window; whether there was one."""
        return await self._engine.run(core.reset(self._bound, self._key, now, self._ids))


class Signal:
    """A signal that can be sent and listened to."""

    __slots__ = ("_bound", "_channel", "_engine")

    def __init__(self, engine: Engine, bound: Bound, ids: tuple[Identifier, ...]) -> None:
        self._engine = engine
        self._bound = bound
        self._channel = bound.keys.key(*ids)

    async def send(self, marker: str | bytes = b"") -> Sent:
        """Wake whoever listens just now: at most once, and not whoever is away. `marker` has at most 256 bytes."""
        return await self._engine.run(signal.send(self._bound, self._channel, marker_bytes(marker), now))

    async def listen(self) -> AsyncGenerator[Wake, None]:
        """Wakes, without end: one at once, one after every subscription, after messages (several are one), and one
        whenever `reread` has passed without another.

        An outage ends nothing: it is over with a subscription. Raises `CoordinationMistake` for what does not pass
        by itself. Ends when the `Coordination` is closed.
        """
        self._engine.enter()
        hub = self._engine.hub
        wakes = Wakes(self._bound, now())
        listener = hub.listen(self._channel, wakes)
        try:
            while not hub.closed:
                listener.woken.clear()
                if wakes.mistake is not None:
                    raise unavailable(self._bound.case, wakes.mistake)
                wake = wakes.take(now())
                if wake is not None:
                    yield wake
                else:
                    await set_by(listener.woken, wakes.due_at)
        finally:
            hub.unlisten(listener)
