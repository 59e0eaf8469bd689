"""What a loaded module gives to those who import it: one half of the closure that makes the byte sieve sound.

Law of this file: names only, and only those that somebody says who is not loaded yet.
"""

from collections.abc import Iterator, Set
from dataclasses import dataclass

from redis_guard.facts.model import Attr, Name, Scope
from redis_guard.project import classes, runtime
from redis_guard.project.attributes import inherited
from redis_guard.project.echoes import Echoes
from redis_guard.project.inference import Inference
from redis_guard.project.library import FIXTURE_DECORATORS, PACKAGES
from redis_guard.project.names import ModuleNames
from redis_guard.project.values import (
    ClassObject,
    Function,
    Instance,
    Library,
    Method,
    Partial,
    RedisObject,
    Row,
    ScopeRef,
    Value,
    Values,
    Wrapped,
)

_DEPTH = 3


@dataclass(frozen=True, slots=True)
class Export:
    """An importer of `path` that says `name`, and one of `then` where there are any, is worth reading."""

    path: str
    name: str
    then: frozenset[str]
    fixture: bool = False
    """A pytest fixture reaches tests that import nothing."""


def is_package(path: str) -> bool:
    """Whether names of the module can be imported as its submodules are: `from . import name`."""
    return path.endswith(("__init__.py", "__init__.pyi"))


class Exports:
    """Answers over the loaded modules of one round."""

    def __init__(self, inf: Inference, takers: Set[ScopeRef] = frozenset()) -> None:
        """`takers` are functions and classes that are handed names of use cases: their users say these names."""
        self._inf = inf
        self._takers = takers
        self._echoes = Echoes(inf)
        self._carried: dict[tuple[ScopeRef, bool], frozenset[str]] = {}

    def tails(self) -> set[str]:
        """The last names by which somebody may import a loaded module or something of it."""
        found: set[str] = set()
        for path in self._inf.index.modules:
            found.add(ModuleNames.tail(path))
            if is_package(path):
                found |= self._own(path)
        return found

    def names(self) -> frozenset[bytes]:
        """All names that a use of something exported could say."""
        tables = self._inf.index.tables
        found: set[str] = set()
        for path in self._inf.index.modules:
            found |= tables[path].defined
        return frozenset(name.encode() for name in found)

    def _own(self, path: str) -> set[str]:
        """The names of a module, but for what it has from packages outside the project."""
        index = self._inf.index
        configured = self._inf.clients or self._inf.coordination
        return {
            made.name
            for made in index.modules[path].scopes[0].defs
            if made.kind != "import" or configured or index.names.find(path, made.module) is not None
        }

    def of(self, path: str, said: Set[str], words: Set[str]) -> Iterator[Export]:
        """The names of one module through which a Redis object can be reached.

        `said` are those that its importers say, `words` all that anybody not loaded says of loaded modules.
        """
        inf = self._inf
        module = inf.index.modules[path]
        fixtures = {scope.name for scope in module.scopes if scope.parent == 0 and _is_fixture(scope)}
        fixtures |= self._foreign_fixtures(path)
        own = {made.name for made in module.scopes[0].defs if made.kind != "deleted"}
        for name in sorted(own & (said | fixtures)):
            fixture = name in fixtures
            direct, attributes = self._reach(inf.member(path, name), None if fixture else words, 0)
            if direct:
                yield Export(path, name, frozenset(), fixture)
            elif attributes:
                yield Export(path, name, frozenset(attributes), fixture)

    def _foreign_fixtures(self, path: str) -> set[str]:
        """Fixtures of other modules that this one imports, for the tests around it to see."""
        index = self._inf.index
        found: set[str] = set()
        for made in index.modules[path].scopes[0].defs:
            if made.kind == "import" and made.symbol in index.functions:
                values = self._inf.member(path, made.name)
                if any(
                    isinstance(v.object, Function) and _is_fixture(index.scope(v.object.ref)) for v in values
                ):
                    found.add(made.name)
        return found

    def _reach(self, values: Values, words: Set[str] | None, depth: int) -> tuple[bool, set[str]]:
        """Whether the values are Redis objects (or give them when called), and the attributes that lead to some."""
        inf = self._inf
        attributes: set[str] = set()
        for value in values:
            inner: list[Values] = []
            match value.object:
                case RedisObject() | Method():
                    return True, set()
                case Function(ref=ref) if ref in self._takers:
                    return True, set()
                case Wrapped(values=held):
                    inner.append(held)
                case Row(items=items):
                    inner.extend(items)
                case Function(ref=ref) if depth < _DEPTH and (words is None or not self._echoes.is_echo(ref)):
                    direct, more = self._reach(inf.returned(ref), words, depth + 1)
                    if direct:
                        return True, set()
                    attributes |= more
                case Partial(function=functions) if depth < _DEPTH:
                    if any(_names_use_case(v) for v in functions):
                        return True, set()
                    inner.append(inf.called(value, None, "", 0))
                case Library(name=name) if name.split(".")[0] in PACKAGES:
                    return True, set()
                case ClassObject(ref=ref) | Instance(ref=ref):
                    if classes.redis_base(inf, ref) is not None or self._is_handed_names(ref):
                        return True, set()
                    attributes |= self._attributes(ref, words)
            for values_within in inner:
                direct, more = self._reach(values_within, words, depth)
                if direct:
                    return True, set()
                attributes |= more
        return False, attributes

    def _attributes(self, ref: ScopeRef, words: Set[str] | None) -> frozenset[str]:
        """The attributes and methods of a class that give a Redis object, its own and those of what it holds."""
        if (known := self._carried.get((ref, words is None))) is None:
            self._carried[ref, words is None] = frozenset()  # a class that holds its own kind
            asked = attributes(self._inf, ref)
            found: set[str] = set()
            for name in sorted(asked if words is None else asked & words):
                held = held_under(self._inf, ref, name)
                if any(map(is_redis, held)) or self._takes_names(ref, name):
                    found.add(name)
                for value in held:
                    if isinstance(value.object, Instance | ClassObject):
                        found |= self._attributes(value.object.ref, words)
            known = self._carried[ref, words is None] = frozenset(found)
        return known

    def _is_handed_names(self, ref: ScopeRef) -> bool:
        """Whether names of use cases are said where the class is built or extended."""
        if not self._takers:
            return False
        line = classes.bases(self._inf, ref)
        return not self._takers.isdisjoint(line) or self._takes_names(ref, "__init__")

    def _takes_names(self, ref: ScopeRef, name: str) -> bool:
        held = inherited(self._inf, ref, name) if self._takers else ()
        return any(isinstance(v.object, Function) and v.object.ref in self._takers for v in held)

    def carries(self, ref: ScopeRef) -> bool:
        """Whether some attribute of the class leads to a Redis object, whoever speaks of it."""
        return bool(self._attributes(ref, None))


