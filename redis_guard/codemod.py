"""The libcst door: fixes and migrations as codemod commands.

    python -m libcst.tool codemod -x redis_guard.codemod.FixCommand app/
    python -m libcst.tool codemod -x redis_guard.codemod.MigrateCommand --use-case NAME app/

Law of this file: a command changes what the command line would change, file by file; knowledge comes from the whole
project around a file, which is judged once in a process.
"""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

import libcst
from libcst.codemod import CodemodCommand, CodemodContext, SkipFile

from redis_guard.check import Outcome, check, configured
from redis_guard.fixing import fix
from redis_guard.migrating import Migrated, migrate
from redis_guard.mistake import Mistake
from redis_guard.options import Options


class FixCommand(CodemodCommand):
    """What `redis-guard check --fix` would write."""

    DESCRIPTION = "Put right what redis-guard finds and has a fix for."
    _outcomes: ClassVar[dict[Path, Outcome]] = {}

    @staticmethod
    def add_args(parser: argparse.ArgumentParser) -> None:
        """`--unsafe-fixes` and `--select`, as of `redis-guard check`."""
        parser.add_argument(
            "--unsafe-fixes", action="store_true", help="Also what takes something for granted."
        )
        parser.add_argument(
            "--select", default="", help="By these rules only: codes or names, comma separated."
        )

    def __init__(self, context: CodemodContext, unsafe_fixes: bool = False, select: str = "") -> None:
        super().__init__(context)
        self._unsafe = unsafe_fixes
        self._select = tuple(part.strip() for part in select.split(",") if part.strip()) or None

    def transform_module_impl(self, tree: libcst.Module) -> libcst.Module:
        """The fixed module. Raises SkipFile where nothing is to be done, or the tool cannot work."""
        path = _path(self.context)
        try:
            if not self._has_findings(path):
                raise SkipFile("nothing to put right")
            options = Options(stdin=(str(path), tree.bytes), select=self._select, jobs=1)
            fixed = fix(options, unsafe=self._unsafe, write=False)
        except Mistake as mistake:
            raise SkipFile(str(mistake)) from None
        if not fixed.changes:
            raise SkipFile("nothing to put right")
        return libcst.parse_module(fixed.changes[0].texts[1])

    def _has_findings(self, path: Path) -> bool:
        """Whether the file, as it is on disk, has findings that are worth a look of its own."""
        root = configured(Options(paths=(str(path),))).root
        if root not in self._outcomes:
            self._outcomes[root] = check(Options(paths=(str(root),), select=self._select, jobs=1))
        name = path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name
        return any(finding.path == name for finding in self._outcomes[root].report.open)


class MigrateCommand(CodemodCommand):
    """What `redis-guard migrate --apply` would write."""

    DESCRIPTION = "Rewrite the call sites of one use case to redis-guard's runtime."
    _done: ClassVar[dict[tuple[Path, str], Migrated]] = {}

    @staticmethod
    def add_args(parser: argparse.ArgumentParser) -> None:
        """`--use-case`, as of `redis-guard migrate`."""
        parser.add_argument("--use-case", required=True, help="A use case of the registry.")

    def __init__(self, context: CodemodContext, use_case: str) -> None:
        super().__init__(context)
        self._use_case = use_case

    def transform_module_impl(self, tree: libcst.Module) -> libcst.Module:
        """The migrated module. Raises SkipFile with the reason where it stays as it is."""
        path = _path(self.context)
        try:
            root = configured(Options(paths=(str(path),))).root
            key = (root, self._use_case)
            if key not in self._done:
                self._done[key] = migrate((str(root),), self._use_case, write=False, jobs=1)
        except Mistake as mistake:
            raise SkipFile(str(mistake)) from None
        name = path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name
        changed = {change.path: change.texts for change in self._done[key].changes}
        if name not in changed:
            raise SkipFile(_why_not(name, self._done[key]))
        before, after = changed[name]
        if tree.code != before:
            raise SkipFile("it is not as it is on disk; run this command first")
        return libcst.parse_module(after)


def _path(context: CodemodContext) -> Path:
    if context.filename is None:
        raise SkipFile("a file's name is needed to know its project")
    return Path(context.filename).absolute()


def _why_not(name: str, done: Migrated) -> str:
    reasons: Mapping[str, str] = {said.path: f"line {said.line}: {said.text}" for said in reversed(done.left)}
    return reasons.get(name, "no call site of the use case")
