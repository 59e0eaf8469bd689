"""A running server for the tests that try the table's facts."""

from collections.abc import Collection, Iterator

import pytest
import redis

from tests.generate.server import commands, server


@pytest.fixture(scope="session")
def raw() -> Iterator[redis.Redis]:
    """A client that answers as the server does."""
    with server() as client:
        yield client


@pytest.fixture(scope="session")
def served(raw: redis.Redis) -> Collection[str]:
    """The names of all commands the server has."""
    return commands(raw).keys()


@pytest.fixture(scope="session")
def _client(raw: redis.Redis) -> Iterator[redis.Redis]:
    with redis.Redis(unix_socket_path=raw.connection_pool.connection_kwargs["path"]) as client:
        yield client


@pytest.fixture
def client(_client: redis.Redis) -> redis.Redis:
    """An ordinary client of an empty server."""
    _client.flushall()  # redis-guard: allow[RG702] the server was started for these tests alone
    return _client
