"""Where a value was written: from a name or attribute back to the expressions that give it.

Law of this file: only bindings are followed, never calls; a value that can come from elsewhere says so.
"""

from dataclasses import dataclass
from typing import NamedTuple

from redis_guard.facts.model import Attr, Def, Expr, Name, Scope, Seq, Star, Walrus
from redis_guard.project import classes
from redis_guard.project.inference import Inference
from redis_guard.project.values import ClassObject, Instance, ModuleObject, RedisObject, ScopeRef

_DEPTH = 8
_WIDTH = 16


class Source(NamedTuple):
    """One binding of a name or attribute: what it was given, evaluated in `scope`, and which definition that is.

    `expr` is None where the value is not an expression one could look at: a parameter, a loop's variable.
    """

    path: str
    scope: int
    expr: Expr | None
    definition: Def | None = None
    number: int = -1


class Sources(NamedTuple):
    """The bindings of a name or attribute, and whether there can be no others."""

    found: tuple[Source, ...]
    complete: bool


class Origin(NamedTuple):
    """An expression and the scope it is evaluated in; `parameter` where the trail ends at one."""

    path: str
    scope: int
    expr: Expr | None
    parameter: Def | None = None


@dataclass(frozen=True, slots=True)
class Trail:
    """All origins found, and whether there may be others."""

    origins: tuple[Origin, ...]
    complete: bool


_NOTHING = Sources((), False)


def leaves(scope: Scope, numbers: tuple[int, ...]) -> tuple[int, ...]:
    """Definitions with those of loop heads replaced by what flows into them."""
    found: list[int] = []
    seen: set[int] = set()
    waiting = list(numbers)
    while waiting:
        number = waiting.pop(0)
        if number in seen:
            continue
        seen.add(number)
        made = scope.defs[number]
        if made.kind == "merged":
            waiting.extend(made.sources)
        else:
            found.append(number)
    return tuple(found)


