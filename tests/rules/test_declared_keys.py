"""What the registry declares is not missing a lifetime."""

from pathlib import Path

import pytest

from redis_guard.facts.build import module_facts
from redis_guard.project.link import Settings, link
from redis_guard.project.names import ModuleNames
from redis_guard.registry import load_registry
from redis_guard.rules.rg401_missing_ttl import check

REGISTRY = """
version: 1
owners: {web: {contact: web@example.org}}
use_cases:
  logins: {primitive: counter, owner: web, ttl: 10m, failure: closed, key: "login:{id}",
    description: Failed logins per account}
keyspaces:
  "session:{id}": {class: cache, owner: web, ttl: required, description: Sessions}
  "board:{game}": {class: durable, owner: web, ttl: none, reason: Rebuilt each night, description: Boards}
"""


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("board:{game}", None),
        ("login:{user}", None),
        (
            "session:{user}",
            "session:{user} (keyspace session:{id} of the registry) is written without a lifetime",
        ),
        ("stray:{user}", "stray:{user} is written without a lifetime"),
    ],
)
def test_a_declared_key_may_stay_and_another_is_named(tmp_path: Path, key: str, said: str | None) -> None:
    path = tmp_path / "redis_guard.yaml"
    path.write_text(REGISTRY)
    text = f"import redis\nr = redis.Redis()\ndef f(game, user):\n    r.hset(f'{key}', 'a', 1)\n"
    project = link([module_facts("app.py", text)], ModuleNames(["app.py"]), Settings()).project
    messages = [report.message for report in check(project, load_registry([path]))]
    assert [message.partition(",")[0] for message in messages] == ([] if said is None else [said])