def _is_fixture(scope: Scope) -> bool:
    return bool(classes.decorators(scope) & FIXTURE_DECORATORS)


def _names_use_case(value: Value) -> bool:
    return isinstance(value.object, Method) and runtime.takes_use_case(value.object.owner, value.object.name)


def attributes(inf: Inference, ref: ScopeRef) -> set[str]:
    """The names that a class and its bases define or store."""
    names: set[str] = set()
    for item in classes.bases(inf, ref):
        if isinstance(item, str):
            continue
        names.update(inf.index.definitions(item.path, item.scope))
        for child in inf.index.tables[item.path].children.get(item.scope, ()):
            names.update(
                store.target.name
                for store in inf.index.modules[item.path].scopes[child].stores
                if isinstance(store.target, Attr) and isinstance(store.target.value, Name)
            )
    return names


def held_under(inf: Inference, ref: ScopeRef, name: str) -> Values:
    """What an instance of the class has under a name; of a method, the Redis objects that it gives.

    What only classes below it have is theirs: else every user of a general base would be worth reading.
    """
    found: list[Value] = []
    for value in inherited(inf, ref, name) if not name.startswith("__") else ():
        if isinstance(value.object, Function):
            found.extend(filter(is_redis, inf.returned(value.object.ref)))
        else:
            found.append(value)
    return tuple(found)


def is_redis(value: Value) -> bool:
    match value.object:
        case RedisObject() | Method():
            return True
        case Wrapped(values=inner):
            return any(is_redis(v) for v in inner)
    return False
