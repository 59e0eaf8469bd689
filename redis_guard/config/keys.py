"""The keys of `[tool.redis-guard]` -> Config.

Law of this file: this is the one list of keys; all that is wrong is said at once.
"""

from pathlib import Path
from typing import cast, get_args

from redis_guard.config.document import Document
from redis_guard.config.model import TEST_ESCAPE, Allow, Config, SeverityName, default_config
from redis_guard.config.problems import ConfigError, ConfigProblem
from redis_guard.config.registry_files import registry_files
from redis_guard.config.values import Values

KEYS = (
    *("registry", "select", "ignore", "extend-select", "severity", "fail-on", "exclude", "src", "allow"),
    *("baseline", "clients", "not-clients", "guess", "target-server", "coordination", "cache-dir", "jobs"),
)
ALLOW_KEYS = ("paths", "rules", "reason")
LEAST_REASON_WORDS = 3
LONGEST_NUMBER = 4
"""Digits of a part of a version."""
MOST_JOBS = 256
SEVERITIES: tuple[SeverityName, ...] = get_args(SeverityName)


def config_of(document: Document, root: Path) -> Config:
    """The settings in `document` for the project at `root`; raises `ConfigError`."""
    problems: list[ConfigProblem] = []
    values = Values(document, document.table, problems)
    values.only(KEYS)
    default = default_config(root)
    registry, src = values.strings("registry"), values.strings("src")
    guess = values.flag("guess")
    config = Config(
        root=root,
        source=document.path,
        registry=default.registry if registry is None else registry_files(values, root, registry),
        select=values.strings("select"),
        ignore=values.strings("ignore") or (),
        extend_select=values.strings("extend-select") or (),
        severity=_severity(values),
        fail_on=cast(SeverityName | None, values.choice("fail-on", SEVERITIES)) or default.fail_on,
        exclude=values.strings("exclude") or (),
        src=default.src if src is None else tuple(root / folder for folder in src),
        allow=(*_allows(values), TEST_ESCAPE),
        baseline=root / (values.path("baseline") or default.baseline),
        clients=_dotted(values, "clients"),
        not_clients=_dotted(values, "not-clients"),
        guess=default.guess if guess is None else guess,
        target_server=_target_server(values) or default.target_server,
        coordination=_coordination(values),
        cache_dir=root / (values.path("cache-dir") or default.cache_dir),
        jobs=values.count("jobs", MOST_JOBS),
        lines=_lines(document),
    )
    if problems:
        raise ConfigError(sorted(problems, key=lambda problem: problem.line or 0))
    return config


def _lines(document: Document) -> dict[str, int | None]:
    found = {key: document.line(key) for key in document.table}
    severity, allow = document.table.get("severity"), document.table.get("allow")
    if isinstance(severity, dict):
        found |= {f"severity.{rule}": document.line(rule, "severity") for rule in severity}
    if isinstance(allow, list):
        found |= {f"allow.{index}": document.line("", "allow", index) for index in range(len(allow))}
    return found


def _severity(values: Values) -> dict[str, SeverityName]:
    table = values.table.get("severity", {})
    if not isinstance(table, dict):
        values.add("severity", '"severity" must be a table such as {RG704 = "note"}')
        return {}
    inner = Values(values.document, table, values.problems, "severity")
    chosen = {rule: cast(SeverityName | None, inner.choice(rule, SEVERITIES)) for rule in table}
    return {rule: severity for rule, severity in chosen.items() if severity}


def _allows(values: Values) -> tuple[Allow, ...]:
    tables = values.table.get("allow", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        values.add("allow", '"allow" must be a list of tables, each written [[tool.redis-guard.allow]]')
        return ()
    return tuple(
        _allow(Values(values.document, table, values.problems, "allow", index))
        for index, table in enumerate(tables)
    )


def _allow(values: Values) -> Allow:
    values.only(ALLOW_KEYS)
    for key in ALLOW_KEYS:
        if key not in values.table or values.table[key] == []:
            values.add(key, f'"{key}" is missing; an allow says which paths, which rules, and the reason')
    reason = values.string("reason") or ""
    if reason and len(reason.split()) < LEAST_REASON_WORDS:
        values.add("reason", f'the reason "{reason}" has fewer than {LEAST_REASON_WORDS} words; say why')
    return Allow(values.strings("paths") or (), values.strings("rules") or (), reason)


def _dotted(values: Values, key: str) -> tuple[str, ...]:
    names = values.strings(key) or ()
    for name in names:
        if not _is_dotted(name):
            values.add(key, f'"{key}": "{name}" is not a dotted name such as app.clients.get_redis')
    return names


def _target_server(values: Values) -> str | None:
    version = values.string("target-server")
    parts = (version or "0").split(".")
    if len(parts) > 3 or not all(
        part.isascii() and part.isdigit() and len(part) <= LONGEST_NUMBER for part in parts
    ):
        values.add(
            "target-server", f'"target-server" cannot be "{version}"; write a version such as "6.2" or "7.0"'
        )
        return None
    return version


def _coordination(values: Values) -> str | None:
    name = values.string("coordination")
    module, _, attribute = (name or "").partition(":")
    if name and not (_is_dotted(module) and _is_dotted(attribute)):
        values.add(
            "coordination", f'"coordination" cannot be "{name}"; write "app.coordination:coordination"'
        )
        return None
    return name


def _is_dotted(name: str) -> bool:
    return all(part.isidentifier() for part in name.split("."))
