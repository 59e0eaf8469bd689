"""Projects to start redis-guard in, and what `init` did to them."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from redis_guard.init import Step, init

SHOP = Path(__file__).parents[2] / "fixtures" / "projects" / "shop"

ALL = [
    "redis_guard.yaml",
    "app/coordination.py",
    "pyproject.toml",
    ".pre-commit-config.yaml",
    ".redis-guard-baseline.json",
]
CLIENTS = "import redis\n\nr = redis.Redis()\n"
WORK = (
    "from app.clients import r\n\n\ndef hit(account):\n"
    "    r.incr(f'login:{account}')\n    r.expire(f'login:{account}', 60)\n"
)
APP = {"app/__init__.py": "", "app/clients.py": CLIENTS, "app/work.py": WORK}


@pytest.fixture
def bare(tmp_path: Path) -> Callable[[Mapping[str, str | bytes]], Path]:
    """A folder with these files and nothing of redis-guard."""

    def write(files: Mapping[str, str | bytes]) -> Path:
        root = tmp_path / "bare"
        (root / ".git").mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return root

    return write


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """The shop, as if nobody had thought of redis-guard yet."""
    root = Path(shutil.copytree(SHOP, tmp_path / "shop", ignore=shutil.ignore_patterns(".redis_guard_cache")))
    (root / ".git").mkdir()
    (root / "redis_guard.yaml").unlink()
    (root / "shop" / "coordination.py").unlink()
    text = (root / "pyproject.toml").read_text()
    (root / "pyproject.toml").write_text(text[: text.index("[tool.redis-guard]")])
    return root


def files(root: Path) -> dict[str, bytes]:
    """What lies in a project, but for the cache."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".redis_guard_cache" not in path.parts
    }


def started(root: Path) -> list[Step]:
    return list(init((str(root),), use_cache=False))


def done(steps: list[Step]) -> dict[str, str]:
    return {step.path: step.done for step in steps}
