"""What the metrics are called, and where their histograms are cut.

Law of this file: every sink for metrics uses these, so that one dashboard serves them all. Durations are seconds.
"""

from typing import Final, NamedTuple

DEFAULT_PREFIX: Final = "coordination"

OPERATION_LABELS: Final = ("primitive", "use_case", "owner")
OUTCOME_LABELS: Final = (*OPERATION_LABELS, "outcome", "error_class")
LOCK_LABELS: Final = ("use_case", "owner")


class Metric(NamedTuple):
    """The part of a name that follows the prefix, and what the metric says."""

    suffix: str
    description: str

    def named(self, prefix: str) -> str:
        """The whole name."""
        return f"{prefix}_{self.suffix}"


OPERATIONS: Final = Metric("operation_total", "Operations by what came of them.")
SECONDS: Final = Metric("operation_seconds", "Duration of operations, waiting for a lock left out.")
LOCK_WAIT: Final = Metric("lock_wait_seconds", "How long callers waited for a lock, in vain or not.")
LOCK_HELD: Final = Metric("lock_held_seconds", "How long leases were held.")
LEASES: Final = Metric("leases", "Leases held now.")

# From a round trip on the same machine, past the default deadline of 0.25 s, to the longest that people configure.
SECONDS_BUCKETS: Final = (
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5,
)  # fmt: skip
WAIT_BUCKETS: Final = (0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)
HELD_BUCKETS: Final = (0.005, 0.025, 0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0)
