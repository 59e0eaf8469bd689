"""What is said of each group: owner, lifetimes, call sites, and the faults that lie on its calls."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from redis_guard.behaviour.owning import path_prefix
from redis_guard.inventory import take
from redis_guard.report import inventory_json
from redis_guard.report.inventory_model import Inventory, InventoryGroup

LIMITS = """import redis

r = redis.Redis()


def hit(name):
    r.incr(f"login:{name}")
    r.expire(f"login:{name}", 60)


def hold(name):
    r.lock(f"job:{name}")
"""
READER = """from app.limits import r


def seen(name):
    return r.get(f"login:{name}")
"""


def group(inventory: Inventory, key: str) -> InventoryGroup:
    (found,) = [group for group in inventory.groups if group.key == key]
    return found


def test_faults_are_counted_where_they_lie(taken: Callable[..., Inventory]) -> None:
    inventory = taken({"app/limits.py": LIMITS})

    assert group(inventory, "login:{name}").faults == (("RG202", 1),)
    assert group(inventory, "job:{name}").faults == (("RG301", 1),)
    assert [(call.line, call.faults) for call in inventory.calls] == [
        (7, ("RG202",)),
        (8, ()),
        (12, ("RG301",)),
    ]
    assert [rule.name for rule in inventory.rules] == ["incr-then-expire", "lock-without-timeout"]


def test_that_a_call_is_direct_is_no_fault_of_its_own(taken: Callable[..., Inventory]) -> None:
    inventory = taken(
        {"app/reader.py": "import redis\n\n\ndef f(r: redis.Redis):\n    return r.get('a:b')\n"}
    )

    assert inventory.faults == ()
    assert len(inventory.calls) == 1


def test_rules_that_are_off_say_nothing_and_allows_are_not_known(taken: Callable[..., Inventory]) -> None:
    allowed = LIMITS.replace(
        '"login:{name}")\n', '"login:{name}")  # redis-guard: allow[RG2] known for years\n', 1
    )
    allow = '[[tool.redis-guard.allow]]\npaths = ["app"]\nrules = ["RG3"]\nreason = "known for years"\n'

    assert taken({"app/limits.py": allowed}, allow).faults == (("RG202", 1), ("RG301", 1))
    assert taken({"app/limits.py": LIMITS}, '[tool.redis-guard]\nignore = ["RG2"]\n').faults == (
        ("RG301", 1),
    )


def test_an_owner_is_whom_codeowners_names_else_a_folder_else_nobody(taken: Callable[..., Inventory]) -> None:
    files = {"app/limits.py": LIMITS, "web/a.py": READER, "web/b.py": READER}

    owner = group(taken(files), "login:{name}").owner
    assert (owner.owner, owner.ground) == ("app", "path")

    owner = group(taken({**files, "CODEOWNERS": "web/ @shop/web @ada\n"}), "login:{name}").owner
    assert (owner.owner, owner.ground) == ("@shop/web @ada", "codeowners")


def test_tests_own_no_key_that_the_product_uses(taken: Callable[..., Inventory]) -> None:
    found = group(
        taken({"app/limits.py": LIMITS, "tests/test_a.py": READER, "tests/test_b.py": READER * 3}),
        "login:{name}",
    )

    assert found.owner.owner == "app"
    assert found.files == 3


def test_a_file_at_the_top_has_no_folder_to_guess_from(taken: Callable[..., Inventory]) -> None:
    owner = group(taken({"limits.py": LIMITS}), "login:{name}").owner

    assert (owner.owner, owner.ground) == ("unowned", "nothing")


@pytest.mark.parametrize(
    ("path", "prefix"),
    [
        ("app/billing/tasks/pay.py", "app/billing"),
        ("app/pay.py", "app"),
        ("pay.py", ""),
        ("src/app/billing/tasks/pay.py", "src/app/billing"),
    ],
)
def test_a_path_prefix_is_two_folders_long(path: str, prefix: str) -> None:
    assert path_prefix(path) == prefix


def test_call_sites_of_several_files_are_one_group(taken: Callable[..., Inventory]) -> None:
    found = group(taken({"app/limits.py": LIMITS, "web/a.py": READER}), "login:{name}")

    assert found.sites == (("app/limits.py", 7, 5), ("app/limits.py", 8, 5), ("web/a.py", 5, 12))
    assert (found.calls, found.files, found.lifetimes) == (3, 2, ("60s",))


def test_json_has_it_all(taken: Callable[..., Inventory]) -> None:
    inventory = taken({"app/limits.py": LIMITS, "CODEOWNERS": "* @all\n"})
    document = json.loads(inventory_json.to_json(inventory))
    (login,) = [found for found in document["groups"] if found["key"] == "login:{name}"]

    assert {name: login[name] for name in ("owner", "owner_from", "faults", "paths", "sites")} == {
        "owner": "@all",
        "owner_from": "codeowners",
        "faults": {"RG202": 1},
        "paths": ["app/limits.py"],
        "sites": ["app/limits.py:7:5", "app/limits.py:8:5"],
    }
    assert document["calls"][0]["faults"] == ["RG202"]
    assert document["calls"][0]["owner"] == "@all"
    assert {rule["code"]: rule["name"] for rule in document["rules"]}["RG202"] == "incr-then-expire"


def test_a_registry_that_cannot_be_used_is_said_and_costs_nothing_else(project: Callable[..., Path]) -> None:
    """`inventory --output-format yaml > redis_guard.yaml` finds the file that the shell has just emptied."""
    root = project({"app/limits.py": LIMITS, "redis_guard.yaml": ""})

    found = take((str(root),), use_cache=False)

    assert found.inventory.faults == (("RG202", 1), ("RG301", 1))
    assert found.notes[0].startswith("redis_guard.yaml:1:1: ")
    assert found.notes[-1] == "faults are told without the registry"


def test_a_part_of_a_project_is_listed_with_the_knowledge_of_all_of_it(project: Callable[..., Path]) -> None:
    root = project({"app/limits.py": LIMITS, "web/a.py": READER})

    found = take((str(root / "web"),), use_cache=False).inventory

    assert [call.path for call in found.calls] == ["web/a.py"]
    assert [(group.key, group.calls) for group in found.groups] == [("login:{name}", 3)]
    assert [rule.code for rule in found.rules] == ["RG202"]
