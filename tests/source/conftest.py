"""Real files and real git repositories."""

import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

Write = Callable[[Mapping[str, str | bytes]], None]
Git = Callable[..., str]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """An empty directory with nothing of ours beside it."""
    root = tmp_path / "project"
    root.mkdir()
    return root


@pytest.fixture
def write(project: Path) -> Write:
    """Writes files below the project, with the directories they need."""

    def write_all(files: Mapping[str, str | bytes]) -> None:
        for path, content in files.items():
            target = project / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content if isinstance(content, bytes) else content.encode())

    return write_all


@pytest.fixture
def git(project: Path) -> Git:
    """Runs git in the project, heedless of this machine's configuration."""
    outside = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment = {**outside, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    settings = (
        "user.name=A",
        "user.email=a@example.org",
        "protocol.file.allow=always",
        "init.defaultBranch=main",
    )

    def run(*arguments: str, cwd: Path = project) -> str:
        options = [part for setting in settings for part in ("-c", setting)]
        done = subprocess.run(
            ["git", *options, *arguments],
            cwd=cwd,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
