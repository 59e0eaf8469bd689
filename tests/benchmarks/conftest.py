"""A workshop in small: three installed files, and a program that does nothing."""

import sys
from pathlib import Path

import pytest

from benchmarks.workshop import Workshop


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    for name in (
        "alpha/__init__.py",
        "beta/core.py",
        "gamma/redis_cache.py",
        "redis/client.py",
        "beta/build/made.py",
    ):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("import redis\n" if "redis" in name else "x = 1\n", encoding="utf-8")
    return folder


@pytest.fixture
def workshop(tmp_path: Path, site: Path) -> Workshop:
    folder = tmp_path / "trees"
    folder.mkdir()
    return Workshop(folder, tmp_path / "tools", 2, 5, (sys.executable, "-c", "pass"), site)
