"""One scenario, both worlds: a test that takes the fixture `world` runs with threads and with asyncio.

Everything here is called from plain test code. In the world of asyncio each calling thread has one task on a loop of
its own, so that "the same thread" of a scenario is "the same task" there, and two threads are two tasks.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import ExitStack
from typing import Any, Protocol, Self, TypeVar

import yaml

from redis_guard.registry import Registry
from redis_guard.registry.loader import Source, load_sources
from redis_guard.runtime import Claim, Coordination, Count, Sent, Wake

T = TypeVar("T")

DEFAULTS: dict[str, dict[str, object]] = {
    "lock": {"ttl": "30s", "failure": "closed"},
    "claim": {"ttl": "15m", "failure": "closed"},
    "counter": {"ttl": "10m", "failure": "closed"},
    "signal": {"failure": "open"},
}


def registry(top: dict[str, object] | None = None, **use_cases: dict[str, object]) -> Registry:
    """`registry(job_lock={"primitive": "lock", "ttl": "1s"})`: what is not said has a plain default.

    `top` is merged into the file's top level (`{"deadline": "1s"}`).
    """
    filled = {}
    for name, fields in use_cases.items():
        usual = DEFAULTS[str(fields["primitive"])]
        filled[name] = {"owner": "tests", "description": "For a test", **usual, **fields}
        if filled[name]["failure"] != "closed" or filled[name].get("ttl") == "none":
            filled[name].setdefault("reason", "A test says so")
    file = {"version": 1, "owners": {"tests": {"contact": "#tests"}}, "use_cases": filled, **(top or {})}
    return load_sources([Source("registry.yaml", lambda: yaml.safe_dump(file).encode())])


class AnyLost(Protocol):
    def is_set(self) -> bool: ...
    def wait(self, timeout: float | None = None) -> bool: ...
    def __bool__(self) -> bool: ...


class AnyLease(Protocol):
    token: str
    fence: int | None
    degraded: bool

    @property
    def remaining(self) -> float: ...
    @property
    def lost(self) -> AnyLost: ...
    def check(self) -> None: ...
    def release(self) -> None: ...
    def export(self) -> str: ...
    def __enter__(self) -> "AnyLease": ...
    def __exit__(self, *exception: Any) -> None: ...


class AnyLock(Protocol):
    def try_acquire(self) -> AnyLease | None: ...
    def __enter__(self) -> AnyLease: ...
    def __exit__(self, *exception: Any) -> None: ...


class AnyCounter(Protocol):
    def increment(self, by: int = 1) -> Count: ...
    def value(self) -> int: ...
    def reset(self) -> bool: ...


class AnySignal(Protocol):
    def send(self, marker: str | bytes = b"") -> Sent: ...
    def listen(self) -> Iterator[Wake]: ...


class AnyCoordination(Protocol):
    def claim(self, name: str, *ids: Any, by: Any = None) -> Claim: ...
    def lock(
        self,
        name: str,
        *ids: Any,
        wait: float | None = None,
        on_lost: Callable[[str], object] | None = None,
    ) -> AnyLock: ...
    def adopt(self, text: str, *, on_lost: Callable[[str], object] | None = None) -> AnyLease: ...
    def counter(self, name: str, *ids: Any) -> AnyCounter: ...
    def signal(self, name: str, *ids: Any) -> AnySignal: ...
    def start(self) -> object: ...
    def close(self) -> None: ...


class World:
    """`name` is `sync` or `aio`."""

    name: str

    def __init__(self) -> None:
        self._stack = ExitStack()

    def coordination(self, registry: Registry, client: Any = None, **settings: Any) -> AnyCoordination:
        """As `Coordination(…)` of this world; closed at the end of the test if it is not before."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: Any) -> None:
        self._stack.close()


class SyncWorld(World):
    name = "sync"

    def coordination(self, registry: Registry, client: Any = None, **settings: Any) -> AnyCoordination:
        return self._stack.enter_context(Coordination(registry, client, **settings))


class AioWorld(World):
    name = "aio"

    def __init__(self) -> None:
        super().__init__()
        self._runner = Loop()
        self._stack.callback(self._runner.close)

    def coordination(self, registry: Registry, client: Any = None, **settings: Any) -> AnyCoordination:
        from redis_guard.runtime import aio

        async def make() -> "aio.Coordination":
            return aio.Coordination(registry, client, **settings)

        made = AioCoordination(self._runner.run(make()), self._runner)
        self._stack.callback(made.close)
        return made


WORLDS: dict[str, type[World]] = {world.name: world for world in (SyncWorld, AioWorld)}


