"""Sinks for what the runtime tells about itself.

`redis_guard.runtime.telemetry.prometheus` and `redis_guard.runtime.telemetry.otel` need their extras, and are imported
by those who use them.
"""

from redis_guard.runtime.telemetry.fan_out import several
from redis_guard.runtime.telemetry.guarded import guarded
from redis_guard.runtime.telemetry.logs import LoggingTelemetry
from redis_guard.runtime.telemetry.protocol import UNREGISTERED, Labels, Recorder, Telemetry
from redis_guard.runtime.telemetry.silent import NoTelemetry

__all__ = [
    "UNREGISTERED",
    "Labels",
    "LoggingTelemetry",
    "NoTelemetry",
    "Recorder",
    "Telemetry",
    "guarded",
    "several",
]
