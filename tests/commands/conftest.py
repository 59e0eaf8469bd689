"""A running server for the tests that try the table's facts."""

from collections.abc import Iterator

import pytest
import redis

from tests.generate.server import server


@pytest.fixture(scope="session")
def raw() -> Iterator[redis.Redis]:
    """A client that answers as the server does."""
    with server() as client:
        yield client


@pytest.fixture(scope="session")
def _client(raw: redis.Redis) -> Iterator[redis.Redis]:
    with redis.Redis(**raw.connection_pool.connection_kwargs | {"protocol": 3}) as client:
        yield client


@pytest.fixture
def client(_client: redis.Redis) -> redis.Redis:
    """An ordinary client of an empty server."""
    _client.flushall()
    return _client
