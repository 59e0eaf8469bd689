"""From an inferred object to its row in the command table.

Law of this file: the only bridge between inference and `redis_guard.commands`.
"""

from typing import cast, get_args

from redis_guard import commands
from redis_guard.commands import Kind, Method
from redis_guard.project.values import RedisObject

_KINDS = frozenset(get_args(Kind))


def kind_of(thing: RedisObject) -> Kind | None:
    """The table's kind of a Redis object; None for pools and other things without commands."""
    name = thing.kind
    if thing.cluster and name == "client":
        name = "cluster"
    elif thing.cluster and name == "pipeline":
        name = "cluster-pipeline"
    if thing.asynchronous and f"async-{name}" in _KINDS:
        name = f"async-{name}"
    return cast(Kind, name) if name in _KINDS else None


def method(thing: RedisObject, name: str) -> Method | None:
    """What is known of `thing.name`."""
    kind = kind_of(thing)
    return None if kind is None else commands.lookup(kind, name)


def has_method(thing: RedisObject, name: str) -> bool:
    """Whether that very object has the method: `aclose` of asyncio's clients."""
    kind = kind_of(thing)
    return kind is not None and commands.is_method(kind, name)


def is_method(kind: str, name: str) -> bool:
    """Whether a blocking object of that kind has the method; kinds without commands have none."""
    return kind in _KINDS and commands.is_method(cast(Kind, kind), name)
