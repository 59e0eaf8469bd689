"""No identifier is ever part of a metric, whatever it is."""

from collections.abc import Callable
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.trace import NoOpTracerProvider
from prometheus_client import CollectorRegistry

from redis_guard.runtime.faults import ERROR_CLASSES
from redis_guard.runtime.outcomes import ClaimOutcome, CounterOutcome, LockOutcome, SignalOutcome
from redis_guard.runtime.telemetry import Labels, Telemetry, several
from redis_guard.runtime.telemetry.otel import OpenTelemetryTelemetry
from redis_guard.runtime.telemetry.prometheus import PrometheusTelemetry

OUTCOMES = {
    "lock": get_args(LockOutcome),
    "claim": get_args(ClaimOutcome),
    "counter": get_args(CounterOutcome),
    "signal": get_args(SignalOutcome),
}
CASES = [Labels(primitive, f"{primitive}_case", "team") for primitive in OUTCOMES]
MAY_STAND_IN_A_LABEL = {
    *OUTCOMES, *ERROR_CLASSES, *(outcome for outcomes in OUTCOMES.values() for outcome in outcomes),
    *(case.use_case for case in CASES), "team", "",
}  # fmt: skip

identifiers = st.lists(st.text(min_size=1) | st.binary() | st.integers() | st.uuids(), max_size=3)
operations = st.sampled_from(CASES).flatmap(
    lambda case: st.tuples(
        st.just(case),
        st.sampled_from(OUTCOMES[str(case.primitive)]),
        st.none() | st.sampled_from(ERROR_CLASSES),
        identifiers,
    )
)


def of_prometheus() -> tuple[Telemetry, Callable[[], set[str]]]:
    registry = CollectorRegistry()

    def values() -> set[str]:
        return {
            value
            for family in registry.collect()
            for sample in family.samples
            for name, value in sample.labels.items()
            if name != "le"
        }

    return PrometheusTelemetry(registry), values


def of_opentelemetry() -> tuple[Telemetry, Callable[[], set[str]]]:
    reader = InMemoryMetricReader()
    meters = MeterProvider(metric_readers=[reader])

    def values() -> set[str]:
        data = reader.get_metrics_data()
        points = (
            point
            for resource in (data.resource_metrics if data else ())
            for scope in resource.scope_metrics
            for metric in scope.metrics
            for point in metric.data.data_points
        )
        found = {str(value) for point in points for value in (point.attributes or {}).values()}
        meters.shutdown()
        return found

    return OpenTelemetryTelemetry(meters, NoOpTracerProvider(), identifiers=True), values


@given(st.lists(operations, min_size=1, max_size=12))
def test_labels_come_from_the_registry_and_from_closed_lists(told: list) -> None:
    sinks = (of_prometheus(), of_opentelemetry())
    telemetry = several(*(sink for sink, _ in sinks))
    recorders = {case: telemetry.bind(case) for case in CASES}

    for case, outcome, error_class, ids in told:
        recorders[case].operation(outcome, error_class, 0.001, ids)
        recorders[case].lock_wait(0.1)
        recorders[case].leases(1)

    for _, values in sinks:
        found = values()
        assert "team" in found
        assert found <= MAY_STAND_IN_A_LABEL
