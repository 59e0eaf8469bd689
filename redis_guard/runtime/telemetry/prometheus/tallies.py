"""The metrics as plain numbers, which become samples when somebody asks for them.

Law of this file: recording is some additions under one lock, a fifth of what prometheus_client's own metrics cost.
"""

import threading
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate

from prometheus_client import CollectorRegistry
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from redis_guard.runtime.faults import ErrorClass
from redis_guard.runtime.outcomes import Outcome
from redis_guard.runtime.telemetry import names
from redis_guard.runtime.telemetry.protocol import Labels, Recorder


class Distribution:
    """How often a duration fell between two bounds."""

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        """One more."""
        self.counts[bisect_left(self.bounds, seconds)] += 1
        self.total += seconds

    def buckets(self) -> list[tuple[str, float]]:
        """Upper bounds as Prometheus writes them, with how many were no longer."""
        bounds = [*map(str, self.bounds), "+Inf"]
        return list(zip(bounds, map(float, accumulate(self.counts)), strict=True))


class Tally:
    """The numbers of one use case."""

    __slots__ = ("_lock", "counts", "held", "held_now", "labels", "seconds", "wait")

    def __init__(self, labels: Labels) -> None:
        self.labels = labels
        self._lock = threading.Lock()
        self.counts: dict[tuple[Outcome, ErrorClass | None], int] = {}
        self.seconds = Distribution(names.SECONDS_BUCKETS)
        self.wait = Distribution(names.WAIT_BUCKETS)
        self.held = Distribution(names.HELD_BUCKETS)
        self.held_now = 0

    def operation(
        self, outcome: Outcome, error_class: ErrorClass | None, seconds: float, identifiers: Sequence[object]
    ) -> None:
        """One operation has ended."""
        what = (outcome, error_class)
        with self._lock:
            self.counts[what] = self.counts.get(what, 0) + 1
            self.seconds.add(seconds)

    def lock_wait(self, seconds: float) -> None:
        """A caller has waited."""
        with self._lock:
            self.wait.add(seconds)

    def lock_held(self, seconds: float) -> None:
        """A lease has ended."""
        with self._lock:
            self.held.add(seconds)

    def leases(self, change: int) -> None:
        """Leases have become more or fewer."""
        with self._lock:
            self.held_now += change

    def read(self, families: "Families") -> None:
        """Write the numbers, all of one moment, into `families`."""
        lock = (self.labels.use_case, self.labels.owner)
        whose = (self.labels.primitive, *lock)
        with self._lock:
            for (outcome, error_class), count in self.counts.items():
                families.operations.add_metric((*whose, outcome, error_class or ""), count)
            families.seconds.add_metric(whose, self.seconds.buckets(), self.seconds.total)
            if self.labels.primitive == "lock":
                families.wait.add_metric(lock, self.wait.buckets(), self.wait.total)
                families.held.add_metric(lock, self.held.buckets(), self.held.total)
                families.leases.add_metric(lock, self.held_now)


class Families:
    """The metrics without any number yet."""

    __slots__ = ("held", "leases", "operations", "seconds", "wait")

    def __init__(self, prefix: str) -> None:
        self.operations = CounterMetricFamily(*_said(names.OPERATIONS, prefix), labels=names.OUTCOME_LABELS)
        self.seconds = HistogramMetricFamily(*_said(names.SECONDS, prefix), labels=names.OPERATION_LABELS)
        self.wait = HistogramMetricFamily(*_said(names.LOCK_WAIT, prefix), labels=names.LOCK_LABELS)
        self.held = HistogramMetricFamily(*_said(names.LOCK_HELD, prefix), labels=names.LOCK_LABELS)
        self.leases = GaugeMetricFamily(*_said(names.LEASES, prefix), labels=names.LOCK_LABELS)

    def __iter__(self) -> Iterator[Metric]:
        return iter((self.operations, self.seconds, self.wait, self.held, self.leases))


class Tallies(Collector):
    """The numbers of all use cases under one prefix in one collector registry."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._lock = threading.Lock()
        self._tallies: dict[Labels, Tally] = {}

    def bind(self, labels: Labels) -> Recorder:
        """The recorder of a use case: one for all who ask."""
        with self._lock:
            return self._tallies.setdefault(labels, Tally(labels))

    def describe(self) -> Iterator[Metric]:
        """The metrics, for the registry to see that nobody else has the names."""
        return iter(Families(self._prefix))

    def collect(self) -> Iterator[Metric]:
        """The metrics with the numbers of now."""
        families = Families(self._prefix)
        with self._lock:
            tallies = list(self._tallies.values())
        for tally in tallies:
            tally.read(families)
        return iter(families)


def tallies_in(registry: CollectorRegistry, prefix: str) -> Tallies:
    """Those of `registry`, registered by whoever comes first. Raises `ValueError`."""
    tallies = Tallies(prefix)
    try:
        registry.register(tallies)
    except ValueError:
        # prometheus_client has no public way to ask for what is there.
        found = registry._names_to_collectors.get(names.OPERATIONS.named(prefix))
        if isinstance(found, Tallies):
            return found
        raise
    return tallies


def _said(metric: names.Metric, prefix: str) -> tuple[str, str]:
    return metric.named(prefix), metric.description
