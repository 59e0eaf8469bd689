"""Rules over a linked project -> its judgement.

Law of this file: an error inside the tool is a finding about one file, never the end of the run.
"""

import traceback
from collections.abc import Callable, Iterable, Iterator, Set
from functools import partial

from redis_guard.config import TEST_ESCAPE, Config
from redis_guard.facts.marks import Marks, names_us, read_marks
from redis_guard.finding import INTERNAL_ERROR, Finding, Severity, Span
from redis_guard.mending import Mender
from redis_guard.precedence import resolve
from redis_guard.project.kept import Kept
from redis_guard.project.link import Settings
from redis_guard.project.load import FRAMES, Loaded, load
from redis_guard.project.model import ModuleUses, ServerVersion
from redis_guard.project.sources import Sources
from redis_guard.registry import Registry, read_sources, source_of
from redis_guard.registry.marks import registry_marks
from redis_guard.room import room
from redis_guard.rule import OfModule, OfProject, OfRegistry, Report, Rule
from redis_guard.rules import load_rules
from redis_guard.select import RuleEntry
from redis_guard.silence.paths import matcher
from redis_guard.stored import Judgement

_UNPARSABLE = ("RG001", "unparsable-file")


def load_project(config: Config, sources: Sources, jobs: int | None, *, sieve: bool = True) -> Loaded:
    """The project's uses as its configuration wants them read."""
    settings = Settings(
        frozenset(config.clients),
        frozenset(config.not_clients),
        config.guess,
        matcher(TEST_ESCAPE.paths),
        (config.coordination or "").replace(":", "."),
        ServerVersion(*config.server_version),
    )
    roots = tuple(
        path.relative_to(config.root).as_posix() for path in config.src if path.is_relative_to(config.root)
    )
    return load(sources, settings, roots=roots, jobs=jobs or config.jobs, sieve=sieve)


def judge(config: Config, sources: Sources, jobs: int | None) -> tuple[Judgement, tuple[str, ...]]:
    """Everything every rule says, and the tracebacks of errors inside the tool."""
    with room(FRAMES):
        return _judge(config, sources, jobs)


def registry_of(config: Config) -> Registry:
    """The registry that the configuration names. Raises RegistryError."""
    return read_sources(
        [source_of(name, path) for name, path in zip(config.registry_names, config.registry, strict=True)]
    )


def faults(loaded: Loaded, registry: Registry, tracebacks: list[str]) -> tuple[Finding, ...]:
    """What all rules find in a project that is loaded already; tracebacks of errors inside the tool are added."""
    unmended = Mender(lambda path: None, (0, 0))
    with room(FRAMES):
        return resolve(
            [
                finding
                for rule in load_rules()
                for finding in _apply(rule, loaded, registry, unmended, tracebacks)
            ]
        )


def _judge(config: Config, sources: Sources, jobs: int | None) -> tuple[Judgement, tuple[str, ...]]:
    registry = registry_of(config)
    loaded = load_project(config, sources, jobs)
    tracebacks: list[str] = list(loaded.linked.tracebacks)
    rules = load_rules()
    mender = Mender(sources.text, config.server_version)
    findings = [
        *_unparsable(loaded, sources),
        *(finding for rule in rules for finding in _apply(rule, loaded, registry, mender, tracebacks)),
    ]
    resolved = tuple(sorted(resolve(findings), key=lambda finding: finding.sort_key))
    judgement = Judgement(
        rule_entries(rules),
        resolved,
        _marks(loaded, sources, {finding.path for finding in resolved}, config.registry_names),
        tuple(sorted(loaded.facts)),
        loaded.linked.given_up,
    )
    return judgement, tuple(tracebacks)


def rule_entries(rules: Iterable[Rule]) -> tuple[RuleEntry, ...]:
    """What selecting needs to know of the rules."""
    return tuple(RuleEntry(rule.code, rule.name, rule.severity, rule.default, rule.whole) for rule in rules)


def _unparsable(loaded: Loaded, sources: Sources) -> Iterator[Finding]:
    for module in loaded.linked.project.modules:
        if module.error is not None:
            line, column, message = module.error
            yield _about_file(module.path, Span(line, column, line, column + 1), f"this file {message}")
    for path, why in sources.unreadable.items():
        line = why.line or 1
        yield _about_file(path, Span(line, 1, line, 2), f"this file {why.reason}")


def _about_file(path: str, span: Span, message: str) -> Finding:
    return Finding(*_UNPARSABLE, Severity.ERROR, message, path, span)


def _apply(
    rule: Rule, loaded: Loaded, registry: Registry, mender: Mender, tracebacks: list[str]
) -> Iterator[Finding]:
    project = loaded.linked.project
    if isinstance(rule.scope, OfModule):
        of_module = rule.scope.check
        for module in project.modules:
            yield from _guarded(rule, module, partial(of_module, module, registry), mender, tracebacks)
    elif isinstance(rule.scope, OfProject):
        yield from _guarded(rule, None, partial(rule.scope.check, project, registry), mender, tracebacks)
    elif isinstance(rule.scope, OfRegistry):
        yield from _guarded(rule, None, partial(rule.scope.check, registry), mender, tracebacks)


def _guarded(
    rule: Rule,
    module: ModuleUses | None,
    check: Callable[[], Iterator[Report]],
    mender: Mender,
    tracebacks: list[str],
) -> Iterator[Finding]:
    try:
        yield from [rule.finding(report, mender.fix(report)) for report in check()]
    except Exception as error:  # whatever a rule trips over must not cost the rest of the report
        tracebacks.append(traceback.format_exc())
        where = module.path if module is not None else ""
        said = f"{type(error).__name__}: {error}"
        what = "this file" if module is not None else "the project"
        message = f"{rule.code} could not judge {what} ({INTERNAL_ERROR}{said}); please report it"
        yield _about_file(where, Span(1, 1, 1, 2), message)


def _marks(
    loaded: Loaded, sources: Sources, found_in: Set[str], registry: tuple[str, ...]
) -> dict[str, Marks]:
    """The comments of files in which one may silence a finding, or has to be judged itself."""
    found: dict[str, Marks] = {}
    for path, facts in loaded.facts.items():
        text = sources.text(path) if facts.marked else None
        if text is not None and (path in found_in or names_us(text)):
            found[path] = _read_marks(path, text, sources.kept)
    for name in registry:
        text = sources.text(name)
        if text is not None and names_us(text):
            found[name] = registry_marks(text)
    return found


def _read_marks(path: str, text: str, kept: Kept | None) -> Marks:
    if kept is None:
        return read_marks(text)
    if (known := kept.marks.get(path)) is None or known[0] != text:
        known = kept.marks[path] = (text, read_marks(text))
    return known[1]
