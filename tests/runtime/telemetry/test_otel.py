import time
from collections.abc import Callable

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import NoOpTracerProvider, StatusCode

from redis_guard.runtime.telemetry import Labels, Telemetry
from redis_guard.runtime.telemetry.names import SECONDS_BUCKETS
from redis_guard.runtime.telemetry.otel import OpenTelemetryTelemetry

Tell = Callable[[Telemetry], object]

OWNED = {"use_case": "email_batch_lock", "owner": "mail"}
LABELS = {"primitive": "lock", **OWNED}


@pytest.fixture
def reader() -> InMemoryMetricReader:
    return InMemoryMetricReader()


@pytest.fixture
def meters(reader: InMemoryMetricReader) -> MeterProvider:
    return MeterProvider(metric_readers=[reader])


@pytest.fixture
def spans() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def tracers(spans: InMemorySpanExporter) -> TracerProvider:
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    return provider


def points(reader: InMemoryMetricReader) -> dict[str, list]:
    data = reader.get_metrics_data()
    return {
        metric.name: list(metric.data.data_points)
        for resource in data.resource_metrics
        for scope in resource.scope_metrics
        for metric in scope.metrics
    }


def test_metrics_have_the_names_and_attributes_that_prometheus_has(
    reader: InMemoryMetricReader, meters: MeterProvider, tell_everything: Tell
) -> None:
    tell_everything(OpenTelemetryTelemetry(meters, NoOpTracerProvider()))

    found = points(reader)

    assert set(found) == {
        "coordination_operation_total",
        "coordination_operation_seconds",
        "coordination_lock_wait_seconds",
        "coordination_lock_held_seconds",
        "coordination_leases",
    }
    counts = [(dict(point.attributes), point.value) for point in found["coordination_operation_total"]]
    assert counts == [
        ({**LABELS, "outcome": "acquired", "error_class": ""}, 1),
        ({**LABELS, "outcome": "released", "error_class": ""}, 1),
        ({**LABELS, "outcome": "unavailable", "error_class": "timeout"}, 1),
    ]
    [seconds] = found["coordination_operation_seconds"]
    assert (dict(seconds.attributes), seconds.count, seconds.explicit_bounds) == (LABELS, 3, SECONDS_BUCKETS)
    for name, total in {"coordination_lock_wait_seconds": 0.2, "coordination_lock_held_seconds": 1.5}.items():
        [point] = found[name]
        assert (dict(point.attributes), point.sum) == (OWNED, pytest.approx(total))
    [leases] = found["coordination_leases"]
    assert (dict(leases.attributes), leases.value) == (OWNED, 0)


def test_a_span_covers_the_time_that_the_operation_took(
    spans: InMemorySpanExporter, meters: MeterProvider, tracers: TracerProvider, lock: Labels
) -> None:
    recorder = OpenTelemetryTelemetry(meters, tracers).bind(lock)

    before = time.time_ns()
    recorder.operation("acquired", None, 0.25, ())
    after = time.time_ns()

    [span] = spans.get_finished_spans()
    assert span.name == "lock email_batch_lock"
    assert before <= span.end_time <= after
    assert span.end_time - span.start_time == 250_000_000
    assert span.status.status_code is StatusCode.UNSET


def test_a_span_belongs_to_the_span_that_is_open(
    spans: InMemorySpanExporter, meters: MeterProvider, tracers: TracerProvider, lock: Labels
) -> None:
    recorder = OpenTelemetryTelemetry(meters, tracers).bind(lock)

    with tracers.get_tracer("test").start_as_current_span("request") as request:
        recorder.operation("contended", None, 0.01, ())

    [contended, _] = spans.get_finished_spans()
    assert contended.parent is not None
    assert contended.parent.span_id == request.get_span_context().span_id


@pytest.mark.parametrize(
    ("outcome", "error_class", "said"),
    [
        ("lost", None, "lost"),
        ("stuck", None, "stuck"),
        ("unavailable", "timeout", "timeout"),
        ("error", "auth", "auth"),
    ],
)
def test_a_failure_sets_the_status_of_its_span(
    outcome, error_class, said, spans, meters, tracers, lock: Labels
) -> None:
    OpenTelemetryTelemetry(meters, tracers).bind(lock).operation(outcome, error_class, 0.1, ())

    [span] = spans.get_finished_spans()
    assert (span.status.status_code, span.status.description) == (StatusCode.ERROR, said)
    assert span.attributes["coordination.outcome"] == outcome
    assert span.attributes.get("coordination.error_class") == error_class


@pytest.mark.parametrize(("asked", "seen"), [(False, None), (True, ("batch-7", "9", "raw\\xff"))])
def test_identifiers_are_in_spans_only_where_asked_for(
    asked: bool,
    seen: object,
    spans: InMemorySpanExporter,
    meters: MeterProvider,
    tracers: TracerProvider,
    lock: Labels,
) -> None:
    recorder = OpenTelemetryTelemetry(meters, tracers, identifiers=asked).bind(lock)

    recorder.operation("acquired", None, 0.1, ("batch-7", 9, b"raw\xff"))

    [span] = spans.get_finished_spans()
    assert span.attributes is not None
    assert span.attributes.get("coordination.identifiers") == seen


def test_without_providers_the_global_ones_are_used(tell_everything: Tell) -> None:
    # None is set here, so that the API's own take it all without a word.
    tell_everything(OpenTelemetryTelemetry())
