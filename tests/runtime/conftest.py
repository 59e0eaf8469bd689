"""A real server, empty at the start of every test, and others as a test needs them.

`REDIS_GUARD_SERVER` names another executable than the Valkey of the wheel; `make test-servers` runs whatever uses one
of these fixtures (marker `servers`) against several.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import redis

from redis_guard.testing import Server
from tests.runtime.cluster import Cluster
from tests.runtime.proxy import Proxy
from tests.runtime.sentinels import Sentinels
from tests.runtime.worlds import WORLDS, World


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        # Whatever starts a server is told which.
        if "binary" in getattr(item, "fixturenames", ()):
            item.add_marker("servers")


@pytest.fixture(scope="session")
def binary() -> Path | None:
    named = os.environ.get("REDIS_GUARD_SERVER")
    return Path(named) if named else None


@pytest.fixture(scope="session")
def session_server(binary: Path | None) -> Iterator[Server]:
    with Server(binary) as server:
        yield server


@pytest.fixture(scope="session")
def session_client(session_server: Server) -> Iterator[redis.Redis]:
    with session_server.connect() as client:
        yield client


@pytest.fixture
def server(session_server: Server, session_client: redis.Redis) -> Server:
    """Shared and empty; a test that pauses, kills or configures one takes `start_server`."""
    session_client.flushall()
    session_client.script_flush()
    return session_server


@pytest.fixture
def client(server: Server) -> Iterator[redis.Redis]:
    """A client of `server`, that a test may spoil."""
    with server.connect() as client:
        yield client


@pytest.fixture
def start_server(binary: Path | None) -> Iterator[Callable[..., Server]]:
    """`Server(…)` started with the options given, for this test alone."""
    with ExitStack() as stack:
        yield lambda **options: stack.enter_context(Server(binary, **options))


@pytest.fixture(scope="session")
def session_cluster(binary: Path | None) -> Iterator[Cluster]:
    with Cluster(binary) as cluster:
        yield cluster


@pytest.fixture
def cluster(session_cluster: Cluster) -> Cluster:
    """Three masters, shared and empty; a test may move slots, and takes its own `Cluster(binary)` to kill a node."""
    session_cluster.flush()
    return session_cluster


@pytest.fixture
def start_sentinels(binary: Path | None) -> Iterator[Callable[..., Sentinels]]:
    """`Sentinels(…)` started with the options given: master, replica, sentinels, for this test alone."""
    with ExitStack() as stack:
        yield lambda **options: stack.enter_context(Sentinels(binary, **options))


@pytest.fixture
def proxy(server: Server) -> Iterator[Proxy]:
    """Between the test and `server`."""
    with Proxy(server.host, server.port) as proxy:
        yield proxy


@pytest.fixture(params=list(WORLDS))
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    """Threads, then asyncio: `world.coordination(registry, url=server.url)`."""
    with WORLDS[request.param]() as world:
        yield world
