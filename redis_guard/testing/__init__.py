"""For the tests of those who use redis-guard: a real server of their own, and coordination without one.

For asyncio, import from `redis_guard.testing.aio`; the fixtures are in the pytest plugin `redis_guard.testing.plugin`.

Law of this package: the runtime never imports it, and what it starts ends with the process that started it.
"""

from redis_guard.testing.binary import ServerUnavailable, valkey_binary
from redis_guard.testing.failures import Failure
from redis_guard.testing.server import Server, ServerFailed
from redis_guard.testing.sync.coordination import FailableCoordination, InMemoryCoordination

__all__ = [
    "FailableCoordination",
    "Failure",
    "InMemoryCoordination",
    "Server",
    "ServerFailed",
    "ServerUnavailable",
    "valkey_binary",
]
