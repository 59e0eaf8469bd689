"""A use case made ready for use: all that does not change from call to call is worked out once.

Law of this file: nothing here depends on an identifier.
"""

from dataclasses import dataclass

from redis_guard.registry.keys import KeyMaker
from redis_guard.registry.model import UseCase
from redis_guard.runtime.telemetry.protocol import Labels, Recorder, Telemetry


@dataclass(frozen=True, slots=True)
class Bound:
    """One use case, its keys and its recorder."""

    case: UseCase
    keys: KeyMaker
    recorder: Recorder
    name: str
    deadline: float
    """Seconds that one exchange may take."""
    ttl_ms: int
    """0 for `ttl: none`."""
    ttl: float
    """Seconds."""

    @classmethod
    def of(cls, case: UseCase, telemetry: Telemetry) -> "Bound":
        """Bind `case` to its recorder."""
        ttl_ms = case.ttl_ms or 0
        return cls(
            case=case,
            keys=KeyMaker(case),
            recorder=telemetry.bind(Labels(case.primitive, case.name, case.owner)),
            name=case.name,
            deadline=case.deadline_ms / 1000,
            ttl_ms=ttl_ms,
            ttl=ttl_ms / 1000,
        )