class Origins:
    """Answers over one project, attributes of classes remembered."""

    def __init__(self, inf: Inference) -> None:
        self._inf = inf
        self._attributes: dict[tuple[ScopeRef, str], Sources] = {}

    def trail(self, path: str, scope: int, expr: Expr) -> Trail:
        """The expressions that a name or attribute may stand for; any other expression stands for itself."""
        found: dict[tuple[str, int, int, int], Origin] = {}
        complete = True
        seen: set[int] = set()
        waiting: list[tuple[Origin, int]] = [(Origin(path, scope, expr), 0)]
        while waiting:
            here, depth = waiting.pop(0)
            node = here.expr
            if not isinstance(node, (Name, Attr, Walrus)):
                found.setdefault((here.path, here.scope, id(node), id(here.parameter)), here)
                continue
            if id(node) in seen:
                continue
            seen.add(id(node))
            if depth >= _DEPTH or len(found) >= _WIDTH:
                complete = False
                continue
            given = self.sources(here.path, here.scope, node)
            complete = complete and given.complete
            for source in given.found:
                if source.expr is not None:
                    waiting.append((Origin(source.path, source.scope, source.expr), depth + 1))
                elif source.definition is not None and source.definition.kind == "parameter":
                    origin = Origin(source.path, source.scope, None, source.definition)
                    found.setdefault((source.path, source.scope, 0, id(source.definition)), origin)
        return Trail(tuple(found.values()), complete)

    def sources(self, path: str, scope: int, expr: Name | Attr | Walrus) -> Sources:
        """The bindings that a name or attribute may have here, one step back."""
        match expr:
            case Walrus(value=value, definition=number):
                made = self._inf.index.modules[path].scopes[scope].defs[number]
                return Sources((Source(path, scope, value, made, number),), True)
            case Name(id=name, defs=defs):
                return self._definitions(path, scope, defs, 0) if defs else self._free(path, scope, name)
            case Attr(value=value, name=name):
                return self._attribute(path, scope, value, name)

    def _definitions(self, path: str, scope: int, numbers: tuple[int, ...], depth: int) -> Sources:
        facts = self._inf.index.modules[path].scopes[scope]
        return _together([self._definition(path, scope, number, depth) for number in leaves(facts, numbers)])

    def _definition(self, path: str, scope: int, number: int, depth: int) -> Sources:
        made = self._inf.index.modules[path].scopes[scope].defs[number]
        if made.kind == "import":
            return self._imported(path, made, depth)
        if made.kind in ("assign", "augmented") and made.value is not None:
            part = part_of(made.value, made.unpack)
            return Sources((Source(path, made.scope, part, made, number),), part is not None)
        return Sources((Source(path, scope, None, made, number),), False)

    def _free(self, path: str, scope: int, name: str) -> Sources:
        owner = self.owner(path, scope, name)
        if owner is None:
            return _NOTHING
        return self._definitions(path, owner, tuple(self._inf.index.definitions(path, owner)[name]), 0)

    def owner(self, path: str, scope: int, name: str) -> int | None:
        """The scope in which a name that `scope` only reads is bound."""
        scopes = self._inf.index.modules[path].scopes
        number = scope
        while number >= 0:
            sees = number == scope or scopes[number].kind != "class"
            if sees and name in self._inf.index.definitions(path, number):
                return number
            number = scopes[number].parent
        return None

    def _imported(self, path: str, made: Def, depth: int) -> Sources:
        found = self._inf.index.names.find(path, made.module)
        if found is None or made.symbol is None or not self._inf.index.ensure(found):
            return _NOTHING
        return self._member(found, 0, made.symbol, depth)

    def _member(self, path: str, scope: int, name: str, depth: int) -> Sources:
        numbers = self._inf.index.definitions(path, scope).get(name)
        if not numbers or depth >= _DEPTH:
            return _NOTHING
        return self._definitions(path, scope, tuple(numbers), depth + 1)

    def _attribute(self, path: str, scope: int, value: Expr, name: str) -> Sources:
        if (
            name == "value"
            and isinstance(value, Attr)
            and (member := self._member_of_enum(path, scope, value)).found
        ):
            return member
        found: list[Sources] = []
        for holder in self._inf.values(path, scope, value):
            match holder.object:
                case ModuleObject(path=module) if self._inf.index.ensure(module):
                    found.append(self._member(module, 0, name, 0))
                case ClassObject(ref=ref) | Instance(ref=ref) | RedisObject(cls=ScopeRef() as ref):
                    found.append(self.of_class(ref, name))
                case _:
                    return _NOTHING
        return _together(found)

    def _member_of_enum(self, path: str, scope: int, member: Attr) -> Sources:
        for holder in self._inf.values(path, scope, member.value):
            if isinstance(holder.object, ClassObject):
                line = classes.bases(self._inf, holder.object.ref)
                if any(isinstance(base, str) and base.startswith("enum.") for base in line):
                    return self.of_class(holder.object.ref, member.name)
        return _NOTHING

    def of_class(self, ref: ScopeRef, name: str) -> Sources:
        """What an attribute of the class's instances is given, by the class and by the methods of its line.

        Not complete where a subclass has one of its own, or others store into an attribute of that name.
        """
        if (ref, name) not in self._attributes:
            self._attributes[ref, name] = _NOTHING  # an attribute that is given itself
            self._attributes[ref, name] = self._of_class(ref, name)
        return self._attributes[ref, name]

    def _of_class(self, ref: ScopeRef, name: str) -> Sources:
        found: list[Sources] = []
        line = [item for item in classes.bases(self._inf, ref) if isinstance(item, ScopeRef)]
        for item in line:
            if name in self._inf.index.definitions(item.path, item.scope):
                found.append(self._member(item.path, item.scope, name, 0))
                break
        for item in line:
            for site in self._inf.index.own_stores(item.path, item.scope, name):
                part = part_of(site.store.value, site.store.unpack)
                found.append(Sources((Source(site.path, site.scope, part),), part is not None))
        given = _together(found)
        return Sources(given.found, given.complete and not self._elsewhere(ref, name))

    def _elsewhere(self, ref: ScopeRef, name: str) -> bool:
        """Whether a class below has the attribute too, or others store into one of that name."""
        index = self._inf.index
        return bool(index.other_stores.get(name)) or any(
            name in index.definitions(child.path, child.scope)
            or index.own_stores(child.path, child.scope, name)
            for child in classes.subclasses(self._inf, ref)
        )


def _together(parts: list[Sources]) -> Sources:
    found = {(s.path, s.scope, id(s.expr), id(s.definition)): s for part in parts for s in part.found}
    return Sources(tuple(found.values()), bool(parts) and all(part.complete for part in parts))


def part_of(value: Expr, unpack: tuple[int, ...]) -> Expr | None:
    """The item that an unpacking gives a name, where the value is written out."""
    for index in unpack:
        if not isinstance(value, Seq) or not 0 <= index < len(value.items):
            return None
        if any(isinstance(item, Star) for item in value.items):
            return None
        value = value.items[index]
    return value
