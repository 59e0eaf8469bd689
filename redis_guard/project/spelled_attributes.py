"""Texts under an attribute: of a module, of a class and its enumerations, of what instances are given.

Law of this file: classes below count as well, since any of them may be the one that runs.
"""

from collections.abc import Iterator

from redis_guard.facts.model import Attr, Expr
from redis_guard.project import classes
from redis_guard.project.enums import is_enum
from redis_guard.project.inference import Inference
from redis_guard.project.origins import part_of
from redis_guard.project.spelled import (
    NOTHING,
    UNSEEN,
    Here,
    Speller,
    Spelling,
    dynamic,
    is_standard,
    together,
)
from redis_guard.project.values import (
    ClassObject,
    Instance,
    Library,
    ModuleObject,
    RedisObject,
    ScopeRef,
)
from redis_guard.project.walk import text

_STORES = 30


class Attributes:
    """Answers over one project."""

    def __init__(self, spellings: Speller, inf: Inference) -> None:
        self._spellings = spellings
        self._inf = inf
        self._index = inf.index

    def of(self, here: Here, expr: Attr) -> Spelling:
        """What `value.name` may be."""
        if expr.name == "value" and (found := self._value_of_member(here, expr.value)) is not None:
            return found
        holders = self._inf.values(here.path, here.scope, expr.value)
        parts: list[Spelling] = []
        for holder in holders:
            match holder.object:
                case ModuleObject(path=path):
                    parts.append(self._spellings.member(here, path, expr.name))
                case ClassObject(ref=ref) | Instance(ref=ref) | RedisObject(cls=ScopeRef() as ref):
                    parts.append(self._of_class(here, ref, expr))
                case Library(name=name):
                    parts.append(dynamic(text(expr)) if is_standard(name) else UNSEEN)
        return together(parts) if parts else self._spellings.unknown(here, expr, constant=expr.name.isupper())

    def _value_of_member(self, here: Here, expr: Expr) -> Spelling | None:
        """`UseCase.SETTLE.value`, and `case.value` where `case` is a member of an enumeration."""
        if isinstance(expr, Attr):
            for holder in self._inf.values(here.path, here.scope, expr.value):
                if isinstance(holder.object, ClassObject):
                    return self._of_class(here, holder.object.ref, expr)
        for holder in self._inf.values(here.path, here.scope, expr):
            if isinstance(holder.object, Instance) and is_enum(self._inf, holder.object.ref):
                return self._spellings.of_enum(here, holder.object.ref)
        # a member that was looped over, or comes from a table
        member = self._spellings.inner(here, expr)
        return member if member.texts and not member.dynamic else None

    def _of_class(self, here: Here, ref: ScopeRef, expr: Attr) -> Spelling:
        """What instances have under a name: by their class, by those below it, and by what is stored there."""
        if not is_enum(self._inf, ref):
            self._spellings.takers.add(ref)
        line = [item for item in classes.bases(self._inf, ref) if isinstance(item, ScopeRef)]
        below = classes.subclasses(self._inf, ref)
        own = next(
            (item for item in line if expr.name in self._index.definitions(item.path, item.scope)), None
        )
        parts: list[Spelling] = []
        for item in (*([own] if own is not None else []), *below):
            numbers = self._index.definitions(item.path, item.scope).get(expr.name, ())
            parts += [self._spellings.definition(here, item.path, item.scope, number) for number in numbers]
        parts += self._stored(here, (*line, *below), expr.name)
        found = together(parts)
        if found != NOTHING:
            return found
        foreign = any(isinstance(item, str) for item in classes.bases(self._inf, ref))
        return UNSEEN if foreign and expr.name.isupper() else dynamic(text(expr))

    def _stored(self, here: Here, line: tuple[ScopeRef, ...], name: str) -> Iterator[Spelling]:
        sites = [site for item in line for site in self._index.own_stores(item.path, item.scope, name)]
        for site in self._index.other_stores.get(name, ())[:_STORES]:
            target = site.store.target
            held = self._inf.values(site.path, site.scope, target.value)
            if any(isinstance(v.object, (Instance, ClassObject)) and v.object.ref in line for v in held):
                sites.append(site)
        for site in sites:
            part = part_of(site.store.value, site.store.unpack)
            there = here.at(site.path, site.scope)
            yield dynamic(name) if part is None else self._spellings.of(there, part)
