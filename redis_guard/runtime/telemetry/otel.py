"""Operations as OpenTelemetry metrics and spans (extra `otel`).

Law of this file: the only one that imports opentelemetry. Metrics have the names and attributes that Prometheus' have;
an identifier goes into spans alone, and only where it was asked for.
"""

import time
from collections.abc import Mapping, Sequence
from typing import Final

from redis_guard.runtime.faults import ErrorClass
from redis_guard.runtime.outcomes import Outcome
from redis_guard.runtime.telemetry.identifiers import written
from redis_guard.runtime.telemetry.names import (
    DEFAULT_PREFIX,
    HELD_BUCKETS,
    LEASES,
    LOCK_HELD,
    LOCK_WAIT,
    OPERATIONS,
    SECONDS,
    SECONDS_BUCKETS,
    WAIT_BUCKETS,
)
from redis_guard.runtime.telemetry.protocol import Labels

try:
    from opentelemetry.metrics import Meter, MeterProvider, get_meter
    from opentelemetry.trace import SpanKind, Status, StatusCode, Tracer, TracerProvider, get_tracer
except ImportError as missing:
    raise ImportError(
        "OpenTelemetryTelemetry needs opentelemetry-api: pip install 'redis-guard[otel]'", name=missing.name
    ) from missing

SCOPE: Final = "redis_guard"

FAILED: Final[frozenset[Outcome]] = frozenset(("stuck", "lost", "unavailable", "error"))
"""What sets a span's status to error: the caller did not get, or keep, what was asked for."""


class OpenTelemetryTelemetry:
    """Records to the providers given, else to the global ones.

    `identifiers=True` puts identifiers into spans (attribute `coordination.identifiers`). For metrics without spans
    pass opentelemetry's `NoOpTracerProvider()`. Another `prefix` than `coordination` keeps two paths to the same use
    cases apart.
    """

    __slots__ = ("_identifiers", "_instruments", "_tracer")

    def __init__(
        self,
        meter_provider: MeterProvider | None = None,
        tracer_provider: TracerProvider | None = None,
        *,
        identifiers: bool = False,
        prefix: str = DEFAULT_PREFIX,
    ) -> None:
        self._instruments = Instruments(get_meter(SCOPE, meter_provider=meter_provider), prefix)
        self._tracer = get_tracer(SCOPE, tracer_provider=tracer_provider)
        self._identifiers = identifiers

    def bind(self, labels: Labels) -> "OpenTelemetryRecorder":
        """The recorder of a use case."""
        return OpenTelemetryRecorder(self._instruments, self._tracer, self._identifiers, labels)


class Instruments:
    """The five instruments."""

    __slots__ = ("held", "leases", "operations", "seconds", "wait")

    def __init__(self, meter: Meter, prefix: str) -> None:
        self.operations = meter.create_counter(
            OPERATIONS.named(prefix), unit="{operation}", description=OPERATIONS.description
        )
        self.seconds = meter.create_histogram(
            SECONDS.named(prefix),
            unit="s",
            description=SECONDS.description,
            explicit_bucket_boundaries_advisory=SECONDS_BUCKETS,
        )
        self.wait = meter.create_histogram(
            LOCK_WAIT.named(prefix),
            unit="s",
            description=LOCK_WAIT.description,
            explicit_bucket_boundaries_advisory=WAIT_BUCKETS,
        )
        self.held = meter.create_histogram(
            LOCK_HELD.named(prefix),
            unit="s",
            description=LOCK_HELD.description,
            explicit_bucket_boundaries_advisory=HELD_BUCKETS,
        )
        self.leases = meter.create_up_down_counter(
            LEASES.named(prefix), unit="{lease}", description=LEASES.description
        )


class OpenTelemetryRecorder:
    """The instruments of one use case, and its spans."""

    __slots__ = ("_by_outcome", "_identifiers", "_instruments", "_labels", "_lock", "_name", "_tracer")

    def __init__(self, instruments: Instruments, tracer: Tracer, identifiers: bool, labels: Labels) -> None:
        self._instruments = instruments
        self._tracer = tracer
        self._identifiers = identifiers
        self._name = f"{labels.primitive} {labels.use_case}"
        self._labels = {"primitive": labels.primitive, "use_case": labels.use_case, "owner": labels.owner}
        self._lock = {"use_case": labels.use_case, "owner": labels.owner}
        self._by_outcome: dict[tuple[Outcome, ErrorClass | None], Mapping[str, str]] = {}

    def operation(
        self, outcome: Outcome, error_class: ErrorClass | None, seconds: float, identifiers: Sequence[object]
    ) -> None:
        """One operation has ended."""
        try:
            attributes = self._by_outcome[outcome, error_class]
        except KeyError:
            attributes = {**self._labels, "outcome": outcome, "error_class": error_class or ""}
            self._by_outcome[outcome, error_class] = attributes
        self._instruments.operations.add(1, attributes)
        self._instruments.seconds.record(seconds, self._labels)
        self._span(outcome, attributes, seconds, identifiers)

    def lock_wait(self, seconds: float) -> None:
        """A caller has waited."""
        self._instruments.wait.record(seconds, self._lock)

    def lock_held(self, seconds: float) -> None:
        """A lease has ended."""
        self._instruments.held.record(seconds, self._lock)

    def leases(self, change: int) -> None:
        """Leases have become more or fewer."""
        self._instruments.leases.add(change, self._lock)

    def _span(
        self, outcome: Outcome, attributes: Mapping[str, str], seconds: float, identifiers: Sequence[object]
    ) -> None:
        # Made once the operation is over, as what it was is not known before; so it has no children.
        end = time.time_ns()
        span = self._tracer.start_span(self._name, kind=SpanKind.CLIENT, start_time=end - int(seconds * 1e9))
        if span.is_recording():
            span.set_attributes({f"coordination.{key}": value for key, value in attributes.items() if value})
            if self._identifiers and identifiers:
                span.set_attribute("coordination.identifiers", written(identifiers))
            if outcome in FAILED:
                span.set_status(Status(StatusCode.ERROR, attributes["error_class"] or outcome))
        span.end(end)
