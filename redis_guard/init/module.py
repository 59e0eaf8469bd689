"""The module that holds the coordination object: where it belongs, and its text.

Law of this file: an object that the code has already is found, not doubled.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from redis_guard.project.model import ProjectUses

_NAMES = ("coordination", "redis_coordination")
_ASIDE = frozenset(
    "test tests testing doc docs example examples sample samples script scripts benchmark benchmarks tools".split()
)
_EXISTING = re.compile(rb"^(\w+)\b[^=\n]*=\s*(?:\w+\.)*Coordination(?:\.from_\w+)?\(", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Coordination:
    """The object, by its module's path and its dotted name; `exists` where the code has it already."""

    path: str
    dotted: str
    exists: bool


def existing(project: ProjectUses, content: Callable[[str], bytes]) -> Coordination | None:
    """The first module-level coordination object outside tests."""
    for module in project.modules:
        if module.texts and not module.test and (found := _EXISTING.search(content(module.path))):
            dotted = _dotted(PurePosixPath(module.path))
            return Coordination(module.path, f"{dotted}:{found[1].decode('ascii', 'replace')}", True)
    return None


def chosen(files: Iterable[str], calls: Sequence[str], name: str) -> Coordination | None:
    """Where a new one belongs: in the package with most of the calls; else the one called `name`; else the largest.

    `files` are the project's Python files, `calls` the paths of its calls. None where every name is taken.
    """
    taken = set(files)
    folder = _package(taken, calls, name)
    for module in _NAMES:
        path = folder / f"{module}.py"
        if str(path) not in taken and str(folder / module / "__init__.py") not in taken:
            return Coordination(str(path), f"{_dotted(path)}:coordination", False)
    return None


def _package(files: set[str], calls: Sequence[str], name: str) -> PurePosixPath:
    by_calls = Counter(_top(path, files) for path in calls)
    by_files = Counter(_top(path, files) for path in files if path.endswith(".py"))
    wanted = re.sub(r"[-.\s]+", "_", name.lower())

    def rank(folder: PurePosixPath) -> tuple[bool, int, bool, bool, int, str]:
        beside = not _ASIDE.isdisjoint(folder.parts)
        is_package = str(folder / "__init__.py") in files
        return (
            beside,
            -by_calls[folder],
            folder.name != wanted,
            not is_package,
            -by_files[folder],
            str(folder),
        )

    candidates = [
        folder
        for folder in by_files
        if by_calls[folder] or (folder.parts and str(folder / "__init__.py") in files)
    ]
    return min(candidates, key=rank, default=PurePosixPath())


def _top(path: str, files: set[str]) -> PurePosixPath:
    """The topmost folder of a file's package; without a package the first folder below the source root."""
    folder = PurePosixPath(path).parent
    if str(folder / "__init__.py") not in files:
        depth = 2 if folder.parts[:1] == ("src",) else 1
        return PurePosixPath(*folder.parts[:depth])
    while str(folder.parent / "__init__.py") in files and folder.parent.parts:
        folder = folder.parent
    return folder


def _dotted(path: PurePosixPath) -> str:
    """The name by which the module is imported, as far as its path tells."""
    parts = path.with_suffix("").parts
    return ".".join(parts[1:] if parts[0] == "src" else parts)


def module_text(path: str, registry: Sequence[str], asynchronous: bool) -> str:
    """The module at `path`, with the registry's files found from its own place."""
    package = "redis_guard.runtime.aio" if asynchronous else "redis_guard.runtime"
    up = len(PurePosixPath(path).parts) - 1
    files = [f"Path(__file__).parents[{up}] / {json.dumps(name, ensure_ascii=False)}" for name in registry]
    method = "from_file" if len(files) == 1 else "from_files"
    lines = "".join(f"    {file},\n" for file in files)
    about = "Locks, claims, counters and signals over Redis, each by its name in the registry."
    if asynchronous:
        about += "\n\nOne object serves one event loop.\n"
    return f'''"""{about}"""

import os
from pathlib import Path

from {package} import Coordination

coordination = Coordination.{method}(
{lines}    url=os.environ.get("REDIS_URL", "redis://localhost:6379/0"),
)
'''


def module_path(dotted: str, roots: Iterable[str], root: Path) -> str | None:
    """The file that a configured `package.module:attribute` would be in; None where its folder is not there."""
    stem = dotted.partition(":")[0].replace(".", "/")
    for source_root in roots:
        path = PurePosixPath(source_root, f"{stem}.py")
        if (root / path).parent.is_dir():
            return str(path)
    return None
