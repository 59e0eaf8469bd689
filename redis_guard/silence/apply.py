"""All silencers together: raw findings in, findings with their silence and fingerprint out.

Law of this file: comments come first, then config, then the baseline; what one has silenced needs no other.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from redis_guard.finding import Finding, Severity, Span
from redis_guard.silence.baseline import Baseline, Entry, Judged, entries_for, match, record
from redis_guard.silence.inline import FileMarks, silence_file
from redis_guard.silence.paths import PathAllow, silence_paths, unused_tables
from redis_guard.silence.verdicts import ALLOW_WITHOUT_REASON, UNPARSABLE_FILE, UNUSED_ALLOW, unused


@dataclass(frozen=True, slots=True)
class Run:
    """What a run is, as far as silence is concerned. Paths are relative to the project root, with `/`."""

    names: Mapping[str, str]
    """Every rule there is: code to name."""
    active: frozenset[str]
    """The codes this run judges: selected, and not left out because their scope needs the whole project."""
    reported: frozenset[str]
    """The files this run reports on; the registry's too when its rules ran."""
    whole_project: bool
    sources: Callable[[str], str | None]
    """A path's text, None when there is none."""
    exists: Callable[[str], bool]
    """Whether the project has a file at a path."""
    marks: Mapping[str, FileMarks]
    """Comments and blocks of reported files."""
    path_allows: tuple[PathAllow, ...] = ()
    """The project's tables, in the order of its config."""
    escapes: tuple[PathAllow, ...] = ()
    """Exceptions that nobody wrote, as the one for tests: never unused."""
    config: str | None = None
    """The file that holds the tables; None when unused ones are not to be reported."""
    baseline: Baseline | None = None
    only_where_allowed: Mapping[str, str] = field(default_factory=dict)
    """Codes that speak only where an allow silences another at the same place, and that other code."""
    severities: Mapping[str, Severity] = field(default_factory=dict)
    """Of findings about silencers, by code, where they are not the usual ones."""
    stale_fails: bool = False
    """A stale baseline entry is an error, whatever is selected; else a note, as nobody's commit should fail because he
    repaired something."""


@dataclass(frozen=True, slots=True)
class Silenced:
    """The findings of a run in report order, and its baseline without dead entries."""

    findings: tuple[Finding, ...]
    pruned: Baseline | None


def silence(findings: Iterable[Finding], run: Run) -> Silenced:
    """Set `suppressed`, `reason` and `fingerprint` of every finding, and add those of RG002 and RG003."""
    raw = list(findings)
    exercised: set[int] = set()
    commented = _graded(_active(_inline(raw, run), run), run)
    found = list(silence_paths(commented, (*run.path_allows, *run.escapes), run.names, exercised))
    found = list(_where_allowed(found, run))
    identified = entries_for(found, run.sources)
    marked = [replace(finding, fingerprint=entry.fingerprint) for finding, entry in identified]
    stale: list[Finding] = []
    tables: list[Finding] = []
    pruned = None
    if run.baseline is not None:
        entries = (entry for _, entry in identified)
        matched = match(zip(marked, entries, strict=True), run.baseline, _judged(raw, run))
        marked, pruned = list(matched.findings), matched.pruned
        stale += _stale(matched.stale, run)
    if run.whole_project and run.config is not None:
        text = run.sources(run.config)
        tables += unused_tables(run.path_allows, exercised, run.names, run.active, run.config, text)
    extra = [*(stale if run.stale_fails else _active(stale, run)), *_graded(_active(tables, run), run)]
    about = [replace(f, fingerprint=entry.fingerprint) for f, entry in entries_for(extra, run.sources)]
    return Silenced(tuple(sorted([*marked, *about], key=lambda finding: finding.sort_key)), pruned)


def new_baseline(silenced: Silenced, run: Run, path: str) -> Baseline:
    """The baseline that makes this run quiet, for `--write-baseline`. What this run cannot judge stays."""
    findings = [finding for finding in silenced.findings if finding.path not in (path, run.config)]
    old = replace(run.baseline, path=path) if run.baseline else Baseline(path)
    return record(entries_for(findings, run.sources), old, _judged(findings, run))


def _inline(raw: Iterable[Finding], run: Run) -> Iterator[Finding]:
    by_path: dict[str, list[Finding]] = {path: [] for path in run.marks if path in run.reported}
    for finding in raw:
        by_path.setdefault(finding.path, []).append(finding)
    for path, group in by_path.items():
        marks = run.marks.get(path)
        if marks is None or not marks.comments:
            yield from group
        else:
            text = partial(run.sources, path)
            yield from silence_file(path, group, marks, run.names, run.active, text)


def _where_allowed(findings: list[Finding], run: Run) -> Iterator[Finding]:
    """Without what speaks of allowed places alone and stands elsewhere, and without what only told which they are."""
    others = set(run.only_where_allowed.values())
    allowed = {
        (finding.code, finding.path, finding.span)
        for finding in findings
        if finding.code in others and finding.suppressed in ("allow", "config")
    }
    for finding in findings:
        other = run.only_where_allowed.get(finding.code)
        if other is not None and (other, finding.path, finding.span) not in allowed:
            continue
        if finding.code in run.active or finding.code not in others:
            yield finding


def _active(findings: Iterable[Finding], run: Run) -> Iterator[Finding]:
    """Without what is said about silencers by a rule that is switched off."""
    about_silence = {UNUSED_ALLOW[0], ALLOW_WITHOUT_REASON[0]}
    return (
        finding for finding in findings if finding.code in run.active or finding.code not in about_silence
    )


def _graded(findings: Iterable[Finding], run: Run) -> Iterator[Finding]:
    return (replace(f, severity=run.severities.get(f.code, f.severity)) for f in findings)


def _judged(findings: Iterable[Finding], run: Run) -> Judged:
    unparsable = {finding.path for finding in findings if finding.code == UNPARSABLE_FILE}
    return Judged(run.reported - unparsable, run.active, run.exists, run.whole_project)


def _stale(entries: Iterable[Entry], run: Run) -> Iterator[Finding]:
    severity = Severity.ERROR if run.stale_fails else run.severities.get(UNUSED_ALLOW[0], Severity.NOTE)
    for entry in entries:
        place = f"{entry.path}, {entry.function}" if entry.function else entry.path
        message = f"the entry for {entry.rule} in {place} silences nothing: drop it with --prune-baseline"
        path = run.baseline.path if run.baseline else ""
        yield unused(path, Span(entry.line, 1, entry.line, 1), message, severity=severity)
