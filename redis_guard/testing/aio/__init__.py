"""Coordination for tests of asyncio code: on a real server or in memory, failing when it is told to.

The server, and what both worlds share, is in `redis_guard.testing`.
"""

from redis_guard.testing.aio.coordination import FailableCoordination, InMemoryCoordination

__all__ = ["FailableCoordination", "InMemoryCoordination"]
