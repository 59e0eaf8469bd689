"""The hooks in `.pre-commit-config.yaml`: behind what is there, or told where that cannot be done safely."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from redis_guard.init.hooks import add_hooks

OTHER = "repos:\n  - repo: https://example.org/x\n    rev: v1\n    hooks:\n      - id: x\n"


@pytest.mark.parametrize(
    ("before", "kept"),
    [
        (OTHER, OTHER),
        (OTHER.rstrip("\n"), OTHER),
        (OTHER.replace("\n", "\r\n"), OTHER.replace("\n", "\r\n")),
        (f"# ours\n{OTHER}\n\n# the end\n", f"# ours\n{OTHER}"),
        (f"{OTHER}\n# about ci\nci:\n  skip: [x]\n", OTHER),
        (f"{OTHER}ci: {{}}", OTHER),
        (OTHER.replace("\n  ", "\n"), OTHER.replace("\n  ", "\n")),
        (f"\ufeff{OTHER}", f"\ufeff{OTHER}"),
    ],
)
def test_they_come_behind_the_last_repository(bare: Callable[..., Path], before: str, kept: str) -> None:
    root = bare({".pre-commit-config.yaml": before})

    step = add_hooks(root)

    assert (step.done, step.add) == ("changed", "")
    after = (root / ".pre-commit-config.yaml").read_bytes()
    assert after.startswith(kept.encode())
    rest = before.encode().removeprefix(kept.encode())
    assert after.endswith(rest) or not before.endswith("\n")
    was, now = yaml.safe_load(before.lstrip("\ufeff")), yaml.safe_load(after.decode("utf-8-sig"))
    assert {**now, "repos": now["repos"][:-1]} == was
    assert [hook["id"] for hook in now["repos"][-1]["hooks"]] == ["redis-guard", "redis-guard-registry"]
    assert (b"\r\n" in after) == ("\r\n" in before)


@pytest.mark.parametrize(
    ("before", "why"),
    [
        ("repos: []\n", "cannot be added to safely"),
        ("repos: [{repo: local, hooks: []}]\n", "cannot be added to safely"),
        ("a: &x\n  - 1\nrepos: *x\n", "cannot be added to safely"),
        (f"{OTHER}repos:\n  - repo: local\n    hooks: []\n", "cannot be added to safely"),
        (f"x: &x [*x]\n{OTHER}", "cannot be added to safely"),
        ("x: &x\n  repos:\n    - hooks: 3\n<<: *x\n", "cannot be added to safely"),
        ("ci: {}\n", "has no list `repos`"),
        ("- 1\n", "has no list `repos`"),
        ("", "has no list `repos`"),
        ("repos: [\n", "cannot be read as YAML"),
        (b"\xff\n", "cannot be read as YAML"),
    ],
)
def test_where_that_is_not_safe_they_are_told(
    bare: Callable[..., Path], before: str | bytes, why: str
) -> None:
    root = bare({".pre-commit-config.yaml": before})
    content = (root / ".pre-commit-config.yaml").read_bytes()

    step = add_hooks(root)

    assert step.done == "left alone"
    assert why in step.note
    assert [hook["id"] for hook in yaml.safe_load(step.add)[0]["hooks"]] == [
        "redis-guard",
        "redis-guard-registry",
    ]
    assert (root / ".pre-commit-config.yaml").read_bytes() == content


@pytest.mark.parametrize("ours", ["redis-guard", "redis-guard-registry", "redis-guard-fix"])
def test_hooks_that_are_there_are_left_alone(bare: Callable[..., Path], ours: str) -> None:
    root = bare({".pre-commit-config.yaml": f"repos:\n- repo: x\n  hooks:\n  - id: {ours}\n"})

    assert (add_hooks(root).done, add_hooks(root).note) == ("left alone", "it has the hook already")


def test_pre_commit_takes_the_file(bare: Callable[..., Path]) -> None:
    root = bare({})
    add_hooks(root)

    said = subprocess.run(
        [sys.executable, "-m", "pre_commit", "validate-config", ".pre-commit-config.yaml"],
        cwd=root, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert said.returncode == 0, said.stdout + said.stderr
