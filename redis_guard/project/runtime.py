"""What the checker knows of `redis_guard.runtime`: its objects and methods, by the names under which users have them.

Law of this file: data only, and nothing here imports the runtime; a test resolves every name.
"""

from redis_guard.project.values import RedisObject

PACKAGE = "redis_guard"

COORDINATION = "coordination"
"""The kind of a coordination object. It has no commands: a call on it is no direct call."""

_NAMES = (
    "redis_guard.runtime.Coordination",
    "redis_guard.testing.FailableCoordination",
    "redis_guard.testing.InMemoryCoordination",
)
_ASYNC_NAMES = (
    "redis_guard.runtime.aio.Coordination",
    "redis_guard.testing.aio.FailableCoordination",
    "redis_guard.testing.aio.InMemoryCoordination",
)

CLASSES = {name: RedisObject(COORDINATION, name in _ASYNC_NAMES, name) for name in (*_NAMES, *_ASYNC_NAMES)}

CONFIGURED = CLASSES["redis_guard.runtime.Coordination"]
"""What a name is that the configuration calls the coordination."""

FACTORIES = frozenset({"from_file", "from_files", "from_package"})
"""Class methods that build one."""

STARTERS = frozenset({"start"})
"""Methods that give the object itself back; in asyncio, once awaited."""

PRIMITIVES = ("lock", "claim", "counter", "signal")
"""The methods that take a use case, each named as what the use case must be registered as."""

AWAITED = {
    COORDINATION: frozenset({"claim", "adopt", "start", "aclose"}),
    "lock": frozenset({"try_acquire"}),
    "lease": frozenset({"release"}),
    "counter": frozenset({"increment", "value", "reset"}),
    "signal": frozenset({"send"}),
}
"""Of asyncio's coordination, and of what its methods give, the methods that are coroutines."""

LEASES = frozenset({"try_acquire", "adopt"})
"""Methods that give a lease, once awaited; so does entering a lock."""

NAME = "name"
"""The first parameter of each: the name of the use case."""

OBSERVERS = frozenset({"redis_guard.runtime.observe", "redis_guard.runtime.observing.observe"})
"""Functions that give back the client they are given, which then counts what it does."""
OBSERVED = "client"
"""Their first parameter."""


def has_method(thing: RedisObject, name: str) -> bool:
    """Whether it is a coordination object, and the method is one that matters here."""
    return thing.kind == COORDINATION and (name in PRIMITIVES or name in STARTERS)


def takes_use_case(thing: object, method: str) -> bool:
    """Whether calling `thing.method` names a use case."""
    return isinstance(thing, RedisObject) and thing.kind == COORDINATION and method in PRIMITIVES
