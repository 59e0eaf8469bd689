import subprocess
import sys
from pathlib import Path

import pytest
import yaml


@pytest.mark.parametrize(
    ("command", "name"),
    [("validate-manifest", ".pre-commit-hooks.yaml"), ("validate-config", ".pre-commit-config.yaml")],
)
def test_pre_commit_accepts_the_file(root: Path, command: str, name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", command, name], cwd=root, capture_output=True, text=True
    )

    assert (done.returncode, done.stdout) == (0, "")


def test_our_own_hook_runs_what_the_published_one_runs(root: Path) -> None:
    hooks = yaml.safe_load((root / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (published,) = [hook for hook in hooks if hook["id"] == "redis-guard"]
    local = yaml.safe_load((root / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"][0][
        "hooks"
    ]
    (ours,) = [hook for hook in local if hook["id"] == published["id"]]

    assert ours["entry"] == f".venv/bin/{published['entry']}"
    assert ours["types_or"] == published["types_or"]
    assert ours["require_serial"] == published["require_serial"]
