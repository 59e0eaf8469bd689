"""A lock handed to a waiter in another process, and through a crowd of waiters in this one.

Law of this file: both ends read one clock, that of the machine.
"""

import multiprocessing
import statistics
import threading
import time
from dataclasses import dataclass
from multiprocessing.queues import Queue

import redis

from benchmarks.runtime.sync import REGISTRY
from redis_guard.runtime import Coordination

HANDOFFS = 25
CROWD = 16
SETTLED = 0.15
"""Seconds after which the waiter is certainly waiting."""


@dataclass(frozen=True, slots=True)
class Handoff:
    """Milliseconds from "given back" to "taken"."""

    median: float
    p90: float

    @classmethod
    def of(cls, seconds: list[float]) -> "Handoff":
        """Of all hand-offs of a run."""
        return cls(statistics.median(seconds) * 1000, statistics.quantiles(seconds, n=10)[-1] * 1000)


def between_processes(url: str, *, ours: bool) -> Handoff:
    """The runtime's lock, or redis-py's with its defaults."""
    context = multiprocessing.get_context("spawn")
    taken: Queue[float] = context.Queue()
    turn = context.Semaphore(0)
    waiter = context.Process(target=_wait_ours if ours else _wait_theirs, args=(url, taken, turn))
    waiter.start()
    seconds: list[float] = []
    coordination, client = Coordination.from_file(REGISTRY, url=url), redis.Redis.from_url(url)
    for _ in range(HANDOFFS):
        lease = (
            coordination.lock("plain", 2, wait=10).try_acquire() if ours else client.lock("bench:handoff", 30)
        )
        # redis-guard: allow[RG306] the lease of a benchmark ends with it
        if lease is None or (not ours and not lease.acquire()):  # type: ignore[union-attr]
            raise RuntimeError("the lock was not free")
        turn.release()
        time.sleep(SETTLED)
        given = time.monotonic()
        lease.release()
        seconds.append(taken.get() - given)
    waiter.join()
    coordination.close()
    client.close()
    return Handoff.of(seconds)


def through_a_crowd(url: str) -> float:
    """Milliseconds a hand-off among `CROWD` waiters of one process."""
    taken: list[float] = []

    def wait() -> None:
        with coordination.lock("plain", 3, wait=30):
            taken.append(time.monotonic())

    with Coordination.from_file(REGISTRY, url=url) as coordination:
        lease = coordination.lock("plain", 3).try_acquire()
        if lease is None:
            raise RuntimeError("the lock was not free")
        waiters = [threading.Thread(target=wait) for _ in range(CROWD)]
        for waiter in waiters:
            waiter.start()
        time.sleep(2 * SETTLED)
        given = time.monotonic()
        lease.release()
        for waiter in waiters:
            waiter.join()
    return (max(taken) - given) / CROWD * 1000


def _wait_ours(url: str, taken: "Queue[float]", turn: "threading.Semaphore") -> None:
    with Coordination.from_file(REGISTRY, url=url) as coordination:
        for _ in range(HANDOFFS):
            turn.acquire()
            with coordination.lock("plain", 2, wait=10):
                taken.put(time.monotonic())


def _wait_theirs(url: str, taken: "Queue[float]", turn: "threading.Semaphore") -> None:
    client = redis.Redis.from_url(url)
    for _ in range(HANDOFFS):
        turn.acquire()
        with client.lock("bench:handoff", 30):
            taken.put(time.monotonic())