class Loop:
    """A loop in a thread; each thread that calls `run` has its coroutines run in one task of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._tasks: list[asyncio.Task[None]] = []
        self._mine = threading.local()
        self._thread = threading.Thread(target=self._loop.run_forever, name="aio-world")
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        queue = getattr(self._mine, "queue", None)
        if queue is None:
            queue = self._mine.queue = asyncio.Queue()
            self._loop.call_soon_threadsafe(
                lambda: self._tasks.append(self._loop.create_task(self._serve(queue)))
            )
        done: Future[T] = Future()
        self._loop.call_soon_threadsafe(queue.put_nowait, (work, done))
        return done.result()

    @staticmethod
    async def _serve(queue: asyncio.Queue[Any]) -> None:
        while True:
            work, done = await queue.get()
            try:
                result = await work
            except asyncio.CancelledError:
                done.cancel()
                raise
            except Exception as error:
                done.set_exception(error)
            else:
                done.set_result(result)
            # A lease that is kept here would never be dropped.
            del work, done
            result = None

    def close(self) -> None:
        """End the callers' tasks; whatever else is still running has been leaked by the code under test."""

        async def end() -> list[str]:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            return [repr(task) for task in asyncio.all_tasks() if task is not asyncio.current_task()]

        leaked = asyncio.run_coroutine_threadsafe(end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()
        assert not leaked, f"tasks are left: {leaked}"


class AioCoordination:
    def __init__(self, inner: Any, loop: Loop) -> None:
        self.inner = inner
        self._loop = loop

    def claim(self, name: str, *ids: Any, by: Any = None) -> Claim:
        return self._loop.run(self.inner.claim(name, *ids, by=by))

    def lock(self, name: str, *ids: Any, **options: Any) -> AnyLock:
        return AioLock(self.inner.lock(name, *ids, **options), self._loop)

    def adopt(self, text: str, **options: Any) -> AnyLease:
        return AioLease(self._loop.run(self.inner.adopt(text, **options)), self._loop)

    def counter(self, name: str, *ids: Any) -> AnyCounter:
        return AioCounter(self.inner.counter(name, *ids), self._loop)

    def signal(self, name: str, *ids: Any) -> AnySignal:
        return AioSignal(self.inner.signal(name, *ids), self._loop)

    def start(self) -> Self:
        self._loop.run(self.inner.start())
        return self

    def close(self) -> None:
        self._loop.run(self.inner.aclose())


class AioLock:
    def __init__(self, inner: Any, loop: Loop) -> None:
        self.inner = inner
        self._loop = loop

    def try_acquire(self) -> AnyLease | None:
        lease = self._loop.run(self.inner.try_acquire())
        return None if lease is None else AioLease(lease, self._loop)

    def __enter__(self) -> AnyLease:
        return AioLease(self._loop.run(self.inner.__aenter__()), self._loop)

    def __exit__(self, *exception: Any) -> None:
        self._loop.run(self.inner.__aexit__(*exception))


class AioLease:
    def __init__(self, inner: Any, loop: Loop) -> None:
        self.inner = inner
        self._loop = loop
        self.token: str = inner.token
        self.fence: int | None = inner.fence
        self.degraded: bool = inner.degraded

    @property
    def remaining(self) -> float:
        remaining: float = self.inner.remaining
        return remaining

    @property
    def lost(self) -> AnyLost:
        async def get() -> Any:
            return self.inner.lost

        return AioLost(self._loop.run(get()), self._loop)

    def check(self) -> None:
        self.inner.check()

    def release(self) -> None:
        self._loop.run(self.inner.release())

    def export(self) -> str:
        async def export() -> str:
            text: str = self.inner.export()
            return text

        return self._loop.run(export())

    def __enter__(self) -> AnyLease:
        self._loop.run(self.inner.__aenter__())
        return self

    def __exit__(self, *exception: Any) -> None:
        self._loop.run(self.inner.__aexit__(*exception))


class AioLost:
    def __init__(self, inner: Any, loop: Loop) -> None:
        self.inner = inner
        self._loop = loop

    def is_set(self) -> bool:
        return bool(self.inner.is_set())

    def wait(self, timeout: float | None = None) -> bool:
        async def wait() -> bool:
            try:
                async with asyncio.timeout(timeout):
                    await self.inner.wait()
            except TimeoutError:
                return False
            return True

        return self._loop.run(wait())

    def __bool__(self) -> bool:
        return bool(self.inner)


class AioCounter:
    def __init__(self, inner: Any, loop: Loop) -> None:
        self.inner = inner
        self._loop = loop

    def increment(self, by: int = 1) -> Count:
        return self._loop.run(self.inner.increment(by))

    def value(self) -> int:
        return self._loop.run(self.inner.value())

    def reset(self) -> bool:
        return self._loop.run(self.inner.reset())


class AioSignal:
    def __init__(self, inner: Any, loop: Loop) -> None:
        self.inner = inner
        self._loop = loop

    def send(self, marker: str | bytes = b"") -> Sent:
        return self._loop.run(self.inner.send(marker))

    def listen(self) -> Iterator[Wake]:
        wakes = self.inner.listen()

        async def following() -> Wake | None:
            return await anext(wakes, None)

        try:
            while (wake := self._loop.run(following())) is not None:
                yield wake
        finally:
            self._loop.run(wakes.aclose())
