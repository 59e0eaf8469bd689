"""For the tests of those who use redis-guard: a real server of their own, and coordination without one.

Law of this package: the runtime never imports it, and what it starts ends with the process that started it.
"""

from redis_guard.testing.binary import ServerUnavailable, valkey_binary
from redis_guard.testing.server import Server, ServerFailed

__all__ = ["Server", "ServerFailed", "ServerUnavailable", "valkey_binary"]
