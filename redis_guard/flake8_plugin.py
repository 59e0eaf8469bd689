"""The flake8 door: what `redis-guard check` says, file by file.

Law of this file: pyproject.toml decides what is judged, flake8 what is shown. RG00x (allows, unreadable files) belong
to the command line; flake8 sees neither its own `noqa` from outside nor files it cannot parse.
"""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from redis_guard import __version__
from redis_guard.check import Outcome, check, configured
from redis_guard.finding import Finding
from redis_guard.mistake import Mistake
from redis_guard.options import Options
from redis_guard.source.read import Unreadable, read_bytes
from redis_guard.source.text import decode

Row = tuple[int, int, str, type["Plugin"]]


@dataclass(slots=True)
class Index:
    """Projects that were judged in this process or before it was forked, by root."""

    outcomes: dict[Path, Outcome] = field(default_factory=dict)
    roots: dict[Path, Path] = field(default_factory=dict)
    """folder -> root of its project."""


class Plugin:
    """One file of a flake8 run."""

    name = "redis-guard"
    version = __version__
    _index: ClassVar[Index] = Index()

    def __init__(self, tree: object, filename: str, lines: list[str]) -> None:
        # flake8 hands over `tree` only to say that the file parses
        self._filename = filename
        self._text = "".join(lines)

    @classmethod
    def parse_options(cls, options: argparse.Namespace) -> None:
        """Judge the project once, before flake8 starts its workers: they inherit the answer or find it in the cache."""
        with _critical():
            _project(cls._index, Path.cwd())

    def run(self) -> Iterator[Row]:
        """line from 1, column from 0, text, class."""
        with _critical():
            findings = self._findings()
        for finding in findings:
            if finding.suppressed in (None, "noqa") and not finding.code.startswith("RG0"):
                yield finding.span.line, finding.span.column - 1, f"{finding.code} {finding.message}", Plugin

    def _findings(self) -> list[Finding]:
        path = Path(self._filename).absolute()
        outcome = _project(self._index, path.parent)
        root = Path(outcome.analysis.sources.tree.root)
        relative = path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name
        if relative not in outcome.analysis.sources.tree.files or not _as_on_disk(path, self._text):
            data = self._text.encode("utf-8", "surrogatepass")
            outcome = check(Options(stdin=(self._filename, data), jobs=1))
        return [finding for finding in outcome.report.findings if finding.path == relative]


def _project(index: Index, folder: Path) -> Outcome:
    if folder not in index.roots:
        index.roots[folder] = configured(Options(paths=(str(folder),))).root
    root = index.roots[folder]
    if root not in index.outcomes:
        # never a pool inside flake8, which brings its own
        index.outcomes[root] = check(Options(paths=(str(root),), jobs=1))
    return index.outcomes[root]


def _as_on_disk(path: Path, text: str) -> bool:
    """Whether flake8's lines are the file's: standard input may hold an editor's unsaved text."""
    data = read_bytes(str(path))
    source = decode(data) if not isinstance(data, Unreadable) else data
    return not isinstance(source, Unreadable) and _newlines(source.text) == _newlines(text)


def _newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


@contextmanager
def _critical() -> Iterator[None]:
    """A mistake in configuration, registry or baseline ends flake8 with its lines, not with a traceback."""
    try:
        yield
    except Mistake as mistake:
        from flake8.exceptions import ExecutionError

        raise ExecutionError(str(mistake)) from None
