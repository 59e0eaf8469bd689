import logging
from collections.abc import Callable

import pytest

from redis_guard.runtime.telemetry import Labels, LoggingTelemetry, Telemetry

Tell = Callable[[Telemetry], object]


def test_failures_are_always_logged(caplog: pytest.LogCaptureFixture, tell_everything: Tell) -> None:
    with caplog.at_level(logging.DEBUG, "redis_guard.coordination"):
        tell_everything(LoggingTelemetry(sample=0))

    [record] = caplog.records
    assert record.levelno == logging.WARNING
    assert record.getMessage() == "lock \"email_batch_lock\" 'batch-8': unavailable, timeout (250.00 ms)"


@pytest.mark.parametrize("outcome", ["lost", "stuck"])
def test_a_lock_that_is_lost_or_stuck_is_always_logged(
    outcome, caplog: pytest.LogCaptureFixture, lock: Labels
) -> None:
    LoggingTelemetry(sample=0).bind(lock).operation(outcome, None, 0.001, ("batch-7",))

    [record] = caplog.records
    assert record.levelno == logging.WARNING
    assert f"'batch-7': {outcome} (" in record.getMessage()


def test_the_rest_is_a_sample_at_debug(caplog: pytest.LogCaptureFixture, lock: Labels) -> None:
    recorder = LoggingTelemetry(sample=0.5).bind(lock)

    with caplog.at_level(logging.DEBUG, "redis_guard.coordination"):
        for _ in range(400):
            recorder.operation("acquired", None, 0.001, ("batch-7",))

    assert {record.levelno for record in caplog.records} == {logging.DEBUG}
    # The odds of so few, or of so many, of 400 fair coins are below 1 in 10 ** 20.
    assert 100 < len(caplog.records) < 300


def test_all_of_it_where_the_sample_is_everything(
    caplog: pytest.LogCaptureFixture, tell_everything: Tell
) -> None:
    with caplog.at_level(logging.DEBUG, "redis_guard.coordination"):
        tell_everything(LoggingTelemetry(sample=1))

    assert [record.outcome for record in caplog.records] == ["acquired", "released", "unavailable"]


def test_a_record_carries_its_facts_as_attributes(caplog: pytest.LogCaptureFixture, lock: Labels) -> None:
    LoggingTelemetry().bind(lock).operation("error", "noperm", 0.25, ("batch-7", 9, b"x"))

    [record] = caplog.records
    facts = ("primitive", "use_case", "owner", "outcome", "error_class", "seconds", "identifiers")
    assert [getattr(record, fact) for fact in facts] == [
        "lock", "email_batch_lock", "mail", "error", "noperm", 0.25, ["batch-7", "9", "x"],
    ]  # fmt: skip


def test_identifiers_can_be_left_out(caplog: pytest.LogCaptureFixture, lock: Labels) -> None:
    LoggingTelemetry(identifiers=False).bind(lock).operation("lost", None, 0.001, ("a@b.example",))

    [record] = caplog.records
    assert record.getMessage() == 'lock "email_batch_lock": lost (1.00 ms)'
    assert record.identifiers == []


def test_an_identifier_cannot_forge_a_record(caplog: pytest.LogCaptureFixture, lock: Labels) -> None:
    LoggingTelemetry().bind(lock).operation("lost", None, 0.001, ("x\nWARNING all is lost",))

    [record] = caplog.records
    assert "\n" not in record.getMessage()


def test_another_logger_may_be_given(caplog: pytest.LogCaptureFixture, lock: Labels) -> None:
    LoggingTelemetry(logging.getLogger("shop")).bind(lock).operation("lost", None, 0.001, ())

    assert [record.name for record in caplog.records] == ["shop"]


@pytest.mark.parametrize("sample", [-0.1, 1.1])
def test_a_share_that_is_none_is_refused(sample: float) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        LoggingTelemetry(sample=sample)
