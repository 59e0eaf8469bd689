"""The use case `migrate`: the call sites of one registered use case, rewritten to the runtime.

Law of this file: knowledge comes from the whole project, and files that the paths mean are rewritten; a file that
has changed meanwhile, or that cannot be written back byte for byte, is left alone and named.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from redis_guard.analysis import remember, surveyed
from redis_guard.config import Config, load_config
from redis_guard.facts.model import ModuleFacts
from redis_guard.fixes.write import replace_file
from redis_guard.judging import load_project
from redis_guard.migrate.coordination import split, world
from redis_guard.migrate.handed import handed_on, talkers
from redis_guard.migrate.lookup import Lookup
from redis_guard.migrate.model import FileResult, Said, Target
from redis_guard.migrate.one_file import migrate_file
from redis_guard.migrate.sites import FileSites, find_sites, value_reads
from redis_guard.mistake import Mistake
from redis_guard.nearest import did_you_mean
from redis_guard.project.model import ModuleUses, ProjectUses
from redis_guard.project.names import ModuleNames
from redis_guard.project.sources import Sources
from redis_guard.registry import Registry, UseCase, source_of
from redis_guard.registry.loader import load_sources
from redis_guard.source.read import Unreadable
from redis_guard.source.text import decode


class UnknownUseCase(Mistake):
    """The registry has no use case of that name."""


@dataclass(frozen=True, slots=True)
class Change:
    """A file before and after."""

    path: str
    before: bytes
    after: bytes
    texts: tuple[str, str]
    sites: int


@dataclass(frozen=True, slots=True)
class Migrated:
    """What was rewritten, and what is left."""

    use_case: UseCase
    changes: tuple[Change, ...]
    left: tuple[Said, ...]
    """Call sites that were not rewritten, each with the reason."""
    notes: tuple[Said, ...]
    remarks: tuple[str, ...]
    """Lines about no place in particular."""

    @property
    def rewritten(self) -> int:
        return sum(change.sites for change in self.changes)


def migrate(
    paths: tuple[str, ...],
    use_case: str,
    *,
    write: bool,
    explicit: Path | None = None,
    jobs: int | None = None,
    use_cache: bool = True,
) -> Migrated:
    """Rewrite the call sites of `use_case` in the files that `paths` mean; without `write` no file is touched.

    Raises Mistake (of config, registry, path, an unknown use case, a coordination object that is not there).
    """
    config = _config(paths, explicit)
    registry = _registry(config)
    case = _use_case(registry, use_case, config)
    module, attribute = split(config.coordination, config.where("coordination"))
    sources, reported, warnings = surveyed(config, paths, use_cache=use_cache)
    lookup = Lookup.of(sources.text, sources.entries, _roots(config))
    asynchronous = world(module, attribute, config.where("coordination"), lookup)
    target = Target(case, module, attribute, asynchronous)
    loaded = load_project(config, sources, jobs, sieve=False)  # a helper that makes keys may be anywhere
    if use_cache and sources.counters.parsed:
        warnings += remember(config, sources)
    sites = find_sites(loaded.linked.project, registry, case)
    exported = _Exports(loaded.facts, lookup.names)
    results, remarks = [], list(warnings)
    blocked = _blocked(case, sites)
    handed = _handed(loaded.linked.project, lookup, registry, case, sites)
    for path in sorted({*sites, *handed} & reported):
        file = sites.get(path) or FileSites(_module(loaded.linked.project, path), (), ())
        if file.module.test:
            continue
        own = f"{path} makes the coordination object" if lookup.names.find("", module) == path else blocked
        given = tuple(handed.get(path, ()))
        text = sources.text(path) or ""
        results.append(
            migrate_file(file, text, target, lookup, blocked=own, exported=exported.of(path), handed=given)
        )
    remarks += _passed_over(sites, reported)
    changes, left = _changes(results, sources, write=write)
    notes = [note for result in results for note in result.notes if result.text is not None]
    return Migrated(case, tuple(changes), tuple(sorted(left)), tuple(sorted(notes)), tuple(remarks))


def _config(paths: tuple[str, ...], explicit: Path | None) -> Config:
    named = [Path(path) for path in paths]
    there = named and os.path.exists(named[0])  # noqa: PTH110 # pathlib raises where a folder may not be entered
    return load_config(named[0] if there else Path.cwd(), explicit, named)


def _registry(config: Config) -> Registry:
    named = zip(config.registry_names, config.registry, strict=True)
    return load_sources([source_of(name, path) for name, path in named])


def _use_case(registry: Registry, name: str, config: Config) -> UseCase:
    case = registry.use_case(name)
    if case is None:
        where = " or ".join(config.registry_names) or "the registry, which has no file"
        raise UnknownUseCase(f'"{name}" is not a use case of {where}{did_you_mean(name, registry.use_cases)}')
    return case


def _roots(config: Config) -> tuple[str, ...]:
    return tuple(
        path.relative_to(config.root).as_posix() for path in config.src if path.is_relative_to(config.root)
    )


def _blocked(case: UseCase, sites: Mapping[str, FileSites]) -> str:
    """Why nobody may store the runtime's token in place of a value: somebody reads it."""
    reads = value_reads(dict(sites)) if case.primitive in ("lock", "claim") else []
    if not reads:
        return ""
    call = reads[0].call
    return f"its value is read ({call.path}:{call.span.line}), and the runtime stores a token of its own"


