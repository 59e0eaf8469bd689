"""Where things are in the project: what a name-directed question must look at.

Law of this file: put together once from the tables of modules, never changed by inference; every table is
keyed by a plain name.
"""

from collections.abc import Callable, Iterable, MutableMapping

from redis_guard.facts.model import ModuleFacts, Scope
from redis_guard.project.names import ModuleNames
from redis_guard.project.tables import Named, Site, StoreSite, Tables, homes, tables
from redis_guard.project.values import ScopeRef


class ProjectIndex:
    """Tables over the facts of all loaded modules."""

    def __init__(
        self,
        modules: Iterable[ModuleFacts],
        names: ModuleNames,
        read: MutableMapping[str, Tables] | None = None,
    ) -> None:
        """`read` has the tables of modules that were indexed before, and gets those of the others."""
        self.loader: Callable[[str], ModuleFacts | None] | None = None
        """Reads a file that the sieve left out, for `ensure`."""
        self.modules: dict[str, ModuleFacts] = {module.path: module for module in modules if module.scopes}
        self.names = names
        self.tables: MutableMapping[str, Tables] = {} if read is None else read
        """path -> what the module itself says."""
        rows = Named()
        self.calls, self.passed, self.keyed, self.named = rows.calls, rows.passed, rows.keyed, rows.named
        self.attribute_stores, self.item_stores = rows.attribute_stores, rows.item_stores
        self.other_stores, self.top_level = rows.other_stores, rows.top_level
        self.classes, self.functions, self.by_base = rows.classes, rows.functions, rows.by_base
        self.class_level: set[str] = set()
        """Names that bodies of classes bind to something else than a function."""
        self.homes: dict[str, tuple[int, ...]] = {}
        """path -> for every scope the method it is or is nested in, -1 for none."""
        self._members: dict[tuple[str, int], dict[str, list[int]]] = {}
        for path, module in self.modules.items():
            own = self.tables.get(path)
            if own is None:
                own = self.tables[path] = tables(module)
            rows.take(own.rows)
            self.class_level |= own.class_level
            self.homes[path] = own.homes

    def ensure(self, path: str) -> bool:
        """Whether the facts of a file of the project are here, or can be had: constants are followed anywhere."""
        if path in self.modules:
            return True
        facts = self.loader(path) if self.loader is not None else None
        if facts is None or not facts.scopes:
            return False
        self.modules[path] = facts
        self.homes[path] = homes(facts)
        return True

    def scope(self, ref: ScopeRef) -> Scope:
        return self.modules[ref.path].scopes[ref.scope]

    def definitions(self, path: str, scope: int) -> dict[str, list[int]]:
        """name -> indexes of its definitions in that scope."""
        found = self._members.get((path, scope))
        if found is None:
            found = {}
            for number, definition in enumerate(self.modules[path].scopes[scope].defs):
                found.setdefault(definition.name, []).append(number)
            self._members[path, scope] = found
        return found

    def own_stores(self, path: str, scope: int, name: str) -> list[StoreSite]:
        """`self.name = …` and `cls.name = …` in the methods of the class."""
        own = self.tables.get(path)
        return own.own_stores.get((scope, name), []) if own is not None else []

    def added(self, path: str, name: str) -> list[Site]:
        """What `append`, `put` and the like put into a container of that name in the module."""
        own = self.tables.get(path)
        return own.added.get(name, []) if own is not None else []

    def imports(self, path: str) -> set[str]:
        """The first components of what the file imports."""
        own = self.tables.get(path)
        return own.imports if own is not None else set()

    def chained(self, path: str, scope: int) -> bool:
        """Whether the function calls an `__init__` other than its own."""
        own = self.tables.get(path)
        return own is not None and scope in own.chained
