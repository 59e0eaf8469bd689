"""What the files that are not loaded say: whom they import, and which of our names they use.

Law of this file: bytes only. A word of a file stands for every use that the file may make of it.
"""

import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from redis_guard.project.sources import Sources
from redis_guard.source.imports import words
from redis_guard.source.sieve import mentions_any


@dataclass(frozen=True, slots=True)
class Wish:
    """What linking wants to see next: words by the last component of the module that exports them."""

    by_module: Mapping[str, tuple[tuple[frozenset[bytes], frozenset[bytes]], ...]]
    """tail of the module -> (one of these names, and one of these attributes if there are any)."""
    fixtures: tuple[tuple[str, bytes], ...]
    """folder, name of a pytest fixture: wanted below that folder."""
    files: frozenset[str]


class Importers:
    """The files of a project by what they import."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._by_token: dict[bytes, list[str]] = {}
        for path, entry in sources.entries.items():
            for token in entry.imports.split():
                self._by_token.setdefault(token, []).append(path)

    def speaks(self, path: str) -> bool:
        """Whether a file's own bytes speak of clients."""
        entry = self._sources.entries.get(path)
        return entry is None or entry.mentions

    def _files(self, tokens: Iterable[bytes], loaded: Collection[str]) -> dict[str, list[bytes]]:
        """The files not loaded that import one of these last names, and which they import."""
        found: dict[str, list[bytes]] = {}
        for token in tokens:
            for path in self._by_token.get(token, ()):
                if path not in loaded:
                    found.setdefault(path, []).append(token)
        return found

    def heard(
        self, tails: Iterable[str], names: frozenset[bytes], loaded: Collection[str]
    ) -> dict[str, set[str]]:
        """For each of these last names of modules, which of `names` the files that import it say."""
        found: dict[bytes, set[bytes]] = {}
        for path, asked in self._files((os.fsencode(tail) for tail in tails), loaded).items():
            data = self._sources.data(path)
            said = names.intersection(words(data)) if data is not None else frozenset[bytes]()
            for tail in asked:
                found.setdefault(tail, set()).update(said)
        return {os.fsdecode(tail): {name.decode() for name in said} for tail, said in found.items()}

    def granted(self, wish: Wish, loaded: Collection[str]) -> set[str]:
        """Files not loaded yet whose bytes answer the wish."""
        found = {path for path in wish.files if path in self._sources.entries and path not in loaded}
        rows = {os.fsencode(tail): rows for tail, rows in wish.by_module.items()}
        for path, tails in self._files(rows, loaded).items():
            data = self._sources.data(path) if path not in found else None
            if data is not None and any(
                mentions_any(data, names) and (not then or mentions_any(data, then))
                for tail in tails
                for names, then in rows[tail]
            ):
                found.add(path)
        return found | self._using_fixtures(wish, loaded, found)

    def _using_fixtures(self, wish: Wish, loaded: Collection[str], known: Collection[str]) -> set[str]:
        by_folder: dict[str, list[bytes]] = {}
        for folder, name in wish.fixtures:
            by_folder.setdefault(folder, []).append(name)
        found: set[str] = set()
        for path in self._sources.entries if by_folder else ():
            if path in loaded or path in known:
                continue
            names = [name for folder in _above(path) for name in by_folder.get(folder, ())]
            data = self._sources.data(path) if names else None
            if data is not None and mentions_any(data, names):
                found.add(path)
        return found


def _above(path: str) -> list[str]:
    """The folders a file is in, each with its slash at the end, the project's own as nothing."""
    found = [""]
    place = path.find("/")
    while place >= 0:
        found.append(path[: place + 1])
        place = path.find("/", place + 1)
    return found
