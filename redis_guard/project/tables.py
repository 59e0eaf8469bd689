"""What one module says, by plain names: the part of the index that stays as it is whoever else is loaded.

Law of this file: from the facts of one module alone, in one walk.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

from redis_guard.facts.model import (
    Attr,
    Call,
    Compare,
    Const,
    Def,
    Dict,
    Expr,
    ModuleFacts,
    Name,
    Scope,
    Store,
    Sub,
    Yield,
)
from redis_guard.project.values import ScopeRef
from redis_guard.project.walk import last_name, parts

_ADDERS = frozenset(["append", "add", "setdefault", "insert", "appendleft", "put", "put_nowait"])
_MEMBERSHIP = (("in",), ("not in",))


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


@dataclass(slots=True)
class Named:
    """Lists by name, of one module or of all together."""

    calls: dict[str, list[CallSite]] = field(default_factory=lambda: defaultdict(list))
    """Calls by the last name of what is called."""
    passed: dict[str, list[CallSite]] = field(default_factory=lambda: defaultdict(list))
    """Calls by the last name of each argument that is a bare name or attribute: callbacks."""
    attribute_stores: dict[str, list[StoreSite]] = field(default_factory=lambda: defaultdict(list))
    """`x.name = …` by name."""
    item_stores: dict[str, list[StoreSite]] = field(default_factory=lambda: defaultdict(list))
    """`….name[…] = …` by the name of the container."""
    other_stores: dict[str, list[StoreSite]] = field(default_factory=lambda: defaultdict(list))
    """`x.name = …` by name, where `x` is not the first parameter of the method it happens in."""
    keyed: dict[str, list[Site]] = field(default_factory=lambda: defaultdict(list))
    """`….get(…)["key"] = …` and `{"key": …}` by constant key."""
    top_level: dict[str, list[tuple[str, int]]] = field(default_factory=lambda: defaultdict(list))
    """Definitions at the top of a module by name."""
    named: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """Other names of a function or class by its own: `alias = Class`, `import Class as Alias`."""
    classes: dict[str, list[ScopeRef]] = field(default_factory=lambda: defaultdict(list))
    functions: dict[str, list[ScopeRef]] = field(default_factory=lambda: defaultdict(list))
    by_base: dict[str, list[ScopeRef]] = field(default_factory=lambda: defaultdict(list))
    """Classes by the last name of each base."""

    def take(self, other: "Named") -> None:
        """Put another module's rows behind those that are here."""
        for name in Named.__slots__:
            ours = getattr(self, name)
            for key, rows in getattr(other, name).items():
                ours[key].extend(rows)


@dataclass(slots=True)
class Tables:
    """One module's rows."""

    homes: tuple[int, ...]
    """For every scope the method it is or is nested in, -1 for none."""
    points: list[list[Point]]
    """For every scope its calls, tests of membership and subscripts, outer before inner."""
    free: list[set[str]]
    """For every scope the names it reads from outside itself."""
    rows: Named = field(default_factory=Named)
    added: dict[str, list[Site]] = field(default_factory=lambda: defaultdict(list))
    """By name of the container, what `append`, `put` and the like put into it."""
    own_stores: dict[tuple[int, str], list[StoreSite]] = field(default_factory=lambda: defaultdict(list))
    """(class scope, name) -> `self.name = …` and `cls.name = …` in its methods."""
    through: dict[str, list[tuple[int, Call]]] = field(default_factory=lambda: defaultdict(list))
    """Calls with arguments, and their scopes, by the name that what is called begins with."""
    yields: dict[int, list[Yield]] = field(default_factory=lambda: defaultdict(list))
    children: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    chained: set[int] = field(default_factory=set)
    """Scopes that call an `__init__` other than their own."""
    class_level: set[str] = field(default_factory=set)
    """Names that bodies of classes bind to something else than a function."""
    imports: set[str] = field(default_factory=set)
    """The first components of what the file imports."""


def homes(module: ModuleFacts) -> tuple[int, ...]:
    """For every scope the method it is or is nested in, -1 for none."""
    found: list[int] = []
    for number, scope in enumerate(module.scopes):
        inside = scope.parent >= 0 and module.scopes[scope.parent].kind == "class"
        found.append(number if inside else found[scope.parent] if scope.parent >= 0 else -1)
    return tuple(found)


