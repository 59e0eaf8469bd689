"""The typed names of a registry, as mypy and Python take them."""

import inspect
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from redis_guard.registry import EMPTY_REGISTRY, registry_from_files
from redis_guard.registry.model import Primitive
from redis_guard.report.registry_stubs import OPTIONS, stubs
from redis_guard.runtime import Coordination

Run = Callable[..., subprocess.CompletedProcess[str]]
Project = Callable[..., Path]

REPOSITORY = Path(__file__).parents[2]
LOCK = "primitive: lock, owner: web, ttl: 30s, failure: closed, description: One of a kind"
REGISTRY = f"""\
version: 1
owners: {{web: {{contact: "#web"}}}}
use_cases:
  batch_lock: {{{LOCK}}}
  order_lock: {{{LOCK}}}
  alone_lock: {{{LOCK}, key: "alone"}}
  odd_lock: {{{LOCK}, key: "odd:{{class}}:{{self}}:{{wait}}:{{class_}}"}}
  export_claim: {{{LOCK.replace("lock", "claim")}}}
  login_attempts: {{{LOCK.replace("lock", "counter")}, key: "login:{{tenant}}:{{rest*}}"}}
"""
USE = """\
from uuid import uuid4

from names import ClaimName, Coordination, LockName, SignalName


def work(coordination: Coordination, lock: LockName, name: str) -> None:
    with coordination.lock("batch_lock", 7, wait=0) as lease:
        print(lease.fence)
    coordination.lock("order_lock", uuid4(), on_lost=print)
    coordination.lock("alone_lock")
    coordination.lock("odd_lock", "a", "b", "c", "d")
    coordination.claim("export_claim", b"7", by="job").accepted
    coordination.counter("login_attempts", "shop", "a:b").increment().value
    claim: ClaimName = "export_claim"
    coordination.claim(claim, 7)
    coordination.close()
    coordination.lock("batch_lok", 7)  # refused
    coordination.lock("export_claim", 7)  # refused
    coordination.lock("batch_lock")  # refused
    coordination.lock("alone_lock", 7)  # refused
    coordination.lock("batch_lock", 7.5)  # refused
    coordination.lock("batch_lock", 7, ttl=30)  # refused
    coordination.lock(name, 7)  # refused
    coordination.claim("login_attempts", 7)  # refused
    coordination.counter("login_attempts", "shop")  # refused
    coordination.counter("login_attempts", "shop", 7, wait=0)  # refused
    wrong: LockName = "export_claim"  # refused
"""
NO_SIGNAL = """\


def send(coordination: Coordination) -> None:
    coordination.signal("flags_changed")  # refused
"""


@pytest.fixture
def app(project: Project, run: Run) -> Path:
    """A project whose `names.py` was written by the command."""
    root = project(
        {"redis_guard.yaml": REGISTRY, "use.py": USE, "send.py": USE.partition("\n\n\n")[0] + NO_SIGNAL}
    )
    done = run("registry", "stubs", cwd=root)
    assert (done.returncode, done.stderr) == (0, "")
    (root / "names.py").write_text(done.stdout)
    (root / "empty_names.py").write_text(stubs(EMPTY_REGISTRY))
    return root


def test_mypy_refuses_wrong_names_primitives_and_numbers_of_identifiers_and_nothing_else(app: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--warn-unreachable", "--no-error-summary", "."],
        cwd=app,
        env={**os.environ, "MYPYPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        check=False,
    )
    refused = {
        f"{name}:{number}"
        for name in ("use.py", "send.py")
        for number, line in enumerate((app / name).read_text().splitlines(), 1)
        if line.endswith("# refused")
    }
    assert set(re.findall(r"^(\S+:\d+): error", done.stdout, re.MULTILINE)) == refused, done.stdout


def test_at_run_time_it_is_the_coordination_of_the_runtime(app: Path) -> None:
    code = (
        "import names, redis_guard.runtime as runtime\n"
        "assert issubclass(names.Coordination, runtime.Coordination)\n"
        "assert names.Coordination.lock is runtime.Coordination.lock\n"
        "with names.Coordination.from_file('redis_guard.yaml', url='redis://localhost') as coordination:\n"
        "    coordination.lock('order_lock', 7)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=app, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_checker_sees_through_it(app: Path, run: Run) -> None:
    done = run("check", "--select", "RG501", "--output-format", "concise", "use.py", cwd=app)
    assert re.findall(r"use\.py:(\d+):\d+: RG501", done.stdout) == [
        str(USE.splitlines().index('    coordination.lock("batch_lok", 7)  # refused') + 1)
    ]


@pytest.mark.parametrize("primitive", get_args(Primitive))
def test_the_options_are_those_of_the_runtime(primitive: Primitive) -> None:
    parameters = inspect.signature(getattr(Coordination, primitive)).parameters.values()
    keywords = [str(it).replace(" = None", "") for it in parameters if it.kind is it.KEYWORD_ONLY]
    ours = [option.removesuffix(" = None") for option in OPTIONS[primitive]]
    assert [word.partition(":")[0] for word in ours] == [word.partition(":")[0] for word in keywords]


def test_it_is_formatted_as_ruff_formats(app: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--isolated", "--check", "names.py", "empty_names.py"],
        cwd=app, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_same_registry_gives_the_same_text(tmp_path: Path) -> None:
    path = tmp_path / "redis_guard.yaml"
    path.write_text(REGISTRY)
    assert stubs(registry_from_files(path)) == stubs(registry_from_files(path))


def test_a_broken_registry_has_no_names(project: Project, run: Run) -> None:
    done = run("registry", "stubs", cwd=project({"redis_guard.yaml": "version: 2\n"}))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == 'redis_guard.yaml:1:10: registry: "version" must be 1, the only one there is\n'
