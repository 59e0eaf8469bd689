import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from redis_guard.runtime.telemetry import Labels, Telemetry
from redis_guard.runtime.telemetry.prometheus import PrometheusTelemetry

ROOT = Path(__file__).parents[3]

Tell = Callable[[Telemetry], object]

OWNED = 'owner="mail",use_case="email_batch_lock"'
ALL = 'owner="mail",primitive="lock",use_case="email_batch_lock"'


def exposed(registry: CollectorRegistry) -> dict[str, float]:
    """Every sample as its exposition line says it, but for the moments of creation."""
    found = {}
    for family in text_string_to_metric_families(generate_latest(registry).decode()):
        for sample in family.samples:
            if not sample.name.endswith("_created"):
                labels = ",".join(f'{name}="{value}"' for name, value in sorted(sample.labels.items()))
                found[f"{sample.name}{{{labels}}}"] = sample.value
    return found


def test_operations_are_exposed_by_outcome_and_error_class(tell_everything: Tell) -> None:
    registry = CollectorRegistry()
    tell_everything(PrometheusTelemetry(registry))

    counts = {line: value for line, value in exposed(registry).items() if "_total" in line}

    name = "coordination_operation_total"
    rest = 'owner="mail",primitive="lock",use_case="email_batch_lock"'
    assert counts == {
        f'{name}{{error_class="",outcome="acquired",{rest}}}': 1,
        f'{name}{{error_class="",outcome="released",{rest}}}': 1,
        f'{name}{{error_class="timeout",outcome="unavailable",{rest}}}': 1,
    }


def test_durations_waits_and_holds_are_histograms_in_seconds(tell_everything: Tell) -> None:
    registry = CollectorRegistry()
    tell_everything(PrometheusTelemetry(registry))

    lines = exposed(registry)

    assert lines[f"coordination_operation_seconds_count{{{ALL}}}"] == 3
    assert lines[f"coordination_operation_seconds_sum{{{ALL}}}"] == pytest.approx(0.255)
    assert lines[f'coordination_operation_seconds_bucket{{le="0.0025",{ALL}}}'] == 1
    assert lines[f"coordination_lock_wait_seconds_sum{{{OWNED}}}"] == pytest.approx(0.2)
    assert lines[f"coordination_lock_held_seconds_sum{{{OWNED}}}"] == pytest.approx(1.5)


def test_leases_rise_and_fall_and_stand_at_zero_from_the_start(lock: Labels) -> None:
    registry = CollectorRegistry()
    recorder = PrometheusTelemetry(registry).bind(lock)
    gauge = f"coordination_leases{{{OWNED}}}"

    seen = [exposed(registry)[gauge]]
    recorder.leases(2)
    seen.append(exposed(registry)[gauge])
    recorder.leases(-1)
    seen.append(exposed(registry)[gauge])

    assert seen == [0, 2, 1]


def test_what_is_no_lock_has_no_lock_metrics() -> None:
    registry = CollectorRegistry()
    recorder = PrometheusTelemetry(registry).bind(Labels("counter", "logins", "web"))
    recorder.operation("counted", None, 0.001, ())
    recorder.lock_wait(1.0)
    recorder.lock_held(1.0)
    recorder.leases(1)

    assert not [line for line in exposed(registry) if "lock" in line or "leases" in line]


def test_two_sinks_on_one_registry_count_together(tell_everything: Tell) -> None:
    registry = CollectorRegistry()
    tell_everything(PrometheusTelemetry(registry))
    tell_everything(PrometheusTelemetry(registry))

    assert exposed(registry)[f"coordination_operation_seconds_count{{{ALL}}}"] == 6


def test_another_prefix_keeps_two_paths_apart(tell_everything: Tell) -> None:
    registry = CollectorRegistry()
    tell_everything(PrometheusTelemetry(registry))
    tell_everything(PrometheusTelemetry(registry, prefix="legacy_coordination"))

    lines = exposed(registry)

    assert lines[f"coordination_operation_seconds_count{{{ALL}}}"] == 3
    assert lines[f"legacy_coordination_operation_seconds_count{{{ALL}}}"] == 3


@pytest.mark.parametrize(
    "occupy",
    [
        pytest.param(
            lambda registry: Gauge("coordination_operation", "-", registry=registry), id="another kind"
        ),
        pytest.param(
            lambda registry: Counter("coordination_operation", "-", registry=registry), id="other labels"
        ),
    ],
)
def test_a_name_that_something_else_has_is_told_at_once(
    occupy: Callable[[CollectorRegistry], object],
) -> None:
    registry = CollectorRegistry()
    occupy(registry)

    with pytest.raises(ValueError, match="coordination_operation"):
        PrometheusTelemetry(registry)


def test_the_default_is_the_registry_that_is_exposed_by_default() -> None:
    program = """
from prometheus_client import generate_latest
from redis_guard.runtime.telemetry import Labels
from redis_guard.runtime.telemetry.prometheus import PrometheusTelemetry
PrometheusTelemetry().bind(Labels("claim", "invoice", "pay")).operation("accepted", None, 0.001, ())
print(generate_latest().decode())
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert 'coordination_operation_total{error_class="",outcome="accepted"' in done.stdout


def test_processes_count_together_in_multiprocess_mode(tmp_path: Path) -> None:
    program = """
import os
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from redis_guard.runtime.telemetry import Labels
from redis_guard.runtime.telemetry.prometheus import PrometheusTelemetry

recorder = PrometheusTelemetry().bind(Labels("lock", "batch", "mail"))

def work():
    recorder.operation("acquired", None, 0.001, ("7",))
    recorder.leases(1)

work()
for _ in range(2):
    ready, started = os.pipe()
    child = os.fork()
    if child == 0:
        work()
        os._exit(0)
    os.waitpid(child, 0)
    mark_process_dead(child)
registry = CollectorRegistry()
MultiProcessCollector(registry)
print(generate_latest(registry).decode())
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={"PROMETHEUS_MULTIPROC_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    lines = done.stdout.splitlines()

    acquired = 'error_class="",outcome="acquired",owner="mail",primitive="lock",use_case="batch"'
    assert f"coordination_operation_total{{{acquired}}} 3.0" in lines
    # Of the living processes alone, and without a label for each.
    assert 'coordination_leases{owner="mail",use_case="batch"} 1.0' in lines
