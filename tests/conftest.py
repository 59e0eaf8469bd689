"""Folders with small projects, and the program under test in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]


@pytest.fixture
def project(tmp_path: Path) -> Callable[..., Path]:
    """Write files (path -> text or bytes) below a folder that has an empty `[tool.redis-guard]`; give the folder."""

    def write(files: Mapping[str, str | bytes], config: str = "[tool.redis-guard]\n") -> Path:
        root = tmp_path / "project"
        root.mkdir(exist_ok=True)
        for name, content in {"pyproject.toml": config, **files}.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return root

    return write


@pytest.fixture
def run() -> Callable[..., subprocess.CompletedProcess[str]]:
    """`redis-guard` in a fresh process."""

    def execute(
        *arguments: str, cwd: Path, stdin: str | None = None, program: tuple[str, ...] = ("-m", "redis_guard")
    ) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "COLUMNS": "100", "NO_COLOR": "1"}
        return subprocess.run(
            [sys.executable, *program, *arguments],
            cwd=cwd, input=stdin, capture_output=True, text=True, env=environment, check=False,
        )  # fmt: skip

    return execute
