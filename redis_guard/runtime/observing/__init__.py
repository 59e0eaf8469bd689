"""Code that is not migrated yet, measured as if it were.

`observe` gives a redis-py client whose coordination-shaped commands are counted under the use cases that the registry
declares for their keys.
"""

from typing import TypeVar

from redis_guard.registry.model import DEFAULT_INSTANCE, Registry
from redis_guard.runtime.observing.clients import ASYNC, OBSERVER, PIPELINES, SYNC, observed
from redis_guard.runtime.observing.observer import Observer
from redis_guard.runtime.telemetry.protocol import Telemetry

__all__ = ["observe"]

ClientT = TypeVar("ClientT")


def observe(
    client: ClientT, registry: Registry, telemetry: Telemetry, *, instance: str = DEFAULT_INSTANCE
) -> ClientT:
    """`client`, with the operations of the registered use cases told to `telemetry`.

    Takes `Redis` and `RedisCluster` of redis-py, sync or asyncio, and classes below them. What comes back is an
    instance of the client's class and shares connections and state with it; `client` itself goes on unobserved.
    Replies, exceptions and what is sent stay as they are. `instance` is the registry's name for the Redis that the
    client talks to.

    Raises `TypeError` for what is no such client, and `ValueError` for one that is observed already in another way.
    """
    if not isinstance(client, ASYNC + SYNC) or isinstance(client, PIPELINES):
        raise TypeError(f"observe() takes a client of redis-py, not a {type(client).__name__}")
    present = getattr(client, OBSERVER, None)
    if isinstance(present, Observer):
        if present.subject == (registry, telemetry, instance):
            return client
        raise ValueError(
            "this client is observed already; to tell several sinks, give observe() several(...)"
        )
    return observed(client, Observer(registry, telemetry, instance))
