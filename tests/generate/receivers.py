"""Which classes of redis-py and valkey-py stand behind each kind of object, and which of their names count.

Law of this file: a class that the installed version lacks is left out, never an error.
"""

import importlib
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

OPERATORS = (
    "__getitem__",
    "__setitem__",
    "__delitem__",
    "__contains__",
    "__enter__",
    "__aenter__",
    "__call__",
)

_COMMANDS = "redis.commands"
_CLASSES: dict[str, tuple[str, ...]] = {
    "client": ("redis.client.Redis", "valkey.client.Valkey"),
    "async-client": ("redis.asyncio.client.Redis", "valkey.asyncio.client.Valkey"),
    "cluster": ("redis.cluster.RedisCluster", "valkey.cluster.ValkeyCluster"),
    "async-cluster": ("redis.asyncio.cluster.RedisCluster", "valkey.asyncio.cluster.ValkeyCluster"),
    "pipeline": ("redis.client.Pipeline", "valkey.client.Pipeline"),
    "async-pipeline": ("redis.asyncio.client.Pipeline", "valkey.asyncio.client.Pipeline"),
    "cluster-pipeline": ("redis.cluster.ClusterPipeline", "valkey.cluster.ClusterPipeline"),
    "async-cluster-pipeline": (
        "redis.asyncio.cluster.ClusterPipeline",
        "valkey.asyncio.cluster.ClusterPipeline",
    ),
    "pubsub": ("redis.client.PubSub", "redis.cluster.ClusterPubSub", "valkey.cluster.ClusterPubSub"),
    "async-pubsub": (
        "redis.asyncio.client.PubSub",
        "redis.asyncio.cluster.ClusterPubSub",
        "valkey.asyncio.client.PubSub",
    ),
    "lock": ("redis.lock.Lock", "valkey.lock.Lock"),
    "async-lock": ("redis.asyncio.lock.Lock", "valkey.asyncio.lock.Lock"),
    "script": (f"{_COMMANDS}.core.Script", "valkey.commands.core.Script"),
    "async-script": (f"{_COMMANDS}.core.AsyncScript", "valkey.commands.core.AsyncScript"),
    "sentinel": ("redis.sentinel.Sentinel", "valkey.sentinel.Sentinel"),
    "async-sentinel": ("redis.asyncio.sentinel.Sentinel", "valkey.asyncio.sentinel.Sentinel"),
    "monitor": ("redis.client.Monitor", "valkey.client.Monitor"),
    "async-monitor": ("redis.asyncio.client.Monitor", "valkey.asyncio.client.Monitor"),
    "bitfield": (f"{_COMMANDS}.core.BitFieldOperation", "valkey.commands.core.BitFieldOperation"),
    "async-bitfield": (f"{_COMMANDS}.core.BitFieldOperation", "valkey.commands.core.BitFieldOperation"),
    "json": (f"{_COMMANDS}.json.JSON", "valkey.commands.json.JSON"),
    "async-json": (f"{_COMMANDS}.json.AsyncJSON", f"{_COMMANDS}.json.JSON", "valkey.commands.json.JSON"),
    "ft": (f"{_COMMANDS}.search.Search", "valkey.commands.search.Search"),
    "async-ft": (f"{_COMMANDS}.search.AsyncSearch", "valkey.commands.search.AsyncSearch"),
    "ts": (f"{_COMMANDS}.timeseries.TimeSeries", "valkey.commands.timeseries.TimeSeries"),
    "async-ts": (f"{_COMMANDS}.timeseries.AsyncTimeSeries", f"{_COMMANDS}.timeseries.TimeSeries"),
    **{
        f"{prefix}{kind}": tuple(
            f"{package}.commands.bf.{name}"
            for package in ("redis", "valkey")
            for name in (f"{mark}{cls}", cls)
        )
        for prefix, mark in (("", ""), ("async-", "Async"))
        for kind, cls in (
            ("bf", "BFBloom"),
            ("cf", "CFBloom"),
            ("cms", "CMSBloom"),
            ("topk", "TOPKBloom"),
            ("tdigest", "TDigestBloom"),
        )
    },
    "vset": (f"{_COMMANDS}.vectorset.VectorSet",),
    "async-vset": (f"{_COMMANDS}.vectorset.AsyncVectorSet", f"{_COMMANDS}.vectorset.VectorSet"),
}
KINDS = tuple(_CLASSES)

CLIENTS = ("client", "async-client", "cluster", "async-cluster")
PIPELINES = ("pipeline", "async-pipeline", "cluster-pipeline", "async-cluster-pipeline")


@dataclass(frozen=True, slots=True)
class Receiver:
    """A kind of object and its classes, the one whose signatures count first."""

    kind: str
    classes: tuple[type, ...]

    @property
    def subject(self) -> str:
        """Kinds of one subject share the facts of a method name."""
        return "client" if self.kind in CLIENTS + PIPELINES else self.kind.removeprefix("async-")

    @property
    def is_async(self) -> bool:
        return self.kind.startswith("async-")

    @property
    def queues(self) -> bool:
        return self.kind in PIPELINES

    def names(self) -> list[str]:
        """The names of all methods that count, sorted."""
        return sorted({name for cls in self.classes for name in _method_names(cls)})

    def owner(self, name: str) -> type:
        """The first class that has the method; raises `StopIteration` if none has."""
        return next(cls for cls in self.classes if hasattr(cls, name))

    def function(self, name: str) -> Callable[..., Any]:
        """The method itself, as its owner has it."""
        function: Callable[..., Any] = getattr(self.owner(name), name)
        return function


def _method_names(cls: type) -> Iterator[str]:
    for name in dir(cls):
        if name.startswith("_") and name not in OPERATORS:
            continue
        value = getattr(cls, name)
        # redis-py's Lock keeps its scripts on the class from the first one made.
        if inspect.isroutine(value):
            yield name


def _classes(kind: str) -> Iterator[type]:
    for dotted in _CLASSES[kind]:
        module, _, name = dotted.rpartition(".")
        try:
            found = getattr(importlib.import_module(module), name, None)
        except ModuleNotFoundError:
            continue
        if found is not None:
            yield found


def receivers() -> list[Receiver]:
    """Every kind of object the installed libraries have."""
    found = (Receiver(kind, tuple(_classes(kind))) for kind in KINDS)
    return [receiver for receiver in found if receiver.classes]
