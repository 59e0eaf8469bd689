"""`check --fix`: findings put right, judged again, until nothing is left to put right.

Law of this file: all work is done on texts in memory, and only the end of it is written; a file that has changed
meanwhile, or that cannot be written back byte for byte, is left alone and named.
"""

import ast
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from redis_guard.again import overlaid
from redis_guard.analysis import Analysis
from redis_guard.check import Outcome, check, configured, judged
from redis_guard.config import Config
from redis_guard.finding import Finding, Fix
from redis_guard.fixes.choose import apply_fixes
from redis_guard.fixes.write import replace_file
from redis_guard.options import Options
from redis_guard.project.sources import Counters
from redis_guard.source.read import Unreadable
from redis_guard.source.text import SourceText, decode

_PASSES = 20
"""Fixes make room for further ones, a few times; a pair of fixes that undo each other must end too."""


@dataclass(frozen=True, slots=True)
class Change:
    """A file before and after."""

    path: str
    before: bytes
    after: bytes
    texts: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Fixed:
    """What was put right, what is left, and how each changed file looks."""

    outcome: Outcome
    """Of the files as they are now; of a dry run as they would be."""
    changes: tuple[Change, ...]


@dataclass(slots=True)
class _Work:
    """One run under way."""

    options: Options
    config: Config
    unsafe: bool
    before: dict[str, tuple[bytes, SourceText]] = field(default_factory=dict)
    overlay: dict[str, bytes] = field(default_factory=dict)
    left: dict[str, str] = field(default_factory=dict)
    """Files that are not touched, and why."""
    done: Counter[str] = field(default_factory=Counter)
    """Fixes by rule."""

    def one_pass(self, outcome: Outcome) -> bool:
        """Put right what this outcome offers; whether anything was."""
        wanted: defaultdict[str, list[Finding]] = defaultdict(list)
        for finding in outcome.report.open:
            if finding.fix is not None and (self.unsafe or finding.fix.applicability == "safe"):
                wanted[finding.path].append(finding)
        changed = [self._one_file(path, found, outcome.analysis) for path, found in sorted(wanted.items())]
        return any(changed)

    def _one_file(self, path: str, findings: list[Finding], analysis: Analysis) -> bool:
        source = self._source(path, analysis)
        if source is None:
            return False
        codes: defaultdict[Fix, list[str]] = defaultdict(list)
        for finding in findings:
            assert finding.fix is not None
            codes[finding.fix].append(finding.code)
        text = source.text if path not in self.overlay else _text(self.overlay[path])
        applied = apply_fixes(text, codes, _parses if path.endswith((".py", ".pyi")) else None)
        for skipped in applied.skipped:
            if "overlaps" not in skipped.why:  # an overlapping one has its turn in the next pass
                line = skipped.fix.edits[0].span.line
                self.left.setdefault(f"{path}:{line}", f"{codes[skipped.fix][0]} is not fixed: {skipped.why}")
        if not applied.done or applied.text == text:
            return False
        try:
            self.overlay[path] = source.encode(applied.text)
        except UnicodeEncodeError:
            self.left[path] = f"left alone: {source.encoding} cannot spell the fix"
            return False
        for fix in applied.done:
            self.done.update(codes[fix])
        return True

    def _source(self, path: str, analysis: Analysis) -> SourceText | None:
        """The file as it was at the beginning; None where it has to be left alone."""
        if path in self.left:
            return None
        if path not in self.before:
            data = analysis.sources.data(path)
            source = None if data is None else decode(data)
            if data is None or source is None or isinstance(source, Unreadable):
                self.left[path] = "left alone: it cannot be read"
                return None
            if not source.exact:
                self.left[path] = "left alone: its encoding does not give the same bytes again"
                return None
            self.before[path] = (data, source)
        return self.before[path][1]

    def changes(self) -> Iterable[Change]:
        for path, (before, source) in sorted(self.before.items()):
            after = self.overlay.get(path, before)
            if after != before:
                yield Change(path, before, after, (source.text, _text(after)))


def fix(options: Options, *, unsafe: bool, write: bool, counters: Counters | None = None) -> Fixed:
    """Run `check` and put right what has a fix: the safe ones, or with `unsafe` all.

    Without `write` no file is touched.

    Raises what `check` raises.
    """
    config = configured(options)
    outcome = check(options, counters)
    work = _Work(options, config, unsafe)
    if options.stdin is not None:
        work.overlay.update(outcome.analysis.sources.overlay)
    first = outcome.analysis
    for _ in range(_PASSES):
        if not work.one_pass(outcome):
            break
        analysis = overlaid(config, first, work.overlay, use_cache=options.use_cache, jobs=options.jobs)
        outcome = judged(options, config, analysis)
    changes = tuple(work.changes())
    notes: list[str] = []
    if write:
        refused = _write(changes, first)
        notes += refused.values()
        changes = tuple(change for change in changes if change.path not in refused)
    notes += [f"{where}: {why}" for where, why in sorted(work.left.items())]
    if changes:
        notes.append(_summary(work.done, len(changes), written=write))
    return Fixed(replace(outcome, notes=(*outcome.notes, *notes)), changes)


def _write(changes: Iterable[Change], analysis: Analysis) -> dict[str, str]:
    """The files that could not be written, and why."""
    refused = {}
    for change in changes:
        why = replace_file(analysis.sources.tree_path(change.path), change.before, change.after)
        if why is not None:
            refused[change.path] = why
    return refused


def _summary(done: Counter[str], files: int, *, written: bool) -> str:
    rules = ", ".join(f"{code} {number}" for code, number in sorted(done.items()))
    total = sum(done.values())
    said = "fixed" if written else "would fix"
    return f"{said} {total} finding{'s' * (total != 1)} in {files} file{'s' * (files != 1)}: {rules}"


def _text(data: bytes) -> str:
    source = decode(data)
    assert isinstance(source, SourceText)
    return source.text


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True
