"""A use case, and operations on it, told to a sink."""

from collections.abc import Callable

import pytest

from redis_guard.runtime.telemetry import Labels, Recorder, Telemetry

LOCK = Labels("lock", "email_batch_lock", "mail")


@pytest.fixture
def lock() -> Labels:
    return LOCK


@pytest.fixture
def tell_everything() -> Callable[[Telemetry], Recorder]:
    """One lock taken after a wait and given back, one try that failed; gives the recorder."""

    def tell(telemetry: Telemetry) -> Recorder:
        recorder = telemetry.bind(LOCK)
        recorder.lock_wait(0.2)
        recorder.operation("acquired", None, 0.003, ("batch-7",))
        recorder.leases(1)
        recorder.operation("released", None, 0.002, ("batch-7",))
        recorder.lock_held(1.5)
        recorder.leases(-1)
        recorder.operation("unavailable", "timeout", 0.25, ("batch-8",))
        return recorder

    return tell