def _handed(
    project: ProjectUses, lookup: Lookup, registry: Registry, case: UseCase, sites: Mapping[str, FileSites]
) -> dict[str, list[Said]]:
    """Calls that hand a key of the use case to a function which uses it, by file."""
    users = talkers(project)
    found: dict[str, list[Said]] = {}
    for module in project.modules:
        program = lookup.program(module.path)
        if program is not None:
            known = {site.call.span for site in sites[module.path].sites} if module.path in sites else set()
            said = list(handed_on(program, module.path, known, lookup, registry, case, users))
            if said:
                found[module.path] = said
    return found


def _module(project: ProjectUses, path: str) -> ModuleUses:
    return next(module for module in project.modules if module.path == path)


def _passed_over(sites: Mapping[str, FileSites], reported: frozenset[str]) -> Iterator[str]:
    tests = sum(len(file.sites) for file in sites.values() if file.module.test)
    others = sum(
        len(file.sites) for path, file in sites.items() if path not in reported and not file.module.test
    )
    if others:
        yield f"{_count(others)} outside the paths that were named"
    if tests:
        yield f"{_count(tests)} in tests, which may call Redis: not touched"


def _count(number: int) -> str:
    return f"{number} call site{'s' * (number != 1)}"


def _changes(results: list[FileResult], sources: Sources, *, write: bool) -> tuple[list[Change], list[Said]]:
    changes: list[Change] = []
    left = [said for result in results for said in result.left]
    for result in results:
        if result.text is None:
            continue
        made = _change(result, sources)
        if isinstance(made, Change) and write:
            why = replace_file(sources.tree_path(made.path), made.before, made.after)
            made = made if why is None else why.removeprefix(f"{sources.tree_path(made.path)}: ")
        if isinstance(made, Change):
            changes.append(made)
        else:
            left.append(Said(result.path, 1, 1, made))
    return changes, left


def _change(result: FileResult, sources: Sources) -> Change | str:
    """The file's bytes before and after; why not, where they cannot be had."""
    data = sources.data(result.path)
    source = None if data is None else decode(data)
    if data is None or source is None or isinstance(source, Unreadable):
        return "left alone: it cannot be read"
    if not source.exact:
        return "left alone: its encoding does not give the same bytes again"
    text = result.text or ""
    try:
        after = source.encode(text)
    except UnicodeEncodeError:
        return f"left alone: {source.encoding} cannot spell the new text"
    return Change(result.path, data, after, (source.text, text), result.rewritten)


@dataclass(frozen=True, slots=True)
class _Exports:
    """Which names of a file others import from it."""

    facts: Mapping[str, ModuleFacts]
    names: ModuleNames

    def of(self, path: str) -> frozenset[str]:
        """Of a package's own file, all: it may be there for nothing else."""
        tail = ModuleNames.tail(path)
        found = {
            made.symbol
            for other, facts in self.facts.items()
            if other != path
            for scope in facts.scopes
            for made in scope.defs
            if made.kind == "import" and made.symbol and made.module.rpartition(".")[2] in (tail, "")
        }
        if path.endswith("/__init__.py"):
            own = self.facts.get(path)
            found |= {made.name for made in own.scopes[0].defs} if own is not None else set()
        return frozenset(found)
