"""Our side of each row: the checker, cold, warm or after an edit.

Law of this file: cold means that no cache is there; warm means that the run before left one.
"""

import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.measure import Command, nothing
from benchmarks.trees import Tree
from benchmarks.workshop import Workshop

OURS = "redis-guard"


def huge_cold(shop: Workshop) -> Command:
    """Everything anew, in two processes."""
    return _cold(shop, shop.huge(), "--jobs", "2")


def huge_warm(shop: Workshop) -> Command:
    """Nothing has changed since the run before."""
    return _check(shop, shop.huge())


def mid_cold(shop: Workshop) -> Command:
    """Everything anew, with the settings a person starts with."""
    return _cold(shop, shop.mid())


def twice_cold(shop: Workshop) -> Command:
    """The same on twice the files."""
    return _cold(shop, shop.twice())


def shop_cold(shop: Workshop) -> Command:
    """The same on a small application."""
    return _cold(shop, shop.shop())


def mid_changed(shop: Workshop) -> Command:
    """One file that uses Redis is edited before each run."""
    tree = shop.mid()
    path = tree.root / tree.with_redis()[0]
    text = path.read_text(encoding="utf-8")

    def edit() -> None:
        path.write_text(f"{text}# edited {time.time_ns()}\n", encoding="utf-8")

    return _check(shop, tree, before=edit)


def five_warm(shop: Workshop, paths: tuple[str, ...]) -> Command:
    """What a hook does: a few files named, in a tree that is known."""
    return Command(OURS, (*_program(shop), *paths), shop.mid().root)


def version(shop: Workshop) -> Command:
    """Start, say the version, end."""
    return Command(OURS, (*shop.program, "--version"), shop.folder, frozenset({0}))


def python_alone(shop: Workshop) -> Command:
    """The interpreter's own start."""
    return Command("python", (sys.executable, "-c", "pass"), shop.folder, frozenset({0}))


def _program(shop: Workshop) -> tuple[str, ...]:
    return (*shop.program, "check", "--output-format", "concise")


def _check(shop: Workshop, tree: Tree, *options: str, before: Callable[[], None] = nothing) -> Command:
    return Command(OURS, (*_program(shop), *options), tree.root, before=before)


def _cold(shop: Workshop, tree: Tree, *options: str) -> Command:
    return _check(shop, tree, *options, before=lambda: _forget(tree.cache))


def _forget(cache: Path) -> None:
    if cache.exists():
        shutil.rmtree(cache)
