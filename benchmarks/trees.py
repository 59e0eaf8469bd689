"""Lays out the trees that are checked: installed packages beside copies of the shop.

Law of this file: a tree holds only what every tool reads by default, so that all do the same work.
"""

import re
import shutil
import subprocess
import sysconfig
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

SHOP = Path(__file__).resolve().parents[1] / "fixtures" / "projects" / "shop"

# An application does not carry its client library, and each tool leaves out some folders by name.
LEFT_OUT = frozenset(
    {
        *("redis", "valkey", "redis_guard", "fakeredis", "hiredis"),
        *("build", "dist", "env", "node_modules", "site-packages", "vendor", "venv", "_build"),
    }
)

CONFIG = """\
[tool.redis-guard]
registry = ["redis_guard.yaml"]
cache-dir = ".redis_guard_cache"

[tool.fixit]
root = true
"""

WITH_REDIS = ("cart.py", "catalogue.py", "limits.py", "orders.py", "sessions.py")


@dataclass(frozen=True, slots=True)
class Tree:
    """A laid-out tree; paths are relative to its root."""

    root: Path

    @property
    def cache(self) -> Path:
        """Where the checker keeps its facts."""
        return self.root / ".redis_guard_cache"

    def with_redis(self) -> tuple[str, ...]:
        """Five files that use Redis."""
        return tuple(f"shop000/{name}" for name in WITH_REDIS)

    def without_redis(self) -> tuple[str, ...]:
        """Five files that do not mention it."""
        quiet = (
            path
            for path in sorted((self.root / "part000").rglob("*.py"))
            if b"redis" not in path.read_bytes()
        )
        return tuple(str(path.relative_to(self.root)) for path in islice(quiet, 5))


def installed(limit: int | None = None, site: Path | None = None) -> list[Path]:
    """Python files of the installed packages (or of `site`), in a fixed order, `limit` at most."""
    folder = site or Path(sysconfig.get_path("purelib"))
    found = (
        path for path in sorted(folder.rglob("*.py")) if not LEFT_OUT & set(path.relative_to(folder).parts)
    )
    return list(islice(found, limit))


def lay(root: Path, sources: list[Path], site: Path, copies: int) -> Tree:
    """Put `copies` of the sources, and as many of the shop, under a new `root`, and track them with git."""
    for number in range(copies):
        for source in sources:
            _copy(source, root / f"part{number:03}" / source.relative_to(site))
        _open_shop(root / f"shop{number:03}")
    shutil.copyfile(SHOP / "redis_guard.yaml", root / "redis_guard.yaml")
    (root / "pyproject.toml").write_text(CONFIG, encoding="utf-8")
    (root / ".gitignore").write_text(".redis_guard_cache/\n", encoding="utf-8")
    # Without one of its own, semgrep leaves out every folder of tests.
    (root / ".semgrepignore").write_text("# nothing is left out\n", encoding="utf-8")
    subprocess.run(["git", "init", "--quiet"], cwd=root, check=True)
    subprocess.run(["git", "-c", "core.safecrlf=false", "add", "--all"], cwd=root, check=True)
    return Tree(root)


def _open_shop(folder: Path) -> None:
    for source in sorted((SHOP / "shop").rglob("*.py")):
        target = folder / source.relative_to(SHOP / "shop")
        target.parent.mkdir(parents=True, exist_ok=True)
        text = source.read_text(encoding="utf-8")
        target.write_text(re.sub(r"\b(from|import) shop\b", rf"\1 {folder.name}", text), encoding="utf-8")


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
