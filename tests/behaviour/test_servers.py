"""Whether two calls may speak to two servers."""

import pytest

from redis_guard.behaviour.servers import Servers
from redis_guard.project.model import ProjectUses
from tests.project.seen import module


@pytest.mark.parametrize(
    ("clients", "differ"),
    [
        ("a = redis.Redis(db=1)\nb = redis.Redis(db=2)", True),
        ("a = redis.Redis(host='x')\nb = redis.Redis(host='y')", True),
        ("a = redis.Redis.from_url('redis://x/1')\nb = redis.Redis.from_url('redis://x/2')", True),
        ("a = redis.Redis(db=1)\nb = redis.Redis(db=1)", False),
        ("a = redis.Redis('x', 1)\nb = redis.Redis('x', 2)", True),
    ],
)
def test_clients_that_are_told_different_places_differ(clients: str, differ: bool) -> None:
    found = module(f"{clients}\ndef f(): a.get('x')\ndef g(): b.get('x')")
    first, second = (call for call in found.calls if call.method == "get")
    assert Servers(ProjectUses((found,))).differ(first, second) is differ


def test_attributes_are_known_by_name() -> None:
    found = module("""
    class A:
        def __init__(self, redis_client: redis.Redis, sessions: redis.Redis):
            self.client = redis_client
            self.sessions = sessions
        def f(self): self.client.get("x")
        def g(self): self.sessions.get("x")

    class B:
        def __init__(self, client: redis.Redis):
            self._redis = client
        def h(self): self._redis.get("x")
    """)
    ours, sessions, theirs = (call for call in found.calls if call.method == "get")
    servers = Servers(ProjectUses((found,)))
    assert not servers.differ(ours, theirs)
    assert servers.differ(ours, sessions)
