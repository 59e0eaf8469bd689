"""A sink that may raise -> a sink that does not.

Law of this file: what goes wrong while telling is logged once for each use case, and never reaches the coordination
that was told about. Only `Exception`s are held back: a cancellation or an exit goes on.
"""

import logging
from collections.abc import Sequence

from redis_guard.runtime.faults import ErrorClass
from redis_guard.runtime.outcomes import Outcome
from redis_guard.runtime.telemetry.protocol import Labels, Recorder, Telemetry
from redis_guard.runtime.telemetry.silent import SILENCE, NoTelemetry

LOGGER = logging.getLogger("redis_guard.telemetry")


def guarded(telemetry: Telemetry) -> Telemetry:
    """`telemetry`, made safe to call; what is safe already comes back as it is."""
    return telemetry if isinstance(telemetry, NoTelemetry | Guarded) else Guarded(telemetry)


class Guarded:
    """A sink whose failures stay with it."""

    __slots__ = ("_inner",)

    def __init__(self, inner: Telemetry) -> None:
        self._inner = inner

    def bind(self, labels: Labels) -> Recorder:
        """The guarded recorder; a silent one if the sink gives none."""
        try:
            return GuardedRecorder(self._inner.bind(labels), labels)
        except Exception:
            _tell(self._inner, labels, "gives no recorder; nothing of this use case is recorded there")
            return SILENCE


class GuardedRecorder:
    """A recorder whose failures are logged, the first of them only."""

    __slots__ = ("_held", "_inner", "_labels", "_leases", "_operation", "_told", "_wait")

    def __init__(self, inner: Recorder, labels: Labels) -> None:
        self._inner = inner
        self._labels = labels
        self._told = False
        # Bound once: looking them up costs as much as the guard itself.
        self._operation = inner.operation
        self._wait = inner.lock_wait
        self._held = inner.lock_held
        self._leases = inner.leases

    def operation(
        self, outcome: Outcome, error_class: ErrorClass | None, seconds: float, identifiers: Sequence[object]
    ) -> None:
        """Pass it on."""
        try:
            self._operation(outcome, error_class, seconds, identifiers)
        except Exception:
            self._failed()

    def lock_wait(self, seconds: float) -> None:
        """Pass it on."""
        try:
            self._wait(seconds)
        except Exception:
            self._failed()

    def lock_held(self, seconds: float) -> None:
        """Pass it on."""
        try:
            self._held(seconds)
        except Exception:
            self._failed()

    def leases(self, change: int) -> None:
        """Pass it on."""
        try:
            self._leases(change)
        except Exception:
            self._failed()

    def _failed(self) -> None:
        if not self._told:
            self._told = True
            _tell(self._inner, self._labels, "fails; this is told once, and coordination goes on")


def _tell(sink: object, labels: Labels, what: str) -> None:
    LOGGER.exception('telemetry of the use case "%s": %s %s', labels.use_case, type(sink).__name__, what)
