"""How much has happened in a history: a check that saw nothing proves nothing.

Law of this file: it counts, and judges nothing.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Self

from tests.runtime.history.judge import Pause, leases_of
from tests.runtime.history.record import Event

ANSWERS = (
    *("acquired", "refused", "failed", "told", "released", "handed_on"),
    *("accepted", "duplicate", "counted"),
)


@dataclass(frozen=True, slots=True)
class Tally:
    """Numbers of a history, or the numbers that it should reach."""

    operations: int
    pauses: int
    kills: int
    told: int
    """Leases that had ended, and whose holder was told."""
    told_after_a_pause: int
    adopted: int
    failed: int
    """Requests that the server did not answer in time."""

    @classmethod
    def of(cls, events: Sequence[Event], pauses: Sequence[Pause], kills: int) -> Self:
        kinds = Counter(event.kind for event in events)
        leases = leases_of(events)
        told = [lease for lease in leases if lease.end == "told" and lease.ended is not None]
        slept = [
            lease
            for lease in told
            if any(
                pause.who == lease.who and lease.acquired < pause.began and pause.ended < (lease.ended or 0)
                for pause in pauses
            )
        ]
        return cls(
            operations=sum(kinds[kind] for kind in ANSWERS),
            pauses=len(pauses),
            kills=kills,
            told=len(told),
            told_after_a_pause=len(slept),
            adopted=sum(lease.adopted for lease in leases),
            failed=kinds["failed"],
        )

    def lacks(self, wanted: "Tally") -> list[str]:
        """What has not happened often enough yet."""
        return [
            f"{field.name} {getattr(self, field.name)} of {getattr(wanted, field.name)}"
            for field in fields(self)
            if getattr(self, field.name) < getattr(wanted, field.name)
        ]
