"""Operations as Prometheus metrics (extra `prometheus`).

Law of this package: the only one that imports prometheus_client. Several `Coordination`s of one process that use one
collector registry count together.
"""

import os
from typing import Final

from redis_guard.runtime.telemetry.names import DEFAULT_PREFIX
from redis_guard.runtime.telemetry.protocol import Labels, Recorder, Telemetry

try:
    from prometheus_client import REGISTRY, CollectorRegistry
except ImportError as missing:
    raise ImportError(
        "PrometheusTelemetry needs prometheus_client: pip install 'redis-guard[prometheus]'",
        name=missing.name,
    ) from missing

from redis_guard.runtime.telemetry.prometheus.children import Children
from redis_guard.runtime.telemetry.prometheus.tallies import tallies_in

__all__ = ["PrometheusTelemetry"]

MULTIPROCESS: Final = ("PROMETHEUS_MULTIPROC_DIR", "prometheus_multiproc_dir")
"""The variables that put prometheus_client into its multiprocess mode."""


class PrometheusTelemetry:
    """Counts in `registry` (by default the one that prometheus_client exposes).

    Works in prometheus_client's multiprocess mode; leases of living processes are summed there. Another `prefix` than
    `coordination` keeps two paths to the same use cases apart. Raises `ValueError` when something else in `registry`
    has one of the names.
    """

    __slots__ = ("_inner",)

    def __init__(self, registry: CollectorRegistry | None = None, *, prefix: str = DEFAULT_PREFIX) -> None:
        where = REGISTRY if registry is None else registry
        shared = any(name in os.environ for name in MULTIPROCESS)
        self._inner: Telemetry = Children(where, prefix) if shared else tallies_in(where, prefix)

    def bind(self, labels: Labels) -> Recorder:
        """The recorder of a use case."""
        return self._inner.bind(labels)
