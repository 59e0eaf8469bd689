"""What keeps the findings of one run quiet: allows, config, baseline; and writing the latter two's files.

Law of this file: loaded only by runs that have something to silence.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from redis_guard.allowing import write_allows
from redis_guard.analysis import Analysis
from redis_guard.config import TEST_ESCAPE, Config
from redis_guard.finding import Finding, Severity
from redis_guard.options import Options, own_tables
from redis_guard.plain_files import is_there
from redis_guard.precedence import ONLY_WHERE_ALLOWED
from redis_guard.silence.apply import Run, Silenced, new_baseline, silence
from redis_guard.silence.baseline import Baseline
from redis_guard.silence.baseline_file import BaselineError, load, save
from redis_guard.silence.inline import FileMarks


@dataclass(frozen=True, slots=True)
class Judging:
    """By which rules the run judges, and the severities that its configuration gives them."""

    active: frozenset[str]
    severities: Mapping[str, Severity]


def silenced(
    raw: tuple[Finding, ...], options: Options, config: Config, analysis: Analysis, judging: Judging
) -> tuple[tuple[Finding, ...], list[str]]:
    """The findings with their silence and those about silencers, and lines for the standard error."""
    run = _run(options, config, analysis, judging)
    found = silence(raw, run)
    if options.add_allow is not None:
        written, notes = write_allows(options.add_allow, found.findings, run, analysis)
        findings = enumerate(found.findings)
        return tuple(replace(f, suppressed="allow") if n in written else f for n, f in findings), notes
    if options.write_baseline or options.prune_baseline:
        return _update_baseline(options, config, found, run)
    return found.findings, []


def _run(options: Options, config: Config, analysis: Analysis, judging: Judging) -> Run:
    sources = cache(analysis.sources.text)
    own = None
    if config.source is not None and config.source.is_relative_to(config.root):
        own = config.source.relative_to(config.root).as_posix()
    return Run(
        names={rule.code: rule.name for rule in analysis.judgement.rules},
        active=judging.active,
        severities=judging.severities,
        stale_fails=options.error_stale_baseline,
        reported=analysis.reported | analysis.registry,
        whole_project=analysis.whole,
        sources=_with_config(sources, own, config),
        exists=lambda path: path in analysis.sources.tree.files or path in config.registry_names,
        marks={path: FileMarks(*marks) for path, marks in analysis.judgement.marks.items()},
        path_allows=own_tables(config),
        escapes=(TEST_ESCAPE,),
        config=own,
        baseline=_baseline(options, config),
        only_where_allowed=ONLY_WHERE_ALLOWED,
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
    if not path.exists() and options.write_baseline:
        return None
    if options.baseline is None and not is_there(path):
        return None
    return load(path, _shown(path, config))


def _shown(path: Path, config: Config) -> str:
    absolute = path.absolute()
    return absolute.relative_to(config.root).as_posix() if absolute.is_relative_to(config.root) else str(path)


def _update_baseline(
    options: Options, config: Config, silenced: Silenced, run: Run
) -> tuple[tuple[Finding, ...], list[str]]:
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
