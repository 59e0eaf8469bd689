"""The coordinations for tests, of both worlds, called from plain test code."""

from contextlib import ExitStack
from typing import Any, Self

from redis_guard.registry import Registry
from redis_guard.testing import FailableCoordination, Failure, InMemoryCoordination, aio
from tests.runtime.worlds import AioCoordination, Loop

Subject = Any
"""An `AnyCoordination` that can also `fail`, `heal` and, in memory, `advance` and make `another`."""


class Kinds:
    def __init__(self) -> None:
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._stack.close()

    def in_memory(self, registry: Registry) -> Subject:
        raise NotImplementedError

    def on_server(self, registry: Registry, url: str) -> Subject:
        raise NotImplementedError


class SyncKinds(Kinds):
    def in_memory(self, registry: Registry) -> Subject:
        stack = self._stack

        class Closed(InMemoryCoordination):
            """Those that it makes are closed as well."""

            def another(self) -> Any:
                return stack.enter_context(super().another())

        return stack.enter_context(Closed(registry))

    def on_server(self, registry: Registry, url: str) -> Subject:
        return self._stack.enter_context(FailableCoordination(registry, url=url))


class AioKinds(Kinds):
    def __init__(self) -> None:
        super().__init__()
        self._loop = Loop()
        self._stack.callback(self._loop.close)

    def in_memory(self, registry: Registry) -> Subject:
        return self._closed(aio.InMemoryCoordination(registry))

    def on_server(self, registry: Registry, url: str) -> Subject:
        return self._closed(aio.FailableCoordination(registry, url=url))

    def _closed(self, inner: Any) -> Subject:
        made = AioSubject(inner, self._loop, self._closed)
        self._stack.callback(made.close)
        return made


class AioSubject(AioCoordination):
    def __init__(self, inner: Any, loop: Loop, closed: Any) -> None:
        super().__init__(inner, loop)
        self._closed = closed

    def fail(self, error_class: Any, **which: Any) -> Failure:
        return self.inner.fail(error_class, **which)

    def heal(self) -> None:
        self.inner.heal()

    def advance(self, seconds: float) -> None:
        self._loop.run(self.inner.advance(seconds))

    def another(self) -> Subject:
        return self._closed(self.inner.another())


KINDS: dict[str, type[Kinds]] = {"sync": SyncKinds, "aio": AioKinds}
