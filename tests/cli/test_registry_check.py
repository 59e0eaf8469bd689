"""`redis-guard registry` as a user meets it: on the command line and as a pre-commit hook."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

Run = Callable[..., subprocess.CompletedProcess[str]]
Project = Callable[..., Path]

REPOSITORY = Path(__file__).parents[2]
OWNERS = 'version: 1\nowners: {web: {contact: "#web"}, shop: {contact: "#shop"}}\n'
LOCK = "{primitive: lock, owner: web, ttl: 30s, failure: closed, description: One of a kind}"
SPACE = "{class: cache, owner: shop, ttl: 1h, description: Things}"
GOOD = f'{OWNERS}use_cases:\n  one: {LOCK}\nkeyspaces:\n  "a:{{id}}": {SPACE}\n'
CONFIG = '[tool.redis-guard]\nregistry = ["redis_guard.yaml", "services/*/redis_guard.yaml"]\n'


def test_a_good_registry_is_counted(project: Project, run: Run) -> None:
    done = run("registry", "check", cwd=project({"redis_guard.yaml": GOOD}))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "2 entries (1 use case, 1 keyspace) of 2 owners in 1 file\n"


def test_every_problem_is_one_line_that_begins_with_its_place(project: Project, run: Run) -> None:
    root = project({"redis_guard.yaml": GOOD.replace("30s", "30").replace("cache", "cash")})
    done = run("registry", "check", cwd=root)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        'redis_guard.yaml:4:43: use case "one": "ttl": "30" has no unit;'
        " write 30s for seconds or 30ms for milliseconds",
        'redis_guard.yaml:6:21: keyspace "a:{id}": "class" cannot be "cash"; did you mean "cache"?',
    ]
    assert done.stderr == "2 problems in the registry\n"


def test_all_configured_files_are_one_set_wherever_one_stands(project: Project, run: Run) -> None:
    root = project(
        {"redis_guard.yaml": OWNERS, "services/shop/redis_guard.yaml": GOOD.replace(OWNERS, "version: 1\n")},
        CONFIG,
    )
    done = run("registry", "check", cwd=root / "services" / "shop")
    assert done.stdout == "2 entries (1 use case, 1 keyspace) of 2 owners in 2 files\n"
    alone = run("registry", "check", "redis_guard.yaml", cwd=root / "services" / "shop")
    assert alone.returncode == 1
    assert 'redis_guard.yaml:3:33: use case "one": unknown owner "web"' in alone.stdout


def test_files_may_be_named_by_patterns(project: Project, run: Run) -> None:
    root = project({"a/r.yaml": OWNERS, "b/r.yaml": GOOD.replace(OWNERS, "version: 1\n")})
    assert run("registry", "check", "?/r.yaml", cwd=root).returncode == 0


def test_a_shared_prefix_is_a_warning_and_no_failure(project: Project, run: Run) -> None:
    other = f'  "a:{{id}}:b": {SPACE.replace("shop", "web")}\n'
    done = run("registry", "check", cwd=project({"redis_guard.yaml": GOOD + other}))
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        'redis_guard.yaml:7:3: warning: keyspace "a:{id}:b": keys of shop begin with "a" too,'
        " at redis_guard.yaml:6:3",
        "3 entries (1 use case, 2 keyspaces) of 2 owners in 1 file",
    ]


def test_overlapping_keys_are_a_problem(project: Project, run: Run) -> None:
    done = run("registry", "check", cwd=project({"redis_guard.yaml": f'{GOOD}  "a:{{name}}": {SPACE}\n'}))
    assert done.returncode == 1
    assert 'redis_guard.yaml:7:3: keyspace "a:{name}" overlaps keyspace "a:{id}"' in done.stdout


def test_no_registry_at_all_is_nothing_wrong(project: Project, run: Run) -> None:
    done = run("registry", "check", cwd=project({}))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("there is no registry: ")


@pytest.mark.parametrize(
    ("arguments", "config", "line"),
    [
        (("nope.yaml",), "[tool.redis-guard]\n", "nope.yaml:1:1: does not exist"),
        (("*.yml",), "[tool.redis-guard]\n", "*.yml:1:1: matches no file"),
        ((".",), "[tool.redis-guard]\n", ".:1:1: is a directory, not a file"),
        ((), CONFIG, '"registry" names redis_guard.yaml, which does not exist'),
        ((), "[tool.redis-guard]\nregistri = []\n", "unknown key"),
        (("--config", "nope.toml"), "", "nope.toml: cannot be read"),
    ],
)
def test_what_is_not_there_cannot_be_checked(
    project: Project, run: Run, arguments: tuple[str, ...], config: str, line: str
) -> None:
    done = run("registry", "check", *arguments, cwd=project({}, config))
    assert (done.returncode, done.stdout) == (2, "")
    assert line in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_cannot_be_checked(project: Project, run: Run) -> None:
    root = project({"redis_guard.yaml": GOOD})
    (root / "redis_guard.yaml").chmod(0)
    done = run("registry", "check", cwd=root)
    assert (done.returncode, done.stdout) == (2, "redis_guard.yaml:1:1: cannot be read: Permission denied\n")


def test_the_schema_is_printed_and_is_one(project: Project, run: Run) -> None:
    done = run("registry", "schema", cwd=project({}))
    assert (done.returncode, done.stderr) == (0, "")
    Draft202012Validator.check_schema(json.loads(done.stdout))


@pytest.fixture
def hooked(project: Project) -> Path:
    """A git repository with the published hook, run from this source rather than from an installation of its own."""
    hooks = yaml.safe_load((REPOSITORY / ".pre-commit-hooks.yaml").read_text())
    (hook,) = [hook for hook in hooks if hook["id"] == "redis-guard-registry"]
    arguments = hook["entry"].removeprefix("redis-guard")
    hook |= {"language": "system", "entry": f"{sys.executable} -m redis_guard{arguments}"}
    root = project(
        {
            ".pre-commit-config.yaml": yaml.safe_dump({"repos": [{"repo": "local", "hooks": [hook]}]}),
            "redis_guard.yaml": OWNERS,
            "services/shop/redis_guard.yaml": GOOD.replace(OWNERS, "version: 1\n"),
            "app.py": "x = 1\n",
            "docs/other.yaml": "a: 1\n",
        },
        CONFIG,
    )
    subprocess.run(["git", "init", "-q", "."], cwd=root, check=True)
    subprocess.run(["git", "add", "."], cwd=root, check=True)
    return root


def hook_on(root: Path, *files: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "PYTHONPATH": str(REPOSITORY),
        "PRE_COMMIT_HOME": str(root.parent / "pre-commit"),
    }
    return subprocess.run(
        [sys.executable, "-m", "pre_commit", "run", "--files", *files],
        cwd=root, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("file", ["redis_guard.yaml", "services/shop/redis_guard.yaml", "pyproject.toml"])
def test_the_hook_loads_the_whole_set_whichever_file_of_it_changes(hooked: Path, file: str) -> None:
    assert hook_on(hooked, file).returncode == 0
    (hooked / "redis_guard.yaml").write_text("version: 1\n")
    done = hook_on(hooked, file)
    assert done.returncode == 1
    assert 'services/shop/redis_guard.yaml:3:33: use case "one": unknown owner "web"' in done.stdout


def test_the_hook_leaves_other_files_alone(hooked: Path) -> None:
    done = hook_on(hooked, "app.py", "docs/other.yaml")
    assert "no files to check" in done.stdout
