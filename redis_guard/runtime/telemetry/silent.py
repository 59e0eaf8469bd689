"""The sink that tells nobody: what is used unless another is given."""

from collections.abc import Sequence

from redis_guard.runtime.faults import ErrorClass
from redis_guard.runtime.outcomes import Outcome
from redis_guard.runtime.telemetry.protocol import Labels


class NoTelemetry:
    """Nothing is recorded."""

    __slots__ = ()

    def bind(self, labels: Labels) -> "Silence":
        """The same recorder for everybody."""
        return SILENCE


class Silence:
    """Hears everything and keeps nothing."""

    __slots__ = ()

    def operation(
        self, outcome: Outcome, error_class: ErrorClass | None, seconds: float, identifiers: Sequence[object]
    ) -> None:
        """Nothing."""

    def lock_wait(self, seconds: float) -> None:
        """Nothing."""

    def lock_held(self, seconds: float) -> None:
        """Nothing."""

    def leases(self, change: int) -> None:
        """Nothing."""


SILENCE = Silence()
