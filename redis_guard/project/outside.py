"""Where names come from that no loaded file defines: imports followed from file to file.

Law of this file: names and facts only, nothing is inferred; a name is one thing, the first that is found.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from redis_guard.facts.model import Attr, Call, Def, Expr, Name
from redis_guard.project.index import ProjectIndex
from redis_guard.project.library import PACKAGES
from redis_guard.project.naming import client_like, distinctive
from redis_guard.project.values import ScopeRef
from redis_guard.project.walk import last_name

_HOPS = 6
"""Packages that hand a name on, one to the other, beyond this many are not followed."""


class Source(NamedTuple):
    """The project file, not loaded, that a name is imported from; or the loaded class that it is."""

    file: str | None = None
    cls: ScopeRef | None = None


_UNKNOWN = Source()


def _asks_client(expr: Expr) -> bool:
    if not isinstance(expr, Call) or not isinstance(expr.func, Attr):
        return False
    return distinctive(expr.func.name) or client_like(last_name(expr.func.value) or "")


class Outside:
    """Answers over the loaded modules of one round."""

    def __init__(self, index: ProjectIndex, loaded: Collection[str]) -> None:
        self._index = index
        self._loaded = loaded

    def bases(self, paths: Iterable[str]) -> set[str]:
        """The files, not loaded, of what is extended by classes of these modules that speak of Redis themselves.

        What a method uses may be set by the class it is inherited from, in a file that knows nothing of Redis.
        """
        waiting = [ref for path in paths for ref in self._speaking(path)]
        seen: set[ScopeRef] = set()
        wanted: set[str] = set()
        while waiting:
            ref = waiting.pop()
            if ref in seen:
                continue
            seen.add(ref)
            scope = self._index.scope(ref)
            for base in scope.bases:
                source = self.source(ref.path, scope.parent, base.value)
                if source.file is not None:
                    wanted.add(source.file)
                elif source.cls is not None:
                    waiting.append(source.cls)
        return wanted

    def _speaking(self, path: str) -> set[ScopeRef]:
        """The classes with a method that asks something of a client, by the name of either.

        Where the file itself imports a client's package, all of its classes.
        """
        scopes, tables = self._index.modules[path].scopes, self._index.tables[path]
        if tables.imports & PACKAGES:
            return {ScopeRef(path, number) for number, scope in enumerate(scopes) if scope.kind == "class"}
        found: set[ScopeRef] = set()
        for home, points in zip(tables.homes, tables.points, strict=True):
            cls = ScopeRef(path, scopes[home].parent) if home >= 0 else None
            if cls is not None and cls not in found and any(_asks_client(expr) for _, expr in points):
                found.add(cls)
        return found

    def source(self, path: str, scope: int, expr: Expr) -> Source:
        """Where a called or extended name comes from."""
        trail: list[str] = []
        while isinstance(expr, Attr):
            trail.insert(0, expr.name)
            expr = expr.value
        if not isinstance(expr, Name):
            return _UNKNOWN
        scopes = self._index.modules[path].scopes
        number = scope
        while number >= 0:
            for index in self._index.definitions(path, number).get(expr.id, ()):
                made = scopes[number].defs[index]
                if made.kind != "import":
                    return self._defined(path, made, trail)
                if (found := self._imported(path, made, trail, 0)) != _UNKNOWN:
                    return found
            number = scopes[number].parent
        return _UNKNOWN

    def _defined(self, path: str, made: Def, trail: Sequence[str]) -> Source:
        return Source(cls=ScopeRef(path, made.target)) if made.kind == "class" and not trail else _UNKNOWN

    def _imported(self, path: str, made: Def, trail: Sequence[str], hops: int) -> Source:
        found = self._index.names.find(path, made.module)
        if found is None:
            below = self._index.names.find(path, f"{made.module}.{trail[0]}") if trail else None
            return Source(below) if below is not None and below not in self._loaded else _UNKNOWN
        if found not in self._loaded:
            return Source(found)
        names = [*([made.symbol] if made.symbol is not None else ()), *trail]
        return self._member(found, names, hops + 1) if names else _UNKNOWN

    def _member(self, path: str, names: Sequence[str], hops: int) -> Source:
        """Where a member of a loaded module comes from."""
        if path not in self._index.modules or hops > _HOPS:
            return _UNKNOWN
        below = self._index.names.submodule(path, names[0])
        if below is not None:
            if below not in self._loaded:
                return Source(below)
            return self._member(below, names[1:], hops + 1) if len(names) > 1 else _UNKNOWN
        return next((found for found in self._given(path, names, hops) if found != _UNKNOWN), _UNKNOWN)

    def _given(self, path: str, names: Sequence[str], hops: int) -> Iterator[Source]:
        module = self._index.modules[path]
        numbers = self._index.definitions(path, 0).get(names[0], ())
        for made in (module.scopes[0].defs[number] for number in numbers):
            if made.kind == "import":
                yield self._imported(path, made, names[1:], hops)
            else:
                yield self._defined(path, made, names[1:])
        for star in module.star_imports if not numbers else ():
            found = self._index.names.find(path, star)
            if found is not None:
                yield self._member(found, names, hops + 1) if found in self._loaded else Source(found)
