"""The inventory as a first registry: it loads, whatever the code is like, and every guess is marked."""

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from redis_guard.registry import Registry, load_registry
from redis_guard.report import inventory_yaml
from redis_guard.report.inventory_model import Inventory

MEETING = """import redis

r = redis.Redis()


def work(a, b):
    r.set(f"job:{a}", 1, nx=True, ex=9)
    r.delete(f"job:{a}")
    r.set("job:night", 1)
    r.set(f"page:{a}:{b}", 1, ex=60)
    r.set(f"page:{a}:index", 1, ex=60)
    r.set(f"page:{a}:index", 1, ex=60)
    r.publish(f"news:{a}", "x")
    r.publish("news:all", "x")
    r.incr("no")
    r.incr("on:off")
    r.incr("9lives")
"""
TESTED = """from app.work import r


def test_it():
    r.set("fixture:seven", 1)
"""


def loaded(inventory: Inventory, folder: Path) -> tuple[str, Registry]:
    text = inventory_yaml.to_yaml(inventory)
    path = folder / "redis_guard.yaml"
    path.write_text(text, encoding="utf-8")
    return text, load_registry([path])


def test_the_shop_gets_a_registry_that_loads(shop: Inventory, tmp_path: Path) -> None:
    _, registry = loaded(shop, tmp_path)

    assert {case.name: case.primitive for case in registry.use_cases.values()} == {
        "lock_invoices": "lock",
        "order_refund": "lock",
        "order_settle": "lock",
        "webhook": "claim",
        "coupon_used": "claim",
        "login_attempts": "counter",
        "rate_api": "counter",
        "rate_search": "counter",
        "views": "counter",
        "shop_stock_changed": "signal",
    }
    assert {space.name: space.key_class for space in registry.keyspaces}["cart:{cart_id}"] == "cache"
    assert {space.name: space.key_class for space in registry.keyspaces}["stock:{warehouse}"] == "durable"
    assert {case.failure for case in registry.use_cases.values()} == {"closed"}
    assert registry.use_cases["login_attempts"].ttl_ms == 600_000
    assert registry.use_cases["views"].ttl_ms == 900_000
    assert set(registry.owners) == {"unowned"}


def test_every_guess_is_marked(shop: Inventory, tmp_path: Path) -> None:
    text, _ = loaded(shop, tmp_path)
    lines = text.splitlines()
    first = lines.index("  login_attempts:")

    assert lines[first + 1 : first + 7] == [
        "    primitive: counter  # review",
        "    owner: unowned  # review",
        "    ttl: 10m",
        "    failure: closed  # review",
        '    description: "Found in RateLimits.login_failed of shop/limits.py"  # review',
        '    key: "login:{account}:attempts"',
    ]
    views = lines.index("  views:")
    assert "    ttl: 15m  # review" in lines[views : views + 7]


def test_of_keys_that_can_meet_the_one_that_covers_the_other_is_proposed(
    taken: Callable[..., Inventory], tmp_path: Path
) -> None:
    _, registry = loaded(taken({"app/work.py": MEETING}), tmp_path)
    keys = {entry.key.text for entry in registry.entries}

    assert {"job:{a}", "page:{a}:{b}", "news:{a}"} <= keys
    assert keys.isdisjoint({"job:night", "page:{a}:index", "news:all"})


def test_names_are_valid_and_none_is_a_truth_value(taken: Callable[..., Inventory], tmp_path: Path) -> None:
    text, registry = loaded(taken({"app/work.py": MEETING, "CODEOWNERS": "* @org/On\n"}), tmp_path)

    assert {case.name for case in registry.use_cases.values()} >= {"on_off", "key_9lives"}
    assert set(registry.owners) == {"on"}
    assert yaml.safe_load(text)["owners"] == {"on": {"contact": "@org/On"}}


def test_hostile_names_load_too(hostile: Inventory, tmp_path: Path) -> None:
    _, registry = loaded(hostile, tmp_path)
    keys = {entry.key.text for entry in registry.entries}

    assert "emoji \U0001f600:{id}" in keys
    assert "{{tag}}:{id}" in keys
    # The registry has no place for keys that nobody could read: a control character, half of a surrogate pair.
    assert len(keys) == 8


def test_two_teams_of_one_name_are_two_owners(taken: Callable[..., Inventory], tmp_path: Path) -> None:
    files = {
        "a/work.py": "import redis\n\nr = redis.Redis()\nr.incr('first:count')\n",
        "b/work.py": "import redis\n\nr = redis.Redis()\nr.incr('second:count')\n",
        "CODEOWNERS": "a/ @one/core\nb/ @two/core\n",
    }
    _, registry = loaded(taken(files), tmp_path)

    assert {owner.name: owner.contact for owner in registry.owners.values()} == {
        "core": "@one/core",
        "core_2": "@two/core",
    }


def test_what_only_tests_use_is_not_proposed(taken: Callable[..., Inventory], tmp_path: Path) -> None:
    _, registry = loaded(taken({"app/work.py": MEETING, "tests/test_work.py": TESTED}), tmp_path)

    assert not [entry for entry in registry.entries if entry.key.text.startswith("fixture")]


def test_without_calls_it_is_an_empty_registry_with_examples_in_comments(tmp_path: Path) -> None:
    text, registry = loaded(Inventory((), ()), tmp_path)

    assert registry.entries == ()
    example = "\n".join(
        line.removeprefix("#").removeprefix(" ") for line in text.split("\n\n")[1].splitlines()
    )
    (tmp_path / "example.yaml").write_text(f"version: 1\n{example}\n")
    assert len(load_registry([tmp_path / "example.yaml"]).entries) == 2


@pytest.mark.parametrize(
    "text",
    [
        "on",
        "null",
        "~",
        "1",
        "1e3",
        "0x1f",
        "12:30:45",
        "2024-01-01",
        "a: b",
        "# a",
        "-",
        "",
        " a",
        "'",
        '"',
        "\\",
        "é",
        "\x00\x7f\x85\u2028",
        "\udcff",
    ],
)
def test_every_text_is_read_back(text: str) -> None:
    assert yaml.safe_load(inventory_yaml.scalar(text)) == text
