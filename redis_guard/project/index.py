"""Where things are in the project: what a name-directed question must look at.

Law of this file: built once from facts, never changed by inference; every table is keyed by a plain name.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import NamedTuple

from redis_guard.facts.model import (
    Attr,
    Call,
    Compare,
    Const,
    Dict,
    Expr,
    ModuleFacts,
    Name,
    Scope,
    Store,
    Sub,
)
from redis_guard.project.names import ModuleNames
from redis_guard.project.values import ScopeRef
from redis_guard.project.walk import last_name, parts

_ADDERS = frozenset(["append", "add", "setdefault", "insert", "appendleft", "put", "put_nowait"])


class Site(NamedTuple):
    """An expression and the scope it is evaluated in."""

    path: str
    scope: int
    expr: Expr


class CallSite(NamedTuple):
    """A call and the scope it is made in."""

    path: str
    scope: int
    call: Call


class Point(NamedTuple):
    """An expression that may use a Redis object, within root `root` of its scope."""

    root: int
    expr: Call | Compare | Sub


class StoreSite(NamedTuple):
    """`target = value` and the scope it happens in."""

    path: str
    scope: int
    store: Store


class ProjectIndex:
    """Tables over the facts of all loaded modules."""

    def __init__(self, modules: Iterable[ModuleFacts], names: ModuleNames) -> None:
        self.loader: Callable[[str], ModuleFacts | None] | None = None
        """Reads a file that the sieve left out, for `ensure`."""
        self.modules: dict[str, ModuleFacts] = {module.path: module for module in modules if module.scopes}
        self.names = names
        self.calls: dict[str, list[CallSite]] = defaultdict(list)
        """Calls by the last name of what is called."""
        self.passed: dict[str, list[CallSite]] = defaultdict(list)
        """Calls by the last name of each argument that is a bare name or attribute: callbacks."""
        self.attribute_stores: dict[str, list[StoreSite]] = defaultdict(list)
        """`x.name = …` by name."""
        self.item_stores: dict[str, list[StoreSite]] = defaultdict(list)
        """`….name[…] = …` by the name of the container."""
        self.points: dict[tuple[str, int], list[Point]] = {}
        """(path, scope) -> its calls, comparisons and subscripts, outer before inner."""
        self._seen: set[int] = set()
        self.added: dict[tuple[str, str], list[Site]] = defaultdict(list)
        """(path, name of the container) -> what `append`, `put` and the like put into it."""
        self.class_level: set[str] = set()
        """Names that bodies of classes bind to something else than a function."""
        self.imports: dict[str, set[str]] = defaultdict(set)
        """path -> the first components of what the file imports."""
        self.top_level: dict[str, list[tuple[str, int]]] = defaultdict(list)
        """Definitions at the top of a module by name."""
        self.chained: set[tuple[str, int]] = set()
        """(path, scope) of the functions that call an `__init__` other than their own."""
        self.own_stores: dict[tuple[str, int, str], list[StoreSite]] = defaultdict(list)
        """(path, class scope, name) -> `self.name = …` and `cls.name = …` in its methods."""
        self.other_stores: dict[str, list[StoreSite]] = defaultdict(list)
        """`x.name = …` by name, where `x` is not the first parameter of the method it happens in."""
        self.homes: dict[str, list[int]] = {}
        """path -> for every scope the method it is or is nested in, -1 for none."""
        self.keyed: dict[str, list[Site]] = defaultdict(list)
        """`….get(…)["key"] = …` and `{"key": …}` by constant key."""
        self.named: dict[str, list[str]] = defaultdict(list)
        """Other names of a function or class by its own: `alias = Class`, `import Class as Alias`."""
        self.classes: dict[str, list[ScopeRef]] = defaultdict(list)
        self.functions: dict[str, list[ScopeRef]] = defaultdict(list)
        self.by_base: dict[str, list[ScopeRef]] = defaultdict(list)
        """Classes by the last name of each base."""
        self.members: dict[tuple[str, int], dict[str, list[int]]] = {}
        """(path, scope) -> name -> definitions."""
        self.children: dict[tuple[str, int], list[int]] = defaultdict(list)
        for module in self.modules.values():
            self._add(module)
        self._seen.clear()

    def ensure(self, path: str) -> bool:
        """Whether the facts of a file of the project are here, or can be had: constants are followed anywhere."""
        if path in self.modules:
            return True
        facts = self.loader(path) if self.loader is not None else None
        if facts is None or not facts.scopes:
            return False
        self.modules[path] = facts
        return True

    def scope(self, ref: ScopeRef) -> Scope:
        return self.modules[ref.path].scopes[ref.scope]

    def definitions(self, path: str, scope: int) -> dict[str, list[int]]:
        """name -> indexes of its definitions in that scope."""
        found = self.members.get((path, scope))
        if found is None:
            found = {}
            for number, definition in enumerate(self.modules[path].scopes[scope].defs):
                found.setdefault(definition.name, []).append(number)
            self.members[path, scope] = found
        return found

    def _add(self, module: ModuleFacts) -> None:
        homes: list[int] = []
        for number, scope in enumerate(module.scopes):
            inside = scope.parent >= 0 and module.scopes[scope.parent].kind == "class"
            homes.append(number if inside else homes[scope.parent] if scope.parent >= 0 else -1)
        self.homes[module.path] = homes
        for number, scope in enumerate(module.scopes):
            ref = ScopeRef(module.path, number)
            if scope.parent >= 0:
                self.children[module.path, scope.parent].append(number)
            if scope.kind == "class":
                self.classes[scope.name].append(ref)
                for base in scope.bases:
                    if base.keyword is None and (name := last_name(base.value)):
                        self.by_base[name].append(ref)
            elif scope.kind == "function":
                self.functions[scope.name].append(ref)
            points = self.points[module.path, number] = []
            for place, root in enumerate(scope.roots):
                self._expressions(module.path, number, root.expr, place, points)
            for decorator in scope.decorators:
                if isinstance(decorator, (Name, Attr)):
                    continue
                self._expressions(module.path, scope.parent, decorator, -1, [])
            for store in scope.stores:
                self._store(module.path, number, store)
            for place, definition in enumerate(scope.defs):
                if scope.kind == "class" and definition.kind != "function":
                    self.class_level.add(definition.name)
                if definition.kind == "import":
                    self.imports[module.path].add(definition.module.split(".")[0])
                if number == 0 and definition.kind in ("assign", "with", "for"):
                    self.top_level[definition.name].append((module.path, place))
                if definition.kind == "import" and definition.symbol and definition.symbol != definition.name:
                    self.named[definition.symbol].append(definition.name)
                elif (
                    definition.kind == "assign"
                    and isinstance(definition.value, (Name, Attr))
                    and (name := last_name(definition.value))
                    and name != definition.name
                ):
                    self.named[name].append(definition.name)

    def _store(self, path: str, scope: int, store: Store) -> None:
        site = StoreSite(path, scope, store)
        if isinstance(store.target, Attr):
            self.attribute_stores[store.target.name].append(site)
            self._attribute_store(site, store.target)
            if isinstance(store.value, (Name, Attr)) and (name := last_name(store.value)):
                self.named[name].append(store.target.name)
        else:
            if name := last_name(store.target.value):
                self.item_stores[name].append(site)
            if isinstance(store.target.index, Const) and isinstance(store.target.index.value, str):
                self.keyed[store.target.index.value].append(Site(path, scope, store.value))

    def _attribute_store(self, site: StoreSite, target: Attr) -> None:
        home = self.homes[site.path][site.scope]
        if home >= 0 and isinstance(target.value, Name):
            method = self.modules[site.path].scopes[home]
            if method.params and method.params[0].name == target.value.id:
                self.own_stores[site.path, method.parent, target.name].append(site)
                return
        self.other_stores[target.name].append(site)

    def _expressions(self, path: str, scope: int, root: Expr, place: int, points: list[Point]) -> None:
        stack = [root]
        while stack:
            expr = stack.pop()
            if isinstance(expr, (Call, Compare, Sub)):
                if id(expr) in self._seen:
                    continue  # default values stand in the facts of two scopes
                if place >= 0:
                    self._seen.add(id(expr))
                    points.append(Point(place, expr))
            if isinstance(expr, Call):
                func = expr.func
                name = (
                    func.id
                    if isinstance(func, Name)
                    else func.name
                    if isinstance(func, Attr)
                    else last_name(func)
                )
                site = CallSite(path, scope, expr)
                if name is not None:
                    self.calls[name].append(site)
                    if name == "__init__":
                        self.chained.add((path, scope))
                    if (
                        name in _ADDERS
                        and isinstance(func, Attr)
                        and expr.args
                        and (held := last_name(func.value))
                    ):
                        self.added[path, held].append(Site(path, scope, expr.args[-1].value))
                for arg in expr.args:
                    if isinstance(arg.value, Name):
                        self.passed[arg.value.id].append(site)
                    elif isinstance(arg.value, Attr):
                        self.passed[arg.value.name].append(site)
            elif isinstance(expr, Dict):
                for key, value in expr.items:
                    if isinstance(key, Const) and isinstance(key.value, str):
                        self.keyed[key.value].append(Site(path, scope, value))
            if expr_parts := parts(expr):
                stack.extend(reversed(expr_parts))

    def item_stores_of(self, expr: Expr) -> list[StoreSite]:
        """Stores into the container that `expr` names."""
        name = last_name(expr) if isinstance(expr, (Name, Attr)) else None
        return self.item_stores.get(name, []) if name else []


__all__ = ["CallSite", "ProjectIndex", "Site", "StoreSite", "Sub"]
