"""The primitives as threads use them: `Lock`, `Counter`, `Signal`.

Law of this file: an object here names what is meant and does nothing until it is told to.
"""

from collections.abc import Callable, Iterator
from types import TracebackType

from redis_guard.registry.keys import Identifier
from redis_guard.runtime.clock import now
from redis_guard.runtime.core import counter as core
from redis_guard.runtime.core import signal
from redis_guard.runtime.core.acquire import callback, seconds
from redis_guard.runtime.core.bound import Bound
from redis_guard.runtime.core.counter import Count
from redis_guard.runtime.core.policy import unavailable
from redis_guard.runtime.core.signal import Sent, Wake, Wakes, marker_bytes
from redis_guard.runtime.errors import AlreadyHeld, CoordinationError, LockNotAcquired
from redis_guard.runtime.sync.engine import Engine
from redis_guard.runtime.sync.lease import Lease


class Lock:
    """A lock that can be taken, once: `with` waits for it, `try_acquire` does not."""

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

    def try_acquire(self) -> Lease | None:
        """A lease, or None if somebody else has the lock. It does not wait, unless `wait=` was given.

        Raises `LockStuck`, `AlreadyHeld`, `CoordinationUnavailable`, `CoordinationMistake`.
        """
        token = self._engine.token()
        try:
            return self._engine.take(
                self._bound, self._ids, self._key, self._wait or 0.0, token, self._on_lost
            )
        except CoordinationError:
            raise
        except BaseException:
            self._engine.withdraw(self._bound, self._key, token)
            raise

    def __enter__(self) -> Lease:
        if self._lease is not None:
            raise AlreadyHeld(
                self._bound.name, "this lock object is in use; call coordination.lock() for each `with`"
            )
        wait = self._bound.case.wait_ms / 1000 if self._wait is None else self._wait
        began = now()
        token = self._engine.token()
        try:
            lease = self._engine.take(self._bound, self._ids, self._key, wait, token, self._on_lost)
            if lease is None:
                raise LockNotAcquired(self._bound.name, now() - began)
            self._lease = lease
            return lease
        except CoordinationError:
            raise
        except BaseException:
            self._lease = None
            self._engine.withdraw(self._bound, self._key, token)
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        lease, self._lease = self._lease, None
        if lease is not None:
            self._engine.give_back(lease, failing=error is not None, at_exit=True)


class Counter:
    """A counter of one window."""

    __slots__ = ("_bound", "_engine", "_ids", "_key")

    def __init__(self, engine: Engine, bound: Bound, ids: tuple[Identifier, ...]) -> None:
        self._engine = engine
        self._bound = bound
        self._ids = ids
        self._key = bound.keys.key(*ids)

    def increment(self, by: int = 1) -> Count:
        """Count `by` more. Raises `CoordinationUnavailable`, `CoordinationMistake`."""
        return self._engine.wire.run(core.increment(self._bound, self._key, core.step(by), now, self._ids))

    def value(self) -> int:
        """The count as it is; 0 where nothing was counted yet, or what the registry says stands in."""
        return self._engine.wire.run(core.read(self._bound, self._key, now, self._ids)).value

    def reset(self) -> bool:
        """End the window; whether there was one."""
        return self._engine.wire.run(core.reset(self._bound, self._key, now, self._ids))


class Signal:
    """A signal that can be sent and listened to."""

    __slots__ = ("_bound", "_channel", "_engine")

    def __init__(self, engine: Engine, bound: Bound, ids: tuple[Identifier, ...]) -> None:
        self._engine = engine
        self._bound = bound
        self._channel = bound.keys.key(*ids)

    def send(self, marker: str | bytes = b"") -> Sent:
        """Wake whoever listens just now: at most once, and not whoever is away. `marker` has at most 256 bytes."""
        return self._engine.wire.run(signal.send(self._bound, self._channel, marker_bytes(marker), now))

    def listen(self) -> Iterator[Wake]:
        """Wakes, without end: one at once, one after every subscription, after messages (several are one), and one
        whenever `reread` has passed without another.

        An outage ends nothing: it is over with a subscription. Raises `CoordinationMistake` for what does not pass
        by itself. Ends when the `Coordination` is closed.
        """
        hub = self._engine.hub
        wakes = Wakes(self._bound, now())
        listener = hub.listen(self._channel, wakes)
        try:
            while not hub.closed:
                with hub.locked():
                    listener.woken.clear()
                    mistake, wake = wakes.mistake, wakes.take(now())
                if mistake is not None:
                    raise unavailable(self._bound.case, mistake)
                if wake is not None:
                    yield wake
                else:
                    listener.woken.wait(max(0.0, wakes.due_at - now()))
        finally:
            hub.unlisten(listener)
