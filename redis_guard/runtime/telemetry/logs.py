"""Operations as log records.

Law of this file: what a person should look at is always a WARNING; the rest is sampled at DEBUG. A record carries its
facts as attributes too (`primitive`, `use_case`, `owner`, `outcome`, `error_class`, `seconds`, `identifiers`), for
loggers that write JSON.
"""

import logging
from collections.abc import Sequence
from random import Random
from typing import Final

from redis_guard.runtime.faults import ErrorClass
from redis_guard.runtime.outcomes import Outcome
from redis_guard.runtime.telemetry.identifiers import written
from redis_guard.runtime.telemetry.protocol import Labels

WORTH_A_LOOK: Final[frozenset[Outcome]] = frozenset(("lost", "stuck"))
"""What is logged each time though nothing has failed; so is whatever has an error class."""


class LoggingTelemetry:
    """Writes to `logger` (by default `redis_guard.coordination`).

    `sample` is the share of ordinary operations that are logged, 0 to 1; `identifiers=False` leaves out the
    identifiers, where those may not be written to logs.
    """

    __slots__ = ("_identifiers", "_logger", "_sample")

    def __init__(
        self, logger: logging.Logger | None = None, *, sample: float = 0.01, identifiers: bool = True
    ) -> None:
        if not 0 <= sample <= 1:
            raise ValueError(f"sample is the share of operations to log, from 0 to 1, not {sample}")
        self._logger = logger or logging.getLogger("redis_guard.coordination")
        self._sample = sample
        self._identifiers = identifiers

    def bind(self, labels: Labels) -> "LoggingRecorder":
        """The recorder of a use case."""
        return LoggingRecorder(self._logger, self._sample, self._identifiers, labels)


class LoggingRecorder:
    """Logs what becomes of one use case's operations; waits and leases are for metrics."""

    __slots__ = ("_draw", "_identifiers", "_labels", "_logger", "_sample")

    def __init__(self, logger: logging.Logger, sample: float, identifiers: bool, labels: Labels) -> None:
        self._logger = logger
        self._sample = sample
        self._identifiers = identifiers
        self._labels = labels
        # Its own, so that a program that seeds the shared one keeps its order.
        self._draw = Random().random

    def operation(
        self, outcome: Outcome, error_class: ErrorClass | None, seconds: float, identifiers: Sequence[object]
    ) -> None:
        """One operation has ended."""
        ordinary = error_class is None and outcome not in WORTH_A_LOOK
        level = logging.DEBUG if ordinary else logging.WARNING
        if not self._logger.isEnabledFor(level) or (ordinary and self._draw() >= self._sample):
            return
        labels = self._labels
        ids = written(identifiers) if self._identifiers else []
        # An identifier is written as a literal: one that holds a line break must not look like two records.
        self._logger.log(
            level,
            '%s "%s"%s: %s%s (%.2f ms)',
            labels.primitive,
            labels.use_case,
            "".join(f" {text!r}" for text in ids),
            outcome,
            f", {error_class}" if error_class else "",
            seconds * 1000,
            extra={
                "primitive": labels.primitive,
                "use_case": labels.use_case,
                "owner": labels.owner,
                "outcome": outcome,
                "error_class": error_class or "",
                "seconds": seconds,
                "identifiers": ids,
            },
        )

    def lock_wait(self, seconds: float) -> None:
        """Not logged."""

    def lock_held(self, seconds: float) -> None:
        """Not logged."""

    def leases(self, change: int) -> None:
        """Not logged."""
