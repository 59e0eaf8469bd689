"""How a `Coordination` of either world comes to be.

Law of this file: whatever is wrong with registry, client or URL is told here, before any traffic.
"""

from os import PathLike
from typing import Any, Self, TypedDict, Unpack

from redis_guard.registry import Registry, registry_from_files, registry_from_package
from redis_guard.registry.model import DEFAULT_INSTANCE, Primitive
from redis_guard.runtime.core.bound import Bound
from redis_guard.runtime.core.handover import Handover
from redis_guard.runtime.core.registered import Registered
from redis_guard.runtime.origin import Origin, check_world, origin_of, origin_of_url
from redis_guard.runtime.telemetry import NoTelemetry, Telemetry, guarded


class Settings(TypedDict, total=False):
    """What every way to make one takes."""

    url: str | None
    telemetry: Telemetry | None
    instance: str


class Making:
    """What both worlds' `Coordination` share: where to go, and the use cases of the registry."""

    _asynchronous = False

    def __init__(
        self,
        registry: Registry,
        client: Any = None,
        *,
        url: str | None = None,
        telemetry: Telemetry | None = None,
        instance: str = DEFAULT_INSTANCE,
    ) -> None:
        """Coordinate by `registry` over the Redis of `client` or at `url`; nothing is connected yet.

        Of a client (redis-py or valkey-py; sync, asyncio, Sentinel or Cluster) address, credentials and TLS are used,
        nothing else. `instance` is which of the registry's Redis instances that is. Raises `TypeError`, `ValueError`.
        """
        if not isinstance(registry, Registry):
            raise TypeError(
                f"registry must be a Registry, not {type(registry).__name__}; for a file, call Coordination.from_file()"
            )
        if (client is None) == (url is None):
            raise TypeError("give either a client or url=, one of them")
        self._origin: Origin = origin_of(client) if url is None else origin_of_url(url)
        check_world(self._origin, asynchronous=self._asynchronous)
        self._registered = Registered(registry, instance, guarded(telemetry or NoTelemetry()))
        self._connect_deadline = registry.connect_deadline_ms / 1000

    @classmethod
    def from_file(cls, path: str | PathLike[str], client: Any = None, **settings: Unpack[Settings]) -> Self:
        """As the constructor, with the registry in one file. Raises `RegistryError` with every problem in it."""
        return cls(registry_from_files(path), client, **settings)

    @classmethod
    def from_files(
        cls, *paths_or_globs: str | PathLike[str], client: Any = None, **settings: Unpack[Settings]
    ) -> Self:
        """As the constructor, with the registry in a set of files; names may be patterns. Raises `RegistryError`."""
        return cls(registry_from_files(*paths_or_globs), client, **settings)

    @classmethod
    def from_package(
        cls, package: str, resource: str, client: Any = None, **settings: Unpack[Settings]
    ) -> Self:
        """As the constructor, with the registry in a file of a package, wherever the process runs."""
        return cls(registry_from_package(package, resource), client, **settings)

    def _handed_on(self, text: str) -> tuple[Handover, Bound]:
        """An exported lease and its use case."""
        handover = Handover.read(text)
        return handover, self._bound("lock", handover.use_case)

    def _bound(self, primitive: Primitive, name: str) -> Bound:
        return self._registered.get(primitive, name)