def tables(module: ModuleFacts) -> Tables:
    """Read the facts of a module."""
    found = Tables(homes(module), [[] for _ in module.scopes], [set() for _ in module.scopes])
    for number, scope in enumerate(module.scopes):
        if scope.parent >= 0:
            found.children[scope.parent].append(number)
        _opened(found, ScopeRef(module.path, number), scope)
        for place, root in enumerate(scope.roots):
            _expressions(found, module.path, number, root.expr, place)
        for store in scope.stores:
            _store(found, module, number, store)
        for place, definition in enumerate(scope.defs):
            _definition(found, module.path, number, scope, place, definition)
    return found


def _opened(found: Tables, ref: ScopeRef, scope: Scope) -> None:
    if scope.kind == "class":
        found.rows.classes[scope.name].append(ref)
        for base in scope.bases:
            if base.keyword is None and (name := last_name(base.value)):
                found.rows.by_base[name].append(ref)
    elif scope.kind == "function":
        found.rows.functions[scope.name].append(ref)


def _definition(found: Tables, path: str, number: int, scope: Scope, place: int, made: Def) -> None:
    kind = made.kind
    if scope.kind == "class" and kind != "function":
        found.class_level.add(made.name)
    if kind == "import":
        found.imports.add(made.module.partition(".")[0])
        if made.symbol and made.symbol != made.name:
            found.rows.named[made.symbol].append(made.name)
    if number == 0 and kind in ("assign", "with", "for"):
        found.rows.top_level[made.name].append((path, place))
    if kind == "assign" and isinstance(made.value, (Name, Attr)):
        name = last_name(made.value)
        if name and name != made.name:
            found.rows.named[name].append(made.name)


def _store(found: Tables, module: ModuleFacts, scope: int, store: Store) -> None:
    site, target = StoreSite(module.path, scope, store), store.target
    if isinstance(target, Attr):
        found.rows.attribute_stores[target.name].append(site)
        _attribute_store(found, module, site, target)
        if isinstance(store.value, (Name, Attr)) and (name := last_name(store.value)):
            found.rows.named[name].append(target.name)
        return
    if name := last_name(target.value):
        found.rows.item_stores[name].append(site)
    if isinstance(target.index, Const) and isinstance(target.index.value, str):
        found.rows.keyed[target.index.value].append(Site(module.path, scope, store.value))


def _attribute_store(found: Tables, module: ModuleFacts, site: StoreSite, target: Attr) -> None:
    home = found.homes[site.scope]
    if home >= 0 and isinstance(target.value, Name):
        method = module.scopes[home]
        if method.params and method.params[0].name == target.value.id:
            found.own_stores[method.parent, target.name].append(site)
            return
    found.rows.other_stores[target.name].append(site)


def _expressions(found: Tables, path: str, scope: int, root: Expr, place: int) -> None:
    """One walk for all that is asked of every expression; the commonest first, since nothing is asked more often."""
    free, points = found.free[scope], found.points[scope]
    stack = [root]
    while stack:
        expr = stack.pop()
        if isinstance(expr, Name):
            if not expr.defs:
                free.add(expr.id)
            continue
        if isinstance(expr, Const):
            continue
        if isinstance(expr, Attr):
            stack.append(expr.value)
            continue
        if isinstance(expr, Call):
            points.append(Point(place, expr))
            _call(found, path, scope, expr)
        elif isinstance(expr, Sub) or (isinstance(expr, Compare) and expr.ops in _MEMBERSHIP):
            points.append(Point(place, expr))
        elif isinstance(expr, Dict):
            for key, value in expr.items:
                if isinstance(key, Const) and isinstance(key.value, str):
                    found.rows.keyed[key.value].append(Site(path, scope, value))
        elif isinstance(expr, Yield):
            found.yields[scope].append(expr)
        stack.extend(parts(expr)[::-1])


def _call(found: Tables, path: str, scope: int, call: Call) -> None:
    func = call.func
    site = CallSite(path, scope, call)
    name = last_name(func)
    if name is not None:
        found.rows.calls[name].append(site)
        if name == "__init__":
            found.chained.add(scope)
        if name in _ADDERS and isinstance(func, Attr) and call.args and (held := last_name(func.value)):
            found.added[held].append(Site(path, scope, call.args[-1].value))
    if not call.args:
        return
    for arg in call.args:
        if isinstance(arg.value, Name):
            found.rows.passed[arg.value.id].append(site)
        elif isinstance(arg.value, Attr):
            found.rows.passed[arg.value.name].append(site)
    while isinstance(func, Attr):
        func = func.value
    if isinstance(func, Name):
        found.through[func.id].append((scope, call))
