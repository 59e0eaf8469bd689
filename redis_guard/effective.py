"""`check --show-settings` without a terminal: what holds for a run, and who said so.

Law of this file: it judges nothing and reads no source; what `check` would refuse, it refuses too.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from redis_guard import __version__
from redis_guard.check import configured, selected
from redis_guard.config import TEST_ESCAPE, Allow, Config
from redis_guard.finding import Severity
from redis_guard.judging import rule_entries
from redis_guard.options import Options, own_tables
from redis_guard.report.settings_model import DEFAULT, Origin, RuleSetting, Setting, Settings, Value
from redis_guard.rules import load_rules
from redis_guard.select import RuleEntry, decisive

_ADDED = ("ignore", "extend-select")
"""What the command line adds to, where it replaces the others."""


def effective(options: Options) -> Settings:
    """The settings of the run that `options` ask for. Raises Mistake (of config or selector) with clear lines."""
    config = configured(options)
    rules = rule_entries(load_rules())
    active, decided = selected(options, config, rules), decisive(rules, config.severity)
    return Settings(
        root=str(config.root),
        source=None if config.source is None else _shown(config.source, config),
        settings=tuple(_settings(options, config)),
        rules=tuple(_rule(rule, rule.code in active, decided.get(rule.code), config) for rule in rules),
        version=__version__,
    )


def _settings(options: Options, config: Config) -> Iterator[Setting]:
    """In the order of the table's keys."""
    for name, value in _values(options, config):
        given = _given(name, options)
        origins = [Origin(option=given)] if given is not None else []
        if name in config.lines and (given is None or name in _ADDED):
            origins.insert(0, _of_file(name, config))
        yield Setting(name, value, tuple(origins) or (DEFAULT,))


def _values(options: Options, config: Config) -> Iterator[tuple[str, Value]]:
    yield "registry", config.registry_names
    yield "select", config.select if options.select is None else options.select
    yield "ignore", (*config.ignore, *options.ignore)
    yield "extend-select", (*config.extend_select, *options.extend_select)
    for rule, severity in config.severity.items():
        yield f"severity.{rule}", severity
    yield "fail-on", options.fail_on.value if options.fail_on is not None else config.fail_on
    yield "exclude", config.exclude
    yield "src", tuple(_shown(path, config) for path in config.src)
    for index, table in enumerate(own_tables(config)):
        yield f"allow.{index}", _allow(table)
    yield "allow.tests", _allow(TEST_ESCAPE)
    yield "baseline", _shown(config.baseline if options.baseline is None else options.baseline, config)
    yield "clients", config.clients
    yield "not-clients", config.not_clients
    yield "guess", config.guess
    yield "target-server", config.target_server
    yield "coordination", config.coordination
    yield "cache-dir", _shown(config.cache_dir, config) if options.use_cache else None
    yield "jobs", config.jobs if options.jobs is None else options.jobs


def _given(name: str, options: Options) -> str | None:
    """The option of the command line that speaks of a setting."""
    given = {
        "select": options.select is not None,
        "ignore": bool(options.ignore),
        "extend-select": bool(options.extend_select),
        "fail-on": options.fail_on is not None,
        "baseline": options.baseline is not None,
        "cache-dir": not options.use_cache,
        "jobs": options.jobs is not None,
    }
    if not given.get(name):
        return None
    return "--no-cache" if name == "cache-dir" else f"--{name}"


def _of_file(name: str, config: Config) -> Origin:
    path = None if config.source is None else _shown(config.source, config)
    return Origin(path=path, line=config.lines[name])


def _allow(table: Allow) -> dict[str, str | tuple[str, ...]]:
    return {"rules": table.rules, "paths": table.paths, "reason": table.reason}


def _rule(rule: RuleEntry, on: bool, by: str | None, config: Config) -> RuleSetting:
    if by is None:
        return RuleSetting(rule.code, rule.name, on, rule.severity, DEFAULT)
    severity = Severity(config.severity[by])
    return RuleSetting(rule.code, rule.name, on, severity, _of_file(f"severity.{by}", config))


def _shown(path: Path, config: Config) -> str:
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 # links keep the name that the configuration has too
    return (
        absolute.relative_to(config.root) if absolute.is_relative_to(config.root) else absolute
    ).as_posix()
