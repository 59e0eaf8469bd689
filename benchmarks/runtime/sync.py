"""The operations that are compared, for threads.

Law of this file: both sides do the same work on the same server, with a token of 16 random bytes each time.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import redis

from benchmarks.runtime.scripts import COUNT, RELEASE
from redis_guard.runtime import Coordination
from redis_guard.runtime.telemetry.prometheus import PrometheusTelemetry

REGISTRY = Path(__file__).with_name("registry.yaml")
Operation = Callable[[], object]


@contextmanager
def operations(url: str) -> Iterator[dict[str, Operation]]:
    """The operations by name, connected and warm."""
    client = redis.Redis.from_url(url)
    release, add = client.script_load(RELEASE), client.script_load(COUNT)
    numbers = count()

    def bare_lock() -> None:
        token = os.urandom(16).hex()
        client.set("bench:bare:1", token, nx=True, px=30_000)
        client.evalsha(release, 1, "bench:bare:1", token)

    def redis_py_lock() -> None:
        with client.lock("bench:redis-py:1", timeout=30):
            pass

    def bare_claim() -> None:
        client.set(f"bench:bare-claim:{next(numbers)}", os.urandom(16).hex(), nx=True, ex=900)

    with Coordination.from_file(REGISTRY, url=url, telemetry=PrometheusTelemetry()) as coordination:
        coordination.start()

        def lock() -> None:
            with coordination.lock("plain", 1):
                pass

        def fenced() -> None:
            with coordination.lock("fenced", 1):
                pass

        yield {
            "bare_lock": bare_lock,
            "redis_py_lock": redis_py_lock,
            "bare_claim": bare_claim,
            "bare_counter": lambda: client.evalsha(add, 1, "bench:bare-counter", 1, 600_000),
            "lock": lock,
            "fenced": fenced,
            "claim": lambda: coordination.claim("once", next(numbers)),
            "counter": lambda: coordination.counter("hits", 1).increment(),
        }
    client.close()
