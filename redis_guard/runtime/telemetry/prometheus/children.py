"""The metrics as prometheus_client's own, for its multiprocess mode: it keeps their values in files.

Law of this file: metrics are found again in the collector registry that holds them; children are bound once.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from redis_guard.runtime.faults import ErrorClass
from redis_guard.runtime.outcomes import Outcome
from redis_guard.runtime.telemetry.names import (
    HELD_BUCKETS,
    LEASES,
    LOCK_HELD,
    LOCK_LABELS,
    LOCK_WAIT,
    OPERATION_LABELS,
    OPERATIONS,
    OUTCOME_LABELS,
    SECONDS,
    SECONDS_BUCKETS,
    WAIT_BUCKETS,
    Metric,
)
from redis_guard.runtime.telemetry.protocol import Labels

MetricT = TypeVar("MetricT", Counter, Gauge, Histogram)


class Children:
    """prometheus_client's metrics in `where`; leases of living processes are summed. Raises `ValueError`."""

    __slots__ = ("_held", "_leases", "_operations", "_seconds", "_wait")

    def __init__(self, where: CollectorRegistry, prefix: str) -> None:
        self._operations = _shared(
            where, Counter(OPERATIONS.named(prefix), OPERATIONS.description, OUTCOME_LABELS, registry=None)
        )
        self._seconds = _shared(where, _histogram(SECONDS, prefix, OPERATION_LABELS, SECONDS_BUCKETS))
        self._wait = _shared(where, _histogram(LOCK_WAIT, prefix, LOCK_LABELS, WAIT_BUCKETS))
        self._held = _shared(where, _histogram(LOCK_HELD, prefix, LOCK_LABELS, HELD_BUCKETS))
        self._leases = _shared(
            where,
            Gauge(
                LEASES.named(prefix),
                LEASES.description,
                LOCK_LABELS,
                registry=None,
                multiprocess_mode="livesum",
            ),
        )

    def bind(self, labels: Labels) -> "ChildrenOf":
        """The recorder of a use case."""
        whose = (labels.primitive, labels.use_case, labels.owner)
        recorder = ChildrenOf(self._operations, whose, self._seconds.labels(*whose).observe)
        if labels.primitive != "lock":
            return recorder
        lock = whose[1:]
        return ChildrenOfLock(
            self._operations,
            whose,
            recorder.observe,
            self._wait.labels(*lock),
            self._held.labels(*lock),
            self._leases.labels(*lock),
        )


class ChildrenOf:
    """The metrics of one use case. One that is no lock has neither waits nor leases."""

    __slots__ = ("_counts", "_operations", "_whose", "observe")

    def __init__(
        self, operations: Counter, whose: tuple[str, str, str], observe: Callable[[float], None]
    ) -> None:
        self._operations = operations
        self._whose = whose
        self._counts: dict[tuple[Outcome, ErrorClass | None], Callable[[], None]] = {}
        self.observe = observe

    def operation(
        self, outcome: Outcome, error_class: ErrorClass | None, seconds: float, identifiers: Sequence[object]
    ) -> None:
        """One operation has ended."""
        try:
            count = self._counts[outcome, error_class]
        except KeyError:
            count = self._operations.labels(*self._whose, outcome, error_class or "").inc
            self._counts[outcome, error_class] = count
        count()
        self.observe(seconds)

    def lock_wait(self, seconds: float) -> None:
        """Only locks are waited for."""

    def lock_held(self, seconds: float) -> None:
        """Only locks are held."""

    def leases(self, change: int) -> None:
        """Only locks have leases."""


class ChildrenOfLock(ChildrenOf):
    """The metrics of one lock."""

    __slots__ = ("_held", "_leases", "_wait")

    def __init__(
        self,
        operations: Counter,
        whose: tuple[str, str, str],
        observe: Callable[[float], None],
        wait: Histogram,
        held: Histogram,
        leases: Gauge,
    ) -> None:
        super().__init__(operations, whose, observe)
        self._wait = wait
        self._held = held
        self._leases = leases

    def lock_wait(self, seconds: float) -> None:
        """A caller has waited."""
        self._wait.observe(seconds)

    def lock_held(self, seconds: float) -> None:
        """A lease has ended."""
        self._held.observe(seconds)

    def leases(self, change: int) -> None:
        """Leases have become more or fewer."""
        self._leases.inc(change)


def _histogram(metric: Metric, prefix: str, labels: Sequence[str], buckets: Sequence[float]) -> Histogram:
    return Histogram(metric.named(prefix), metric.description, labels, registry=None, buckets=buckets)


def _shared(registry: CollectorRegistry, metric: MetricT) -> MetricT:
    """`metric`, registered; or the one that another sink has registered before."""
    try:
        registry.register(metric)
    except ValueError:
        # prometheus_client has no public way to ask for what is there.
        found = registry._names_to_collectors.get(metric._name)
        if isinstance(found, type(metric)) and found._labelnames == metric._labelnames:
            return found
        raise
    return metric
