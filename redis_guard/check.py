"""`redis-guard check` without a terminal: options in, a report and an exit status out.

Law of this file: it decides what is reported; what is true was decided by the analysis.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from redis_guard import __version__
from redis_guard.analysis import Analysis, analyse
from redis_guard.config import TEST_ESCAPE, Allow, Config, load_config
from redis_guard.finding import Finding, Severity
from redis_guard.report.model import Report
from redis_guard.select import RuleEntry, chosen, severities
from redis_guard.silence.apply import Run, Silenced, new_baseline, silence
from redis_guard.silence.baseline import Baseline
from redis_guard.silence.inline import FileMarks


@dataclass(frozen=True, slots=True)
class Options:
    """What one run is asked; None leaves the word to the configuration."""

    paths: tuple[str, ...] = ()
    config: Path | None = None
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    fail_on: Severity | None = None
    exit_zero: bool = False
    baseline: Path | None = None
    write_baseline: bool = False
    prune_baseline: bool = False
    add_allow: str | None = None
    """The reason to write beside every finding."""
    stdin: tuple[str, bytes] | None = None
    """The path that standard input stands for, and its bytes."""
    use_cache: bool = True
    jobs: int | None = None
    show_suppressed: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """A report, the exit status, and lines for the standard error."""

    report: Report
    status: int
    notes: tuple[str, ...]
    tracebacks: tuple[str, ...]
    analysis: Analysis


def check(options: Options) -> Outcome:
    """Run `check`. Raises Mistake (of config, registry, path, selector or baseline) with clear lines."""
    config = configured(options)
    named, overlay = _asked(options, config)
    analysis = analyse(config, named, overlay=overlay, use_cache=options.use_cache, jobs=options.jobs)
    return _report(options, config, analysis)


def configured(options: Options) -> Config:
    """The configuration that holds for what was asked."""
    named = [Path(path) for path in options.paths]
    if options.stdin is not None:
        named = [Path(options.stdin[0])]
    start = named[0] if named else Path.cwd()
    there = os.path.exists(start)  # noqa: PTH110 # pathlib raises where a folder may not be entered
    return load_config(start if there else start.absolute().parent, options.config, named)


def _asked(options: Options, config: Config) -> tuple[tuple[str, ...], dict[str, bytes]]:
    if options.stdin is None:
        return options.paths, {}
    name, data = options.stdin
    path = Path(name).absolute()
    relative = path.relative_to(config.root).as_posix() if path.is_relative_to(config.root) else path.name
    return (), {relative: data}


def _report(options: Options, config: Config, analysis: Analysis) -> Outcome:
    judgement = analysis.judgement
    where = _where(config)
    select = options.select if options.select is not None else config.select
    active = chosen(
        judgement.rules,
        select,
        (*config.ignore, *options.ignore),
        (*config.extend_select, *options.extend_select),
        "--select" if options.select or options.ignore or options.extend_select else where,
    )
    grade = severities(judgement.rules, config.severity, where)
    for table in _own_tables(config):
        chosen(judgement.rules, table.rules, (), (), where)
    run = _run(options, config, analysis, active)
    raw = [
        replace(finding, severity=grade[finding.code])
        for finding in judgement.findings
        if finding.code in active and finding.path in analysis.reported
    ]
    silenced = silence(raw, run)
    notes = list(analysis.warnings)
    if judgement.given_up:
        notes.append(f"inference gave up on {judgement.given_up} question(s) that needed too many steps")
    findings = silenced.findings
    if options.add_allow is not None:
        findings, said = _add_allows(options.add_allow, findings, run, analysis)
        notes += said
    elif options.write_baseline or options.prune_baseline:
        findings, said = _update_baseline(options, config, silenced, run)
        notes += said
    report = Report(
        findings,
        files=len(analysis.reported),
        analysed=len(analysis.reported & set(judgement.analysed)),
        sources=run.sources,
        version=__version__,
        show_suppressed=options.show_suppressed,
    )
    return Outcome(report, _status(options, config, report), tuple(notes), analysis.tracebacks, analysis)


def _status(options: Options, config: Config, report: Report) -> int:
    least = options.fail_on or Severity(config.fail_on)
    failing = any(finding.severity.rank >= least.rank for finding in report.open)
    return 1 if failing and not options.exit_zero else 0


def _own_tables(config: Config) -> tuple[Allow, ...]:
    return tuple(table for table in config.allow if table is not TEST_ESCAPE)


def _where(config: Config) -> str:
    return str(config.source) if config.source is not None else "configuration"


def _names(rules: tuple[RuleEntry, ...]) -> dict[str, str]:
    return {rule.code: rule.name for rule in rules}


def _run(options: Options, config: Config, analysis: Analysis, active: frozenset[str]) -> Run:
    sources = cache(analysis.sources.text)
    own = None
    if config.source is not None and config.source.is_relative_to(config.root):
        own = config.source.relative_to(config.root).as_posix()
    return Run(
        names=_names(analysis.judgement.rules),
        active=active,
        reported=analysis.reported,
        whole_project=analysis.whole,
        sources=_with_config(sources, own, config),
        exists=lambda path: path in analysis.sources.tree.files,
        marks={path: FileMarks(*marks) for path, marks in analysis.judgement.marks.items()},
        path_allows=_own_tables(config),
        escapes=(TEST_ESCAPE,),
        config=own,
        baseline=_baseline(options, config),
    )


def _with_config(
    sources: Callable[[str], str | None], own: str | None, config: Config
) -> Callable[[str], str | None]:
    def text(path: str) -> str | None:
        if path == own and config.source is not None:
            return config.source.read_text(encoding="utf-8")
        return sources(path)

    return text


def _baseline(options: Options, config: Config) -> Baseline | None:
    path = options.baseline or config.baseline
    if not path.exists() and (options.baseline is None or options.write_baseline):
        return None
    from redis_guard.silence.baseline_file import load

    return load(path, _shown(path, config))


def _shown(path: Path, config: Config) -> str:
    absolute = path.absolute()
    return absolute.relative_to(config.root).as_posix() if absolute.is_relative_to(config.root) else str(path)


def _update_baseline(
    options: Options, config: Config, silenced: Silenced, run: Run
) -> tuple[tuple[Finding, ...], list[str]]:
    from redis_guard.silence.baseline_file import BaselineError, save

    path = options.baseline or config.baseline
    shown = _shown(path, config)
    if options.write_baseline:
        baseline = new_baseline(silenced, run, shown)
    elif silenced.pruned is None:
        raise BaselineError(f"{shown}: no such file; create it with `redis-guard check --write-baseline`")
    else:
        baseline = silenced.pruned
    before = len(run.baseline.entries) if run.baseline is not None else 0
    try:
        save(path, baseline)
    except OSError as error:
        raise BaselineError(f"{shown}: cannot be written: {error.strerror or error}") from None
    again = silence(
        [finding for finding in silenced.findings if finding.code not in ("RG002", "RG003")],
        replace(run, baseline=baseline),
    )
    return again.findings, [f"{shown}: {len(baseline.entries)} entries, {before} before"]


def _add_allows(
    reason: str, findings: tuple[Finding, ...], run: Run, analysis: Analysis
) -> tuple[tuple[Finding, ...], list[str]]:
    from redis_guard.silencing import write_allows

    written, notes = write_allows(reason, findings, run, analysis)
    return tuple(_without(findings, written)), notes


def _without(findings: tuple[Finding, ...], written: frozenset[int]) -> Iterator[Finding]:
    for number, finding in enumerate(findings):
        yield replace(finding, suppressed="allow") if number in written else finding
