"""`redis-guard init`: afterwards `check` is quiet, what existed is as it was, and a second run changes nothing."""

import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

import yaml

from redis_guard.init import init
from redis_guard.registry import load_registry
from tests.init.conftest import ALL, APP, done, files, started

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_the_shop_is_started_and_check_has_nothing_to_say(shop: Path, run: Run) -> None:
    before = files(shop)

    first = run("init", cwd=shop)
    assert (first.returncode, first.stderr) == (0, "")
    assert [line.split(":")[0] for line in first.stdout.splitlines()] == [
        "created     redis_guard.yaml",
        "created     shop/coordination.py",
        "changed     pyproject.toml",
        "created     .pre-commit-config.yaml",
        "created     .redis-guard-baseline.json",
    ]

    checked = run("check", cwd=shop)
    assert checked.returncode == 0, checked.stdout
    assert run("registry", "check", cwd=shop).returncode == 0

    after = files(shop)
    kept = {name: content for name, content in after.items() if name in before and name != "pyproject.toml"}
    assert kept == {name: content for name, content in before.items() if name != "pyproject.toml"}
    assert after["pyproject.toml"].startswith(before["pyproject.toml"])

    again = run("init", cwd=shop)
    assert again.returncode == 0
    assert [line.split()[:2] for line in again.stdout.splitlines()] == [["left", "alone"]] * 5
    assert files(shop) == after


def test_what_is_new_after_a_start_is_reported(bare: Callable[..., Path], run: Run) -> None:
    root = bare(APP)
    started(root)
    (root / "app" / "more.py").write_text("from app.clients import r\n\nr.lock('job:x')\n")

    checked = run("check", "--output-format", "concise", cwd=root)

    assert checked.returncode == 1
    assert "app/more.py:3:1: RG301" in checked.stdout
    assert "app/work.py" not in checked.stdout


def test_every_file_is_what_it_should_be(bare: Callable[..., Path]) -> None:
    root = bare({**APP, "CODEOWNERS": "app/ @org/web\n"})

    assert done(started(root)) == dict.fromkeys(ALL, "created")

    registry = load_registry([root / "redis_guard.yaml"])
    assert [(case.name, case.owner, case.key.text) for case in registry.use_cases.values()] == [
        ("login", "web", "login:{account}")
    ]
    settings = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["redis-guard"]
    assert settings == {
        "registry": ["redis_guard.yaml"],
        "coordination": "app.coordination:coordination",
        "allow": [
            {
                "paths": ["app/clients.py"],
                "rules": ["RG102"],
                "reason": "The connections to Redis are configured here",
            }
        ],
    }
    hooks = yaml.safe_load((root / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    assert [hook["id"] for hook in hooks] == ["redis-guard", "redis-guard-registry"]


def test_an_empty_project_gets_an_empty_registry_and_no_baseline(bare: Callable[..., Path], run: Run) -> None:
    root = bare({})

    steps = started(root)

    assert done(steps) == {
        "redis_guard.yaml": "created",
        "coordination.py": "created",
        "pyproject.toml": "created",
        ".pre-commit-config.yaml": "created",
        ".redis-guard-baseline.json": "left alone",
    }
    assert load_registry([root / "redis_guard.yaml"]).entries == ()
    checked = run("check", cwd=root)
    assert (checked.returncode, checked.stderr) == (0, "")
    after = files(root)
    assert set(done(started(root)).values()) == {"left alone"}
    assert files(root) == after


def test_nothing_that_exists_is_touched(bare: Callable[..., Path]) -> None:
    there = {
        "redis_guard.yaml": "version: 1 # ours\n",
        "app/coordination.py": "from redis_guard.runtime import Coordination\n\nours = Coordination.from_file('x')\n",
        "pyproject.toml": "[tool.redis-guard]\nguess = true\n",
        ".pre-commit-config.yaml": "repos: [{repo: local, hooks: [{id: redis-guard}]}]\n",
        ".redis-guard-baseline.json": '{"version": 1, "entries": []}\n',
    }
    root = bare({**APP, **there})
    before = files(root)

    steps = started(root)

    assert done(steps) == dict.fromkeys(ALL, "left alone")
    assert files(root) == before
    notes = {step.path: step.note for step in steps}
    assert notes["pyproject.toml"].endswith('add to it: coordination = "app.coordination:ours"')
    assert "`redis-guard check --write-baseline` records them" in notes[".redis-guard-baseline.json"]


def test_only_the_named_part_is_drafted_and_all_of_it_is_recorded(
    bare: Callable[..., Path], run: Run
) -> None:
    other = "from app.clients import r\n\nr.incr('other:count')\n"
    root = bare({**APP, "web/__init__.py": "", "web/other.py": other})

    list(init((str(root / "web"),), use_cache=False))

    assert list(load_registry([root / "redis_guard.yaml"]).use_cases) == ["other_count"]
    assert run("check", cwd=root).returncode == 0


def test_without_a_table_the_project_is_where_its_pyproject_is(bare: Callable[..., Path]) -> None:
    root = bare(
        {
            "services/billing/pyproject.toml": "",
            **{f"services/billing/{name}": text for name, text in APP.items()},
        }
    )

    steps = list(init((str(root / "services" / "billing" / "app"),), use_cache=False))

    assert (root / "services" / "billing" / "redis_guard.yaml").exists()
    (hooks,) = [step for step in steps if step.path == ".pre-commit-config.yaml"]
    assert hooks.done == "left alone"
    assert hooks.note.startswith(f"the hooks of a repository are in {root}")
    assert hooks.add.startswith("- repo: local\n")
    assert not (root / ".pre-commit-config.yaml").exists()
