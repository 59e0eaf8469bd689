"""What the registry declares of a key whose lifetime is in question."""

from pathlib import Path

import pytest

from redis_guard.registry import load_registry
from redis_guard.rules.rg403_ttl_none import check as none
from redis_guard.rules.rg405_ttl_nonpositive import check as nonpositive
from tests.project.seen import module

REGISTRY = """
version: 1
owners: {web: {contact: web@example.org}}
keyspaces:
  "session:{id}": {class: cache, owner: web, ttl: required, description: Sessions}
  "board:{game}": {class: durable, owner: web, ttl: none, reason: Rebuilt each night, description: Boards}
"""


@pytest.fixture
def registry(tmp_path: Path):
    path = tmp_path / "redis_guard.yaml"
    path.write_text(REGISTRY)
    return load_registry([path])


def test_a_key_that_may_stay_may_have_none_for_its_lifetime(registry) -> None:
    assert not list(none(module("def f(n): r.set(f'board:{n}', 1, ex=None)"), registry))
    assert list(none(module("def f(n): r.set(f'session:{n}', 1, ex=None)"), registry))


def test_none_where_it_raises_is_reported_for_any_key(registry) -> None:
    assert list(none(module("def f(n): r.expire(f'board:{n}', None)"), registry))


def test_a_declared_key_is_named_with_its_keyspace(registry) -> None:
    (report,) = nonpositive(module("def f(n): r.expire(f'session:{n}', 0)"), registry)
    assert "session:{n} (keyspace session:{id} of the registry)" in report.message
