"""Several sinks as one.

Law of this file: each sink is guarded by itself, so that one that fails silences no other.
"""

from collections.abc import Sequence

from redis_guard.runtime.faults import ErrorClass
from redis_guard.runtime.outcomes import Outcome
from redis_guard.runtime.telemetry.guarded import guarded
from redis_guard.runtime.telemetry.protocol import Labels, Recorder, Telemetry
from redis_guard.runtime.telemetry.silent import NoTelemetry


def several(*telemetries: Telemetry) -> Telemetry:
    """A sink that tells all of these, in their order."""
    sinks = tuple(guarded(sink) for sink in telemetries if not isinstance(sink, NoTelemetry))
    if not sinks:
        return NoTelemetry()
    return sinks[0] if len(sinks) == 1 else FanOut(sinks)


class FanOut:
    """Tells several sinks."""

    __slots__ = ("_sinks",)

    def __init__(self, sinks: tuple[Telemetry, ...]) -> None:
        self._sinks = sinks

    def bind(self, labels: Labels) -> "FanOutRecorder":
        """A recorder of each."""
        return FanOutRecorder(tuple(sink.bind(labels) for sink in self._sinks))


class FanOutRecorder:
    """Tells several recorders of one use case."""

    __slots__ = ("_recorders",)

    def __init__(self, recorders: tuple[Recorder, ...]) -> None:
        self._recorders = recorders

    def operation(
        self, outcome: Outcome, error_class: ErrorClass | None, seconds: float, identifiers: Sequence[object]
    ) -> None:
        """Tell all."""
        for recorder in self._recorders:
            recorder.operation(outcome, error_class, seconds, identifiers)

    def lock_wait(self, seconds: float) -> None:
        """Tell all."""
        for recorder in self._recorders:
            recorder.lock_wait(seconds)

    def lock_held(self, seconds: float) -> None:
        """Tell all."""
        for recorder in self._recorders:
            recorder.lock_held(seconds)

    def leases(self, change: int) -> None:
        """Tell all."""
        for recorder in self._recorders:
            recorder.leases(change)
