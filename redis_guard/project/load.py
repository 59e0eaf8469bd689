"""From surveyed files to ProjectUses: the sieve's fixed point around facts and inference.

Law of this file: a file is parsed when its own bytes speak of a client, when it uses what a loaded file
exports, or when a loaded file hands it a client; and again until nothing new is wanted.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass

from redis_guard.facts.model import ModuleFacts
from redis_guard.project.candidates import Wish, granted, seeds
from redis_guard.project.exports import exports, handed_down
from redis_guard.project.inference import Inference
from redis_guard.project.link import Linked, Settings, finish, start
from redis_guard.project.names import ModuleNames
from redis_guard.project.parsing import facts_of
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
    wanted = seeds(sources, sources.overlay) if sieve else paths
    facts = facts_of(sources, wanted, jobs)
    tables: dict[str, Tables] = {}
    for _ in range(_ROUNDS):
        sources.counters.rounds += 1
        linking = start(facts.values(), names, settings, tables)
        if not sieve or not facts:
            break
        loaded = set(facts)
        more = granted(sources, _wish(linking.inference, frozenset(loaded), _tokens(sources, loaded)), loaded)
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
    return Loaded(finish(linking), facts)


def _names(inference: Inference, path: str) -> set[str]:
    return {made.name for made in inference.index.modules[path].scopes[0].defs}


def _tokens(sources: Sources, loaded: set[str]) -> frozenset[bytes]:
    """Everything that files not loaded import, by last names."""
    return frozenset().union(*(entry.tokens for path, entry in sources.entries.items() if path not in loaded))


def _wish(inference: Inference, loaded: frozenset[str], tokens: frozenset[bytes]) -> Wish:
    by_module: dict[str, list[tuple[frozenset[bytes], frozenset[bytes]]]] = {}
    fixtures: list[tuple[str, bytes]] = []
    files: set[str] = set()
    for path in sorted(inference.index.modules):
        direct: set[bytes] = set()
        tail = ModuleNames.tail(path)
        package = path.endswith(("__init__.py", "__init__.pyi"))
        imported = os.fsencode(tail) in tokens or (
            package and any(name.encode() in tokens for name in _names(inference, path))
        )
        for export in exports(inference, path, imported):
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
        files |= handed_down(inference, path, loaded)
    return Wish({tail: tuple(rows) for tail, rows in by_module.items()}, tuple(fixtures), frozenset(files))
