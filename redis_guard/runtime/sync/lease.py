"""A lease in the world of threads.

Law of this file: whoever holds one is told when it is lost, by an event, a callback and `check()`.
"""

import threading
from types import TracebackType
from typing import TYPE_CHECKING, Self

from redis_guard.runtime.core.lease import Holding

if TYPE_CHECKING:
    from redis_guard.runtime.sync.engine import Engine


class LostEvent(threading.Event):
    """Set when the lease is lost; true as soon as it is set."""

    def __bool__(self) -> bool:
        return self.is_set()


class Lease(Holding):
    """A lock that this thread holds. Its attributes: `token`, `fence`, `degraded`."""

    __slots__ = ("_engine", "_lost")

    _engine: "Engine"
    _lost: LostEvent | None

    def attach(self, engine: "Engine") -> None:
        """Say who runs its operations; done once, by the one who made it."""
        self._engine = engine
        self._lost = None

    @property
    def lost(self) -> LostEvent:
        """An event that is set when the lease is lost, and can be waited for."""
        event = self._lost
        if event is None:
            event = self._lost = LostEvent()
            if not (self.watched or self.degraded):
                self._engine.watchdog.add(self)
        if self.over:
            event.set()
        return event

    def release(self) -> None:
        """Give the lock back. Once is enough, twice does no harm.

        Raises `LockLost` if it was lost meanwhile, `CoordinationUnavailable` if Redis cannot be reached and the use
        case is closed; it may be called again then, and the lock expires by itself at the latest.
        """
        self._engine.give_back(self, failing=False, at_exit=False)

    def export(self) -> str:
        """A text by which another process can `adopt` the lease; this process does not hold it any more.

        Raises `LockLost`.
        """
        return self._engine.locking.hand_on(self)

    def __enter__(self) -> Self:
        self.check()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._engine.give_back(self, failing=error is not None, at_exit=True)

    def __del__(self) -> None:
        # Without an engine it was struck by an interrupt before it was handed out.
        if hasattr(self, "_engine"):
            self._engine.holders.dropped(self)


def tell(lease: Holding) -> None:
    """Set the event of a lost lease and call its callback."""
    assert isinstance(lease, Lease)
    if lease._lost is not None:
        lease._lost.set()
    lease._engine.call_back(lease)
