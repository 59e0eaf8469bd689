"""One coordination in memory and one on a real server, under the same tests."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from redis_guard.registry import Registry
from redis_guard.testing import FailableCoordination, InMemoryCoordination, Server
from tests.runtime.worlds import registry

Make = Callable[[], FailableCoordination]


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


@pytest.fixture
def memory(rules: Registry) -> Iterator[InMemoryCoordination]:
    with InMemoryCoordination(rules) as coordination:
        yield coordination


@pytest.fixture(params=["memory", "server"])
def make(request: pytest.FixtureRequest, rules: Registry) -> Iterator[Make]:
    """Each call makes another one on the same data, as another process has it."""
    with ExitStack() as stack:
        if request.param == "memory":
            first = stack.enter_context(InMemoryCoordination(rules))
            yield lambda: stack.enter_context(first.another())
        else:
            server = request.getfixturevalue("own_server")
            server.flush()
            yield lambda: stack.enter_context(FailableCoordination(rules, url=server.url))
