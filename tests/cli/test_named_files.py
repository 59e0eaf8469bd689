"""Files that the configuration names and that are none: one line and exit status 2, never a run without them."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Project = Callable[..., Path]
Run = Callable[..., subprocess.CompletedProcess[str]]

REGISTRY, BASELINE = "redis_guard.yaml", ".redis-guard-baseline.json"


def pipe(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def endless(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 40)  # a hole: it takes no room on disk


def dangling(path: Path) -> None:
    path.symlink_to("gone")


def looping(path: Path) -> None:
    path.symlink_to(path.name)


ODD = {
    pipe: "not a regular file",
    device: "not a regular file",
    endless: "more than 67,108,864 bytes",
    dangling: "symbolic link to gone, which does not exist",
    looping: "Too many levels of symbolic links",
}


@pytest.mark.parametrize("make", ODD)
@pytest.mark.parametrize("name", [REGISTRY, BASELINE, "pyproject.toml"])
def test_a_default_file_that_is_none_ends_the_run(
    project: Project, run: Run, name: str, make: Callable[[Path], None]
) -> None:
    root = project({"app.py": "x = 1\n"})
    (root / name).unlink(missing_ok=True)
    make(root / name)
    done = run("check", cwd=root)
    assert done.returncode == 2, done.stdout
    assert name in done.stderr
    assert ODD[make] in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("make", ODD)
def test_a_registry_that_is_none_ends_the_check_of_the_registry(
    project: Project, run: Run, make: Callable[[Path], None]
) -> None:
    root = project({})
    make(root / REGISTRY)
    done = run("registry", "check", cwd=root)
    assert done.returncode == 2
    assert ODD[make] in done.stdout


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (pipe, "a.yaml, which is not a regular file"),
        (dangling, "a.yaml, which is a symbolic link that leads nowhere: No such file or directory"),
        (looping, "a.yaml, which is a symbolic link that leads nowhere: Too many levels of symbolic links"),
    ],
)
def test_a_configured_registry_that_is_none_is_told_at_its_line(
    project: Project, run: Run, make: Callable[[Path], None], said: str
) -> None:
    root = project({}, config='[tool.redis-guard]\nregistry = ["a.yaml"]\n')
    make(root / "a.yaml")
    done = run("check", cwd=root)
    assert done.returncode == 2
    assert f'pyproject.toml:2: "registry" names {said}' in done.stderr


def test_a_link_that_leads_nowhere_is_told_behind_a_pattern_too_and_an_editors_lock_is_not(
    project: Project, run: Run
) -> None:
    root = project({"a/guard.yaml": "version: 1\n"}, config='[tool.redis-guard]\nregistry = ["*/*.yaml"]\n')
    (root / "a" / ".#guard.yaml").symlink_to("user@host.1234")
    assert run("check", cwd=root).returncode == 0
    dangling(root / "a" / "other.yaml")
    done = run("check", cwd=root)
    assert (done.returncode, "a/other.yaml:1:1: cannot be read" in done.stderr) == (2, True)


def test_a_configuration_named_explicitly_is_no_pipe(project: Project, run: Run) -> None:
    root = project({})
    pipe(root / "p.toml")
    done = run("check", "--config", "p.toml", cwd=root)
    assert (done.returncode, "not a regular file" in done.stderr) == (2, True)


def test_a_baseline_may_be_written_through_a_link_that_leads_nowhere_yet(project: Project, run: Run) -> None:
    root = project({"app.py": "import redis\n\nr = redis.Redis()\n"})
    (root / BASELINE).symlink_to("shared.json")
    assert run("check", "--write-baseline", cwd=root).returncode == 0
    assert json.loads((root / "shared.json").read_text())["entries"]
