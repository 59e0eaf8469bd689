import asyncio
import logging
from collections.abc import Callable

import pytest
from prometheus_client import CollectorRegistry

from redis_guard.runtime.telemetry import Labels, NoTelemetry, Recorder, Telemetry, guarded, several
from redis_guard.runtime.telemetry.prometheus import PrometheusTelemetry

Tell = Callable[[Telemetry], Recorder]


class Broken:
    """A sink whose recorder raises whatever it is told."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def bind(self, labels: Labels) -> "Broken":
        return self

    def operation(self, *_: object) -> None:
        raise self.error

    lock_wait = lock_held = leases = operation


class Unbound:
    """A sink that gives no recorder."""

    def bind(self, labels: Labels) -> Recorder:
        raise ValueError("no room")


def test_a_recorder_that_raises_is_logged_once_and_harms_nobody(
    caplog: pytest.LogCaptureFixture, tell_everything: Tell
) -> None:
    tell_everything(guarded(Broken(OSError("disk full"))))

    [record] = caplog.records
    assert (record.name, record.levelno) == ("redis_guard.telemetry", logging.ERROR)
    assert 'use case "email_batch_lock": Broken fails' in record.getMessage()
    assert record.exc_info is not None
    assert str(record.exc_info[1]) == "disk full"


def test_a_sink_that_gives_no_recorder_is_logged_and_harms_nobody(
    caplog: pytest.LogCaptureFixture, tell_everything: Tell
) -> None:
    tell_everything(guarded(Unbound()))

    [record] = caplog.records
    assert "Unbound gives no recorder" in record.getMessage()


@pytest.mark.parametrize("error", [KeyboardInterrupt(), asyncio.CancelledError(), SystemExit(1)])
def test_what_ends_the_program_or_the_task_goes_on(error: BaseException, lock: Labels) -> None:
    recorder = guarded(Broken(error)).bind(lock)

    with pytest.raises(type(error)):
        recorder.operation("acquired", None, 0.001, ())


def test_what_is_safe_is_guarded_no_further() -> None:
    silent, safe = NoTelemetry(), guarded(Unbound())

    assert guarded(silent) is silent
    assert guarded(safe) is safe


def test_one_broken_sink_of_several_silences_no_other(tell_everything: Tell) -> None:
    registry = CollectorRegistry()

    tell_everything(several(Broken(OSError("disk full")), Unbound(), PrometheusTelemetry(registry)))

    labels = {"primitive": "lock", "use_case": "email_batch_lock", "owner": "mail"}
    assert registry.get_sample_value("coordination_operation_seconds_count", labels) == 3
    lock = {"use_case": "email_batch_lock", "owner": "mail"}
    assert registry.get_sample_value("coordination_lock_wait_seconds_count", lock) == 1
    assert registry.get_sample_value("coordination_lock_held_seconds_count", lock) == 1
    assert registry.get_sample_value("coordination_leases", lock) == 0


def test_several_of_none_or_one_are_no_more_than_that(lock: Labels) -> None:
    one = guarded(Unbound())

    assert isinstance(several(), NoTelemetry)
    assert isinstance(several(NoTelemetry(), NoTelemetry()), NoTelemetry)
    assert several(NoTelemetry(), one) is one


def test_no_telemetry_gives_everybody_the_same_recorder(tell_everything: Tell, lock: Labels) -> None:
    silent = NoTelemetry()

    assert tell_everything(silent) is silent.bind(lock)
