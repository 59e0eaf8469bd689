"""What the runtime tells about itself, whoever listens.

Law of this file: labels are bound once per use case and come from the registry and from closed lists; an identifier
is handed to sinks as such, beside the labels, and no metric may use it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from redis_guard.registry.model import Primitive
from redis_guard.runtime.faults import ErrorClass
from redis_guard.runtime.outcomes import Outcome

UNREGISTERED = "unregistered"
"""The use case of keys that no entry of the registry covers."""


@dataclass(frozen=True, slots=True)
class Labels:
    """Whom an operation belongs to."""

    primitive: Primitive | str
    use_case: str
    owner: str


class Recorder(Protocol):
    """The sink of one use case. Called from any thread; must not block and must not raise."""

    def operation(
        self, outcome: Outcome, error_class: ErrorClass | None, seconds: float, identifiers: Sequence[object]
    ) -> None:
        """One operation has ended; `seconds` is what it took, waiting for a lock left out."""

    def lock_wait(self, seconds: float) -> None:
        """A caller has waited for a lock, in vain or not."""

    def lock_held(self, seconds: float) -> None:
        """A lease has ended after `seconds`."""

    def leases(self, change: int) -> None:
        """Leases held in this process have become more or fewer by `change`."""


class Telemetry(Protocol):
    """A sink."""

    def bind(self, labels: Labels) -> Recorder:
        """The recorder of a use case; asked for once, so that nothing is looked up while coordinating."""
