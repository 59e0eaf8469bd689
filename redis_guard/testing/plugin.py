"""Fixtures for the tests of those who use redis-guard: `pytest_plugins = ["redis_guard.testing.plugin"]`.

Law of this file: nothing is started unless a test asks for it, and every test begins on an empty server.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from redis_guard.config import ConfigError, load_config
from redis_guard.registry import Registry, RegistryError, expand, load_registry
from redis_guard.testing import FailableCoordination, InMemoryCoordination, Server, ServerUnavailable

if TYPE_CHECKING:
    from redis_guard.testing import aio


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini(
        "redis_guard_registry",
        "paths or patterns of the registry's files; by default what [tool.redis-guard] says",
        type="args",
    )


@pytest.fixture(scope="session")
def redis_guard_registry(pytestconfig: pytest.Config) -> Registry:
    """The project's registry; override this fixture for another."""
    root, named = pytestconfig.rootpath, pytestconfig.getini("redis_guard_registry")
    try:
        files = expand(named, root) if named else load_config(root).registry
        if not files:
            raise pytest.UsageError(
                f"no redis_guard.yaml in {root}; name the registry in pytest's redis_guard_registry, "
                "or override the fixture redis_guard_registry"
            )
        return load_registry(files)
    except (ConfigError, RegistryError) as error:
        raise pytest.UsageError(str(error)) from None


@pytest.fixture(scope="session")
def redis_guard_server() -> Iterator[Server]:
    """A Valkey of this test run's own; override this fixture for another binary or configuration."""
    try:
        server = Server()
    except ServerUnavailable as error:
        raise pytest.UsageError(str(error)) from None
    with server:
        yield server


@pytest.fixture
def coordination(
    redis_guard_registry: Registry, redis_guard_server: Server
) -> Iterator[FailableCoordination]:
    """A `Coordination` on the empty server."""
    redis_guard_server.flush()
    with FailableCoordination(redis_guard_registry, url=redis_guard_server.url) as coordination:
        yield coordination


@pytest.fixture
def aio_coordination(
    redis_guard_registry: Registry, redis_guard_server: Server
) -> "Callable[[], aio.FailableCoordination]":
    """Makes the `Coordination` of asyncio on the empty server: `async with aio_coordination() as coordination`.

    It belongs to the event loop of the test, whichever plugin runs that.
    """
    # Loads the asyncio half of redis-py, which other tests need not.
    from redis_guard.testing import aio

    redis_guard_server.flush()
    return lambda: aio.FailableCoordination(redis_guard_registry, url=redis_guard_server.url)


@pytest.fixture
def in_memory_coordination(redis_guard_registry: Registry) -> Iterator[InMemoryCoordination]:
    """A `Coordination` without a server."""
    with InMemoryCoordination(redis_guard_registry) as coordination:
        yield coordination
