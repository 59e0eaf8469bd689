"""Names of use cases over a whole project: the sieve, the configuration, what is said at the registry's lines."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from redis_guard.config import load_config
from redis_guard.judging import load_project
from redis_guard.project.candidates import survey
from redis_guard.source.cache import Cache
from redis_guard.source.discover import discover
from redis_guard.source.recall import recall

Run = Callable[..., subprocess.CompletedProcess[str]]
Project = Callable[..., Path]

REGISTRY = """\
version: 1
owners:
  web: {contact: "#web"}
  shop: {contact: "#shop"}
use_cases:
  order_settlement: {primitive: lock, owner: web, ttl: 30s, failure: closed, description: One worker settles an order}
  emails_digest: {primitive: claim, owner: web, ttl: 1d, failure: closed, description: One digest a day}
keyspaces:
  "session:{id}": {class: cache, owner: shop, ttl: required, description: Web sessions}
"""
MADE = 'from redis_guard.runtime import Coordination\n\ncoordination = Coordination.from_file("redis_guard.yaml")\n'
USED = "from app.made import coordination\n\ncoordination.claim('emails_digest', 1)\n"
WRITES = "import redis\n\nr = redis.Redis()\n\n\ndef f(slot):\n    r.set(f'banner:{slot}', 1, ex=60)\n"
SPREAD = {
    "app/__init__.py": "",
    "app/made.py": MADE,
    "app/used.py": "from app.made import coordination\n\ncoordination.lock('wrong_a')\n",
    "app/handed.py": "from app.made import coordination as c\n\n\ndef settle(name):\n    return c.lock(name)\n",
    "app/calls.py": "from app.handed import settle\n\nsettle('wrong_b')\n",
    "app/names.py": "import enum\n\n\nclass Case(enum.StrEnum):\n    ORDER = 'wrong_c'\n",
    "app/more.py": "from app.names import Case\n\nMORE = Case.ORDER\n",
    "app/enums.py": "from app.made import coordination\nfrom app.more import MORE\n\ncoordination.lock(MORE)\n",
    "app/jobs.py": "from app.made import coordination\n\n\nclass Job:\n    name: str\n\n    def run(self):\n"
    "        coordination.claim(self.name)\n",
    "app/monthly.py": "from app.jobs import Job\n\n\nclass Monthly(Job):\n    name = 'wrong_d'\n",
    "app/marks.py": "import functools\n\nfrom app.made import coordination\n\n\ndef locked(name):\n    def mark(f):\n"
    "        @functools.wraps(f)\n        def inner():\n            with coordination.lock(name):\n"
    "                return f()\n        return inner\n    return mark\n",
    "app/marked.py": "from app import marks\n\n\n@marks.locked('wrong_e')\ndef work(): ...\n",
    "app/guards.py": "from app.made import coordination\n\n\nclass Guard:\n    def __init__(self, name):\n"
    "        self.name = name\n\n    def take(self):\n        return coordination.lock(self.name)\n",
    "app/guarded.py": "from app.guards import Guard as G\n\nG('wrong_f').take()\n",
    "app/partly.py": "import functools\n\nfrom app.made import coordination\n\n"
    "later = functools.partial(coordination.lock, wait=0)\n",
    "app/later.py": "from app.partly import later\n\nlater('wrong_g')\n",
    "app/told.py": "from app.sends import send\nfrom app.made import coordination\n\nsend(coordination)\n",
    "app/sends.py": "def send(held):\n    held.signal('wrong_h')\n",
    "app/promised.py": "import typing\n\nName = typing.Literal['wrong_i', 'emails_digest']\n",
    "app/typed.py": "from app.made import coordination\nfrom app.promised import Name\n\n\n"
    "def f(name: Name):\n    coordination.claim(name)\n",
    "app/nothing.py": "from app.made import something_else\n\nx = 1\n",
}  # fmt: skip


def found(run: Run, root: Path, *arguments: str) -> list[str]:
    done = run("check", "--output-format", "concise", *arguments, cwd=root)
    assert done.returncode in (0, 1), done.stderr
    return [line.split(": ")[0] + " " + line.split(": ")[1].split()[0] for line in done.stdout.splitlines()]


def test_with_and_without_the_sieve_the_same_names_are_found(project: Project) -> None:
    root = project({**SPREAD, "redis_guard.yaml": REGISTRY})
    tree = discover(root)

    def names(sieve: bool) -> set[tuple[str, str]]:
        loaded = load_project(load_config(root), survey(tree, recall(Cache(), tree, b""), {}), 1, sieve=sieve)
        assert loaded.linked.tracebacks == ()
        assert not sieve or "app/nothing.py" not in loaded.facts
        return {
            (said.path, said.text)
            for module in loaded.linked.project.modules
            for call in module.runtime_calls
            for said in call.names
        }

    assert names(True) == names(False)
    assert {text for _, text in names(True)} == {f"wrong_{letter}" for letter in "abcdefghi"} | {
        "emails_digest"
    }


def test_no_registry_says_nothing_of_names(project: Project, run: Run) -> None:
    root = project({**SPREAD, "app/direct.py": WRITES + "# redis-guard: allow[RG506] is not said either\n"})
    assert [row for row in found(run, root) if " RG5" in row] == []


@pytest.mark.parametrize(
    "home", [{"app/ext.py": "coordination = make()\n"}, {}], ids=["at home", "of a package"]
)
def test_the_configured_object_is_found_in_files_that_do_not_speak_of_the_runtime(
    project: Project, run: Run, home: dict[str, str]
) -> None:
    files = {
        "app/used.py": "from app.ext import coordination\n\ncoordination.lock('wrong')\n",
        "redis_guard.yaml": REGISTRY,
    }
    root = project({**files, **home}, config='[tool.redis-guard]\ncoordination = "app.ext:coordination"\n')
    assert found(run, root, "--select", "RG501") == ["app/used.py:3:1 RG501"]


def test_an_unused_use_case_is_reported_at_its_line_of_the_registry(project: Project, run: Run) -> None:
    root = project({"app/made.py": MADE, "app/used.py": USED, "redis_guard.yaml": REGISTRY})
    assert found(run, root) == ["redis_guard.yaml:6:3 RG504"]
    done = run("check", cwd=root)
    assert "6 |   order_settlement: {primitive: lock" in done.stdout
    assert "^^^^^^^^^^^^^^^^" in done.stdout


def test_only_a_run_over_the_whole_project_tells_that_a_use_case_is_unused(
    project: Project, run: Run
) -> None:
    root = project({"app/made.py": MADE, "app/used.py": USED, "redis_guard.yaml": REGISTRY})
    assert found(run, root, "app/used.py") == []
    assert found(run, root, "redis_guard.yaml") == []
    assert found(run, root, ".") == ["redis_guard.yaml:6:3 RG504"]


def test_a_file_that_cannot_be_read_may_use_everything(project: Project, run: Run) -> None:
    root = project(
        {
            "app/made.py": MADE,
            "app/bad.py": "import redis_guard\nthis is no Python\n",
            "redis_guard.yaml": REGISTRY,
        }
    )
    assert [row.split()[1] for row in found(run, root)] == ["RG001"]


def test_an_allow_in_the_registry_silences_its_entry(project: Project, run: Run) -> None:
    above = REGISTRY.replace(
        "  order_settlement:", "  # redis-guard: allow[RG504] the warehouse takes it\n  order_settlement:"
    )
    beside = REGISTRY.replace(
        "settles an order}", "settles an order}  # redis-guard: allow[RG504] the warehouse takes it"
    )
    for text in (above, beside):
        root = project({"app/made.py": MADE, "app/used.py": USED, "redis_guard.yaml": text})
        assert found(run, root) == []


def test_an_allow_in_the_registry_that_silences_nothing_is_named(project: Project, run: Run) -> None:
    text = REGISTRY.replace(
        "  emails_digest:", "  # redis-guard: allow[RG504] the warehouse takes it\n  emails_digest:"
    )
    root = project({"app/made.py": MADE, "app/used.py": USED, "redis_guard.yaml": text})
    assert found(run, root) == ["redis_guard.yaml:6:3 RG504", "redis_guard.yaml:7:3 RG002"]
    assert found(run, root, "app/used.py") == []


def test_a_baseline_knows_an_entry_wherever_it_moves(project: Project, run: Run) -> None:
    root = project({"app/made.py": MADE, "app/used.py": USED, "redis_guard.yaml": REGISTRY})
    assert run("check", "--write-baseline", cwd=root).returncode == 0
    (root / "redis_guard.yaml").write_text("# moved\n" + REGISTRY)
    assert found(run, root) == []
    (root / "app/used.py").write_text(USED + "coordination.lock('order_settlement')\n")
    assert [row.split()[1] for row in found(run, root)] == ["RG002"]


def test_overlapping_keys_are_reported_with_both_places(project: Project, run: Run) -> None:
    text = (
        REGISTRY
        + '  "session:{number}:{rest*}": {class: cache, owner: shop, ttl: required, description: More}\n'
    )
    text += '  "session:{number}:x": {class: cache, owner: web, ttl: required, description: Still more}\n'
    root = project({"app.py": "x = 1\n", "more.py": "y = 1\n", "redis_guard.yaml": text})
    done = run("check", "--select", "RG505,RG507", "--output-format", "json", cwd=root)
    rows = [
        (f["code"], f["path"], f["line"], [(r["path"], r["line"]) for r in f["related"]])
        for f in json.loads(done.stdout)["findings"]
    ]
    assert rows == [
        ("RG505", "redis_guard.yaml", 11, [("redis_guard.yaml", 10)]),
        ("RG507", "redis_guard.yaml", 11, [("redis_guard.yaml", 9)]),
    ]
    assert "RG507" not in run("check", cwd=root).stdout
    assert [row.split()[1] for row in found(run, root, "redis_guard.yaml")] == ["RG505"]
    assert found(run, root, "app.py") == []


def test_messages_name_the_registry_as_seen_from_the_root(project: Project, run: Run) -> None:
    root = project(
        {"app/made.py": MADE + "coordination.claim('order_settlement')\n", "redis_guard.yaml": REGISTRY}
    )
    done = run("check", "--select", "RG502", "--output-format", "concise", cwd=root)
    assert "is registered as a lock at redis_guard.yaml:6:3, so claim() raises WrongPrimitive" in done.stdout
    (root / "redis_guard.yaml").write_text("version: 2\n")
    broken = run("check", cwd=root)
    assert (broken.returncode, broken.stderr.split(": ")[0]) == (2, "redis_guard.yaml:1:10")


@pytest.mark.parametrize(
    ("config", "line", "expected"),
    [
        ("", "", []),
        ("", "  # redis-guard: allow[RG101] goes with the new pages", ["app.py:7:5 RG506"]),
        ("", "  # redis-guard: allow[RG101, RG506] goes with the new pages", []),
        ("", "  # noqa: RG101", []),
        ('[[tool.redis-guard.allow]]\npaths = ["app.py"]\nrules = ["RG1"]\nreason = "owned by the web team"\n', "",
         ["app.py:7:5 RG506"]),
    ],
    ids=["not allowed", "allowed on the line", "both allowed", "noqa is no allow", "allowed by the configuration"],
)  # fmt: skip
def test_an_unowned_key_counts_where_the_call_is_allowed(
    project: Project, run: Run, config: str, line: str, expected: list[str]
) -> None:
    text = WRITES.rstrip("\n") + line + "\n"
    root = project({"app.py": text, "redis_guard.yaml": REGISTRY}, config="[tool.redis-guard]\n" + config)
    assert [row for row in found(run, root, "--select", "RG101,RG506") if "RG506" in row] == expected
    assert found(run, root, "--select", "RG506") == expected


def test_tests_may_write_keys_that_nobody_owns_and_take_names_as_parameters(
    project: Project, run: Run
) -> None:
    named = MADE + "\n\ndef test_all(name):\n    coordination.lock(name)\n"
    root = project({"tests/test_a.py": WRITES, "tests/test_b.py": named, "redis_guard.yaml": REGISTRY})
    assert found(run, root, "--select", "RG5", "--ignore", "RG504") == []


def test_a_baseline_of_unowned_keys_holds_allowed_calls_alone(project: Project, run: Run) -> None:
    root = project({"app.py": WRITES, "redis_guard.yaml": REGISTRY})
    run("check", "--select", "RG506", "--write-baseline", cwd=root)
    assert json.loads((root / ".redis-guard-baseline.json").read_text())["entries"] == []


def test_a_registry_outside_the_project_is_named_in_full_and_its_entries_may_be_used_elsewhere(
    project: Project, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "shared.yaml").write_text(REGISTRY)
    root = project({"app/made.py": MADE + "coordination.claim('order_settlement')\n"},
                   config='[tool.redis-guard]\nregistry = ["../shared.yaml"]\n')  # fmt: skip
    done = run("check", "--output-format", "concise", cwd=root)
    assert [line.split()[1] for line in done.stdout.splitlines()] == ["RG502"]
    assert f"{(tmp_path / 'shared.yaml').as_posix()}:6:3" in done.stdout
