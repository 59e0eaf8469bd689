"""Every key of `[tool.redis-guard]`, by what it changes for whoever runs `redis-guard check`."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from redis_guard.config.keys import KEYS

Project = Callable[..., Path]
Run = Callable[..., subprocess.CompletedProcess[str]]

CLIENT = "import redis\n\nr = redis.Redis()\n"
KEYS_CALL = CLIENT + "r.keys('a:*')\n"
LOCK = CLIENT + "r.lock('a')\n"
RUNTIME = "from app.ext import coordination\n\ncoordination.lock('bench', 1)\n"
OWN_RUNTIME = (
    "from redis_guard.runtime import Coordination\n\nc = Coordination.from_file('x')\nc.lock('bench', 1)\n"
)
REGISTRY = """version: 1
owners: {a: {contact: x}}
use_cases:
  batch: {primitive: lock, owner: a, ttl: 1m, failure: closed, description: One batch at a time}
"""


def found(run: Run, root: Path, *arguments: str) -> set[str]:
    """`path code` of every finding."""
    done = run("check", "--output-format", "concise", *arguments, cwd=root)
    assert done.stderr == ""
    return {f"{line.split(':')[0]} {line.split()[1]}" for line in done.stdout.splitlines()}


def config(*lines: str, select: str | None = "RG301, RG701") -> str:
    chosen = "" if select is None else f"select = {json.dumps(select.split(', '))}\n"
    return "[tool.redis-guard]\n" + chosen + "\n".join(lines) + "\n"


CASES: dict[str, tuple[dict[str, str], str, set[str], str, set[str]]] = {
    "registry": (
        {"app.py": OWN_RUNTIME,
         "keys/team.yaml": REGISTRY},
        config(select="RG501"), set(),
        config('registry = ["keys/*.yaml"]', select="RG501"), {"app.py RG501"},
    ),
    "select": (
        {"a.py": KEYS_CALL, "b.py": LOCK},
        config(), {"a.py RG701", "b.py RG301"},
        config(select="RG7"), {"a.py RG701"},
    ),
    "ignore": (
        {"a.py": KEYS_CALL, "b.py": LOCK},
        config(), {"a.py RG701", "b.py RG301"},
        config('ignore = ["keys-command"]'), {"b.py RG301"},
    ),
    "extend-select": (
        {"a.py": KEYS_CALL, "b.py": LOCK},
        config(select="RG301"), {"b.py RG301"},
        config('extend-select = ["RG701"]', select="RG301"), {"a.py RG701", "b.py RG301"},
    ),
    "exclude": (
        {"a.py": KEYS_CALL, "gen/b.py": LOCK},
        config(), {"a.py RG701", "gen/b.py RG301"},
        config('exclude = ["gen"]'), {"a.py RG701"},
    ),
    "src": (
        {"lib/app/clients.py": CLIENT, "lib/app/__init__.py": "", "clients.py": "r = None\n",
         "main.py": "import clients\n\nclients.r.keys('a')\n", "lib/clients.py": CLIENT},
        config(), set(),
        config('src = ["lib"]'), {"main.py RG701"},
    ),
    "allow": (
        {"a.py": KEYS_CALL, "infra/b.py": KEYS_CALL},
        config(), {"a.py RG701", "infra/b.py RG701"},
        config('allow = [{paths = ["infra"], rules = ["RG7"], reason = "a small server only"}]'), {"a.py RG701"},
    ),
    "clients": (
        {"a.py": "from vendor import store\n\nstore.keys('a')\n",
         "b.py": "import vendor.sub\n\nvendor.sub.Store().keys('a')\n",
         "own/kv.py": "def make():\n    return None\n", "own/__init__.py": "",
         "c.py": "from own.kv import make\n\nmake().keys('a')\n",
         "d.py": "from own import kv\n\n\nasync def f():\n    r = await kv.make()\n    r.keys('a')\n"},
        config(), set(),
        config('clients = ["vendor.store", "vendor.sub.Store", "own.kv.make"]'),
        {"a.py RG701", "b.py RG701", "c.py RG701", "d.py RG701"},
    ),
    "not-clients": (
        {"a.py": "from vendor import redis_client\n\nredis_client.keys('a')\n"},
        config(), {"a.py RG701"},
        config('not-clients = ["vendor.redis_client"]'), set(),
    ),
    "guess": (
        {"a.py": "def f(redis_client):\n    redis_client.keys('a')\n"},
        config(), {"a.py RG701"},
        config("guess = false"), set(),
    ),
    "coordination": (
        {"a.py": RUNTIME, "app/ext.py": "from vendor import make\n\ncoordination = make()\n", "app/__init__.py": "",
         "redis_guard.yaml": REGISTRY},
        config(select="RG501"), set(),
        config('coordination = "app.ext:coordination"', select="RG501"), {"a.py RG501"},
    ),
}  # fmt: skip
"""key -> files; the findings without the key, and with it."""


@pytest.mark.parametrize("key", CASES)
def test_what_is_found_depends_on_it(project: Project, run: Run, key: str) -> None:
    files, without, before, with_it, after = CASES[key]
    assert found(run, project(files, without)) == before
    assert found(run, project(files, with_it)) == after


def test_severity_and_fail_on_decide_on_the_exit_status(project: Project, run: Run) -> None:
    def status(*lines: str) -> int:
        return run("check", cwd=project({"a.py": KEYS_CALL}, config(*lines))).returncode

    assert status() == 1
    assert status('severity = {RG701 = "note"}') == 0
    assert status('severity = {RG701 = "note"}', 'fail-on = "note"') == 1
    assert status('severity = {RG701 = "warning"}', 'fail-on = "error"') == 0


def test_the_baseline_lies_where_it_says(project: Project, run: Run) -> None:
    root = project({"a.py": KEYS_CALL}, config('baseline = "old.json"'))
    assert run("check", "--write-baseline", cwd=root).returncode == 0
    assert (root / "old.json").exists()
    assert found(run, root) == set()
    (root / "old.json").unlink()
    assert found(run, root) == {"a.py RG701"}


def test_the_cache_lies_where_it_says(project: Project, run: Run) -> None:
    root = project({"a.py": KEYS_CALL}, config('cache-dir = "var/seen"'))
    run("check", cwd=root)
    assert (root / "var/seen/cache.bin").exists()
    assert not (root / ".redis_guard_cache").exists()


@pytest.mark.parametrize(("jobs", "several"), [(1, False), (2, True)])
def test_jobs_are_the_processes_that_parse(project: Project, run: Run, jobs: int, several: bool) -> None:
    long = '"""' + "x" * 300_000 + '"""\n' + CLIENT
    root = project({"a.py": long, "b.py": long}, config(f"jobs = {jobs}"))
    script = (
        "import sys\nfrom redis_guard.cli import main\ntry:\n    main(['check', '--exit-zero'])\nexcept SystemExit:\n"
        "    print('multiprocessing.pool' in sys.modules)"
    )
    assert run(script, cwd=root, program=("-c",)).stdout.splitlines()[-1] == str(several)


def test_what_is_known_of_files_is_judged_anew_for_another_server(project: Project, run: Run) -> None:
    root = project({"a.py": KEYS_CALL}, config('target-server = "6.2"'))
    shown = run("check", "--show-settings", cwd=root).stdout
    assert "target-server  6.2 [pyproject.toml:3]" in shown
    assert run("check", cwd=project({}, config('target-server = "six"'))).returncode == 2


def test_every_key_is_tried() -> None:
    others = {"severity", "fail-on", "baseline", "cache-dir", "jobs", "target-server"}
    assert set(CASES) | others == set(KEYS)
