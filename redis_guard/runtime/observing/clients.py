"""A client -> the same client, observed.

Law of this file: both are one client with one state, so that closing or initialising the one is known to the other;
the observed one is an instance of a class made for it, below the client's own, that sees commands pass. Nothing of
redis-py is patched.
"""

from collections.abc import Iterator
from types import MemberDescriptorType
from typing import Any, Final, TypeVar

import redis
import redis.asyncio
import redis.cluster

from redis_guard.runtime.observing.calls import One, watch, watch_async
from redis_guard.runtime.observing.deciding import decide
from redis_guard.runtime.observing.observer import Observer
from redis_guard.runtime.observing.pipelines import pipeline_methods

ASYNC: Final = (redis.asyncio.Redis, redis.asyncio.RedisCluster)
SYNC: Final = (redis.Redis, redis.RedisCluster)
# These are instances of the clients too.
PIPELINES: Final = (redis.client.Pipeline, redis.cluster.ClusterPipeline, redis.asyncio.client.Pipeline)

ORIGINAL: Final = "_redis_guard_original"
OBSERVER: Final = "_redis_guard_observer"

ClientT = TypeVar("ClientT")


def observed(client: ClientT, observer: Observer) -> ClientT:
    """The twin of `client` that tells `observer`."""
    cls = type(client)
    made = _made(cls, {**_client_methods(cls, observer), **_shared_slots(cls), "__slots__": (ORIGINAL,)})
    twin: ClientT = object.__new__(made)
    # Kept alive by its twin: it closes its connections when it goes.
    setattr(twin, ORIGINAL, client)
    if hasattr(client, "__dict__"):
        twin.__dict__ = client.__dict__
    return twin


def _client_methods(cls: type[Any], observer: Observer) -> dict[str, object]:
    is_async = issubclass(cls, ASYNC)
    made: dict[type[Any], type[Any]] = {}

    def execute_command(self: Any, *args: Any, **options: Any) -> Any:
        decision = decide(args)
        if decision is None:
            return cls.execute_command(self, *args, **options)
        if is_async:
            return watch_async(One(observer, decision), cls.execute_command(self, *args, **options))
        return watch(One(observer, decision), lambda: cls.execute_command(self, *args, **options))

    def pipeline(self: Any, *args: Any, **options: Any) -> Any:
        pipe = cls.pipeline(self, *args, **options)
        kind = type(pipe)
        if kind not in made:
            made[kind] = _made(kind, {**pipeline_methods(kind, observer, is_async), "__slots__": ()})
        pipe.__class__ = made[kind]
        return pipe

    def finalize(self: Any) -> None:
        # A twin has nothing of its own to close.
        if not hasattr(self, ORIGINAL):
            cls.__del__(self)

    return {OBSERVER: observer, "execute_command": execute_command, "pipeline": pipeline, "__del__": finalize}


def _made(cls: type[Any], namespace: dict[str, object]) -> type[Any]:
    return type(
        f"Observed{cls.__name__}", (cls,), {"__doc__": cls.__doc__, "__module__": __name__, **namespace}
    )


def _shared_slots(cls: type[Any]) -> dict[str, object]:
    """Of a class with slots, such as the asyncio cluster's: attributes that are read and written in the original."""
    return {name: _shared(name, member) for name, member in _slots(cls)}


def _slots(cls: type[Any]) -> Iterator[tuple[str, MemberDescriptorType]]:
    for base in cls.__mro__:
        for name, member in vars(base).items():
            if isinstance(member, MemberDescriptorType):
                yield name, member


def _shared(name: str, member: MemberDescriptorType) -> property:
    def read(self: Any) -> Any:
        return member.__get__(getattr(self, ORIGINAL, self))

    def write(self: Any, value: Any) -> None:
        member.__set__(getattr(self, ORIGINAL, self), value)

    def remove(self: Any) -> None:
        member.__delete__(getattr(self, ORIGINAL, self))

    return property(read, write, remove, name)
