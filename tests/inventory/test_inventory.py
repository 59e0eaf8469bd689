"""The inventory and its renderings."""

import io
import json

import pytest

from redis_guard.facts.build import module_facts
from redis_guard.inventory import inventory
from redis_guard.project.link import Settings, link
from redis_guard.project.names import ModuleNames
from redis_guard.report import inventory_json, inventory_text
from redis_guard.report.inventory_model import Inventory

LIMITS = """import redis


class Limits:
    def __init__(self):
        self.redis = redis.Redis()

    def hit(self, id):
        count = self.redis.incr(f"login:{id}")
        self.redis.expire(f"login:{id}", 60)
        return count

    def kept(self, id):
        fetch = self.redis.get
        if id in self.redis:
            return self.redis[id], fetch(id)
        with self.redis.pipeline() as pipe:
            pipe.set(id, 1, px=1500)
            pipe.execute()
        lock = self.redis.lock("job:night", timeout=30)
        lock.release()
        script = self.redis.register_script("return 1")
        script()
        pubsub = self.redis.pubsub()
        pubsub.subscribe("flags")
        self.redis.json().get(id)
        return None
"""


@pytest.fixture(scope="module")
def found() -> Inventory:
    return inventory(
        link([module_facts("app/limits.py", LIMITS)], ModuleNames(["app/limits.py"]), Settings()).project
    )


def test_a_call_is_listed_with_all_that_is_known(found):
    document = json.loads(inventory_json.to_json(found))

    assert document["version"] == 1
    assert document["calls"][0] == {
        "path": "app/limits.py",
        "line": 9,
        "column": 17,
        "method": "incr",
        "command": "INCRBY",
        "form": "call",
        "receiver": "self.redis",
        "type": "redis.client.Redis",
        "asynchronous": False,
        "confidence": "certain",
        "how": document["calls"][0]["how"],
        "key": "login:{id}",
        "writes": True,
        "ttl": None,
        "behaviour": "counter-like",
        "function": "Limits.hit",
        "owner": "app",
        "faults": [],
    }
    assert document["calls"][0]["how"]


def test_a_group_is_listed_with_counts_and_a_proposal(found):
    groups = {group["key"]: group for group in json.loads(inventory_json.to_json(found))["groups"]}

    assert {name: groups["login:{id}"][name] for name in ("behaviour", "calls", "files", "lifetimes")} == {
        "behaviour": "counter-like",
        "calls": 2,
        "files": 1,
        "lifetimes": ["60s"],
    }
    assert groups["login:{id}"]["proposal"]["use_cases"]["login"]["ttl"] == "1m"
    assert groups["{id}"]["proposal"] is None


def test_every_use_of_every_kind_of_object_is_listed(found):
    methods = {(call.method, call.form) for call in found.calls}

    assert methods >= {
        ("incr", "call"), ("get", "bound"), ("__contains__", "contains"), ("__getitem__", "subscript"),
        ("pipeline", "call"), ("set", "call"), ("execute", "call"), ("lock", "call"), ("release", "call"),
        ("register_script", "call"), ("__call__", "call"), ("pubsub", "call"), ("subscribe", "call"),
        ("json", "call"), ("get", "call"),
    }  # fmt: skip


def test_calls_come_in_the_order_of_the_source(found):
    places = [(call.path, call.line, call.column) for call in found.calls]

    assert places == sorted(places)


def test_a_lifetime_is_a_short_text(found):
    assert [call.ttl for call in found.calls if call.method in ("expire", "set", "lock")] == [
        "60s",
        "1500ms",
        "30s",
    ]


def test_the_text_names_groups_calls_and_sums(found):
    out = io.StringIO()
    inventory_text.render(found, out)
    text = out.getvalue()

    assert "counter-like\n  login:{id}: 2 calls in app/limits.py, lifetimes 60s, owner app\n" in text
    assert "  9:17: self.redis.incr login:{id}, counter-like\n" in text
    assert text.endswith(
        f"{len(found.calls)} calls in 1 file, {len(found.groups)} groups of keys.\n"
        "Behaviours: lock-like 2, counter-like 1, signal-like 2, cache-like 1, script 1, unknown 1.\n"
        "Owners: app 8.\n"
        "Faults: none but that the calls are direct.\n"
    )


def test_the_text_of_the_shop_names_faults_and_what_they_are_called(shop):
    out = io.StringIO()
    inventory_text.render(shop, out)
    text = out.getvalue()

    assert (
        "  login:{account}:attempts: 2 calls in shop/limits.py, lifetimes 600s, faults RG202, owner shop\n"
        in text
    )
    assert (
        "presence:{visitor}: 5 calls in shop/web/presence.py, lifetimes 30s, 500ms, faults RG405 RG801x2"
        in text
    )
    assert "counter-like, RG202\n" in text
    assert ", RG202 incr-then-expire 1, " in text.splitlines()[-1]


def test_a_project_without_redis_says_so():
    out = io.StringIO()
    inventory_text.render(Inventory((), ()), out)

    assert out.getvalue() == "No use of Redis found.\n"
