"""Coordinations in memory and on a real server, of threads and of asyncio, under the same tests."""

from collections.abc import Callable, Iterator

import pytest

from redis_guard.registry import Registry
from redis_guard.testing import Server
from tests.runtime.worlds import registry
from tests.testing.kinds import KINDS, Kinds, Subject

Make = Callable[[], Subject]


@pytest.fixture
def rules() -> Registry:
    """A use case of each primitive and policy."""
    return registry(
        job_lock={"primitive": "lock", "ttl": "10s", "fencing": True, "wait": "10s"},
        open_lock={"primitive": "lock", "failure": "open"},
        renewed_lock={"primitive": "lock", "ttl": "10s", "renew": True, "max_hold": "60s"},
        batch_claim={"primitive": "claim"},
        open_claim={"primitive": "claim", "failure": "open"},
        hits={"primitive": "counter", "limit": 2},
        soft_hits={"primitive": "counter", "failure": {"fallback": 7}},
        changed={"primitive": "signal"},
        group_changed={"primitive": "signal", "failure": "closed", "channel": "changes:{group}"},
        raw_lock={"primitive": "lock", "key": "jobs:{id}:{{x}}"},
    )


@pytest.fixture(scope="session")
def own_server() -> Iterator[Server]:
    with Server() as server:
        yield server


@pytest.fixture(params=["sync", "aio"])
def kinds(request: pytest.FixtureRequest) -> Iterator[Kinds]:
    """What makes coordinations of one world, and closes them at the end of the test."""
    with KINDS[request.param]() as kinds:
        yield kinds


@pytest.fixture
def memory(kinds: Kinds, rules: Registry) -> Subject:
    return kinds.in_memory(rules)


@pytest.fixture(params=["memory", "server"])
def make(request: pytest.FixtureRequest, kinds: Kinds, rules: Registry) -> Make:
    """Each call makes another one on the same data, as another process has it."""
    if request.param == "memory":
        return kinds.in_memory(rules).another
    server = request.getfixturevalue("own_server")
    server.flush()
    return lambda: kinds.on_server(rules, server.url)
