"""`redis-guard check` without a terminal: options in, a report and an exit status out.

Law of this file: it decides what is reported; what is true was decided by the analysis.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from redis_guard import __version__
from redis_guard.analysis import Analysis, analyse
from redis_guard.config import Config, load_config
from redis_guard.finding import INTERNAL_ERROR, Finding, Severity
from redis_guard.options import Options, own_tables
from redis_guard.plain_files import is_there
from redis_guard.precedence import ONLY_WHERE_ALLOWED
from redis_guard.project.sources import Counters
from redis_guard.report.model import Report
from redis_guard.report.places import Places
from redis_guard.report.rule_like import RuleLike
from redis_guard.rule_names import rule_names
from redis_guard.select import RuleEntry, chosen, refuse_unknown, severities

_UNPARSABLE = "RG001"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A report, the exit status, and lines for the standard error."""

    report: Report
    status: int
    notes: tuple[str, ...]
    tracebacks: tuple[str, ...]
    analysis: Analysis


def check(options: Options, counters: Counters | None = None) -> Outcome:
    """Run `check`; `counters` are kept up meanwhile.

    Raises Mistake (of config, registry, path, selector or baseline) with clear lines.
    """
    config = configured(options)
    named, overlay = _asked(options, config)
    analysis = analyse(
        config, named, overlay=overlay, use_cache=options.use_cache, jobs=options.jobs, counters=counters
    )
    return judged(options, config, analysis)


def configured(options: Options) -> Config:
    """The configuration that holds for what was asked.

    Raises ConfigError, and SelectorError for what means no rule, wherever it is written: before any work is done.
    """
    config = load_config(starting_point(options), options.config, _named(options))
    for where, selectors in (
        (config.where("select"), config.select or ()),
        (config.where("ignore"), config.ignore),
        (config.where("extend-select"), config.extend_select),
        *((config.where(f"severity.{selector}"), (selector,)) for selector in config.severity),
        *((config.where(f"allow.{n}"), table.rules) for n, table in enumerate(own_tables(config))),
        ("--select", options.select or ()),
        ("--ignore", options.ignore),
        ("--extend-select", options.extend_select),
    ):
        if selectors:
            refuse_unknown(rule_names(), selectors, where)
    return config


def starting_point(options: Options) -> Path:
    """The file or folder from which the configuration is looked for upwards."""
    start = next(iter(_named(options)), None) or Path.cwd()
    there = os.path.exists(start)  # noqa: PTH110 # pathlib raises where a folder may not be entered
    return start if there else start.absolute().parent


def _named(options: Options) -> list[Path]:
    return [Path(path) for path in (options.paths if options.stdin is None else options.stdin[:1])]


def _asked(options: Options, config: Config) -> tuple[tuple[str, ...], dict[str, bytes]]:
    if options.stdin is None:
        return options.paths, {}
    name, data = options.stdin
    path = Path(name).absolute()
    relative = path.relative_to(config.root).as_posix() if path.is_relative_to(config.root) else path.name
    return (), {relative: data}


def judged(options: Options, config: Config, analysis: Analysis) -> Outcome:
    """What is reported of an analysis. Raises Mistake (of selector or baseline) with clear lines."""
    judgement = analysis.judgement
    active = selected(options, config, judgement.rules)
    active -= {rule.code for rule in judgement.rules if rule.whole and not analysis.whole}
    heard = active | {ONLY_WHERE_ALLOWED[code] for code in active if code in ONLY_WHERE_ALLOWED}
    about = analysis.reported | analysis.registry
    grade = severities(judgement.rules, config.severity)
    raw = tuple(
        replace(finding, severity=grade.get(finding.code, finding.severity))
        for finding in judgement.findings
        if finding.code in heard and finding.path in about
    )
    notes = list(analysis.warnings)
    # What goes wrong inside the tool and belongs to no file.
    notes += [finding.message for finding in judgement.findings if not finding.path]
    if judgement.given_up:
        notes.append(f"inference gave up on {judgement.given_up} question(s) that needed too many steps")
    findings = raw
    if _may_silence(options, config, analysis, raw):
        from redis_guard.silencing import Judging, silenced

        findings, said = silenced(raw, options, config, analysis, Judging(active, grade))
        notes += said
    report = Report(
        findings,
        files=len(analysis.reported),
        analysed=len(analysis.reported & set(judgement.analysed)),
        sources=cache(analysis.sources.text),
        version=__version__,
        marked=cache(analysis.sources.marked),
        failures=tuple(
            finding
            for finding in judgement.findings
            if finding.code == _UNPARSABLE and INTERNAL_ERROR in finding.message
        ),
        show_suppressed=options.show_suppressed,
        places=_places(config.root),
        rules=_rules,
    )
    report = replace(report, status=_status(options, config, report))
    return Outcome(report, report.status, tuple(notes), analysis.tracebacks, analysis)


def selected(options: Options, config: Config, rules: Sequence[RuleEntry]) -> frozenset[str]:
    """The codes that are on."""
    return chosen(
        rules,
        config.select if options.select is None else options.select,
        (*config.ignore, *options.ignore),
        (*config.extend_select, *options.extend_select),
    )


def _may_silence(options: Options, config: Config, analysis: Analysis, raw: tuple[Finding, ...]) -> bool:
    """Whether anything can be silenced, or said of a silencer: most runs of a hook find nothing and need neither."""
    asked = options.write_baseline or options.prune_baseline or options.add_allow is not None
    marked = not (analysis.reported | analysis.registry).isdisjoint(analysis.judgement.marks)
    tables = analysis.whole and bool(own_tables(config))
    baseline = options.baseline is not None or is_there(config.baseline)
    return bool(raw) or asked or marked or tables or baseline


def _status(options: Options, config: Config, report: Report) -> int:
    least = options.fail_on or Severity(config.fail_on)
    failing = any(finding.severity.rank >= least.rank for finding in report.open)
    return 1 if failing and not options.exit_zero else 0


def _places(root: Path) -> Places:
    repository = next((above for above in (root, *root.parents) if is_there(above / ".git")), root)
    return Places(root.as_posix(), repository.as_posix(), Path.cwd().as_posix())


def _rules() -> Sequence[RuleLike]:
    from redis_guard.rules import load_rules

    return load_rules()
