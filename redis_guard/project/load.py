"""From surveyed files to ProjectUses: the sieve's fixed point around facts and inference.

Law of this file: a file is parsed when its own bytes speak of a client, when it uses what a loaded file
exports, or when a loaded file hands it a client; and again until nothing new is wanted. Which files these are, a hasty
look is told by the one before it.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from redis_guard.facts.model import ModuleFacts
from redis_guard.project.candidates import seeds
from redis_guard.project.exports import Exports, is_package
from redis_guard.project.handing import handed_down
from redis_guard.project.importers import Importers, Wish
from redis_guard.project.index import ProjectIndex
from redis_guard.project.link import Linked, Linking, Settings, finish, start
from redis_guard.project.names import ModuleNames
from redis_guard.project.origins import Origins
from redis_guard.project.outside import Outside
from redis_guard.project.parsing import facts_of
from redis_guard.project.runtime_calls import RuntimeCalls
from redis_guard.project.sources import Sources
from redis_guard.project.tables import Tables
from redis_guard.room import room

_ROUNDS = 10
FRAMES = 12_000
"""A question asks further questions, each of some frames; their depth is bounded (see memory.py)."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A project linked, and the facts it was linked from."""

    linked: Linked
    facts: Mapping[str, ModuleFacts]


def load(
    sources: Sources,
    settings: Settings,
    *,
    roots: tuple[str, ...] = (),
    jobs: int | None = None,
    sieve: bool = True,
) -> Loaded:
    """Link the project whose files are `sources`; without `sieve` every file is parsed."""
    with room(FRAMES):
        return _load(sources, settings, roots, jobs, sieve)


def _load(
    sources: Sources, settings: Settings, roots: tuple[str, ...], jobs: int | None, sieve: bool
) -> Loaded:
    paths = set(sources.entries) | set(sources.overlay)
    names = ModuleNames(paths, roots)
    importers = Importers(sources)
    wanted = seeds(sources, sources.overlay) if sieve else paths
    kept = sources.kept
    hasty = kept is not None and kept.hasty
    if kept is not None and hasty:
        wanted |= kept.wanted & paths
    for name in sorted({settings.coordination, *settings.clients} - {""}):
        wanted |= _configured(name, names, importers)
    facts = facts_of(sources, wanted, jobs)
    tables: dict[str, Tables] = {}
    for _ in range(_ROUNDS):
        sources.counters.rounds += 1
        if kept is not None:
            kept.lend(facts.values(), tables)
        while sieve and (above := _bases(importers, ProjectIndex(facts.values(), names, tables), facts)):
            facts.update(facts_of(sources, above, jobs))
        linking = start(facts.values(), names, settings, tables)
        if not sieve or not facts or hasty:
            break
        loaded = set(facts)
        more = importers.granted(_wish(linking, frozenset(loaded), importers), loaded)
        if not more:
            break
        facts.update(facts_of(sources, more, jobs))
    else:
        linking = start(facts.values(), names, settings, tables)

    def demanded(path: str) -> ModuleFacts | None:
        if path not in facts and path in paths:
            facts.update(facts_of(sources, [path], 1))
        return facts.get(path)

    linking.inference.index.loader = demanded
    linked = finish(linking)
    if kept is not None:
        kept.take(facts, tables)
    return Loaded(linked, facts)


def _bases(importers: Importers, index: ProjectIndex, loaded: Collection[str]) -> set[str]:
    """Files with the bases of classes in files that speak of clients: no answer is worth asking for without them."""
    return Outside(index, loaded).bases(path for path in index.modules if importers.speaks(path))


def _configured(name: str, names: ModuleNames, importers: Importers) -> set[str]:
    """The file whose name the configuration explains, if it is one of the project, and whoever may speak of it."""
    module, _, attribute = name.rpartition(".")
    above, homes = module, set[str]()
    while above and not homes:
        homes |= {home for home in (names.find("", above),) if home is not None}
        above = above.rpartition(".")[0]
    rows = ((frozenset({attribute.encode()}), frozenset[bytes]()),)
    return homes | importers.granted(Wish(dict.fromkeys(module.split("."), rows), (), frozenset()), ())


def _wish(linking: Linking, loaded: frozenset[str], importers: Importers) -> Wish:
    inference = linking.inference
    by_module: dict[str, list[tuple[frozenset[bytes], frozenset[bytes]]]] = {}
    fixtures: list[tuple[str, bytes]] = []
    takers, said_in = RuntimeCalls(inference, Origins(inference), linking.settings.is_test).leads()
    files = set(said_in)
    exports = Exports(inference, takers)
    heard = importers.heard(exports.tails(), exports.names(), loaded)
    said = frozenset[str]().union(*heard.values())
    for path in sorted(inference.index.modules):
        direct: set[bytes] = set()
        tail = ModuleNames.tail(path)
        package = is_package(path)
        names = {*heard.get(tail, ()), *(heard if package else ())}
        for export in exports.of(path, names, said):
            name = export.name.encode()
            if export.fixture:
                fixtures.append((path.rpartition("/")[0] + "/" if "/" in path else "", name))
            if not export.then:
                direct.add(name)
            row = (frozenset({name}), frozenset(word.encode() for word in export.then))
            if export.then:
                by_module.setdefault(tail, []).append(row)
            if package:
                # `from . import name` names the thing, not the package
                by_module.setdefault(export.name, []).append(row)
        if direct:
            by_module.setdefault(tail, []).append((frozenset(direct), frozenset()))
        files |= handed_down(inference, exports, path, loaded)
    return Wish({tail: tuple(rows) for tail, rows in by_module.items()}, tuple(fixtures), frozenset(files))
