"""Which use cases are used by code that goes round the runtime: those whose keys it works on, and in doubt all."""

from pathlib import Path

import pytest

from redis_guard.behaviour.usage import usage
from redis_guard.registry import Registry, load_registry

KEYS = {
    "lock": "lock:{id}",
    "claim": "claim:{id}",
    "counter": "app:hits:{id}",
    "tagged": "{{tag}}:{id}",
}


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    about = "owner: web, ttl: 30s, failure: closed, description: One two three"
    cases = "".join(
        f'  {name}: {{primitive: counter, {about}, key: "{key}"}}\n' for name, key in KEYS.items()
    )
    signal = "  signal: {primitive: signal, owner: web, failure: closed, description: One two three, channel: news}\n"
    path = tmp_path / "redis_guard.yaml"
    path.write_text(f"version: 1\nowners: {{web: {{contact: x}}}}\nuse_cases:\n{cases}{signal}")
    return load_registry([path])


def used(registry: Registry, project_uses, body: str) -> set[str]:
    seen = usage(project_uses(body), registry)
    return {case.name for case in registry.use_cases.values() if seen.may_use(case)}


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("def f(n):\n    r.lock(f'lock:{n}')\n", "lock"),
        ("def f(n):\n    r.delete('lock:%s' % n)\n", "lock"),
        ("def f(n):\n    r['claim:' + n] = 1\n", "claim"),
        ("def f(n):\n    return 'claim:{}'.format(n) in r\n", "claim"),
        (
            "def f(n):\n    with r.pipeline() as p:\n        p.incr(f'app:hits:{n}')\n        p.execute()\n",
            "counter",
        ),
        ("r.incr('app:hits:7')\n", "counter"),
        ("def f(name):\n    r.incr(f'app:{name}')\n", "counter"),
        ("def f(n):\n    r.incr(f'{{tag}}:{n}')\n", "tagged"),
        ("add = r.register_script('return 1')\ndef f(n):\n    add(keys=[f'lock:{n}'])\n", "lock"),
        ("def f(ns):\n    return r.mget([f'claim:{n}' for n in ns])\n", "claim"),
        ("def count(name):\n    r.incr(f'app:{name}')\ndef f(n):\n    count(f'hits:{n}')\n", "counter"),
        ("r.publish('news', 'x')\n", "signal"),
        ("r.pubsub().subscribe('news')\n", "signal"),
        ("r.pubsub().subscribe(news=print)\n", "signal"),
        ("r.pubsub().psubscribe('ne*')\n", "signal"),
    ],
)
def test_a_direct_call_on_its_key_uses_an_entry(registry, project_uses, body, name):
    assert used(registry, project_uses, body) == {name}


@pytest.mark.parametrize(
    "body",
    [
        "def f(key):\n    r.get(key)\n",
        "def f(keys):\n    r.delete(*keys)\n",
        "def f(command):\n    r.execute_command(command)\n",
    ],
)
def test_where_keys_are_not_seen_every_entry_with_a_key_may_be_used(registry, project_uses, body):
    assert used(registry, project_uses, body) == {*KEYS, "signal"}


@pytest.mark.parametrize(
    "body",
    [
        "r.incr('other')\n",
        "r.info()\n",
        "r.execute_command('PING')\n",
        "def f(n):\n    r.execute_command('INCR', f'other:{n}')\n",
        "def f(n):\n    r.get(f'lock2:{n}')\n",
    ],
)
def test_other_calls_use_nothing(registry, project_uses, body):
    assert used(registry, project_uses, body) == set()
