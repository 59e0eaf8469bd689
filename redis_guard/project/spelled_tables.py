"""Texts out of what holds several: displays, dicts, enumerations, and what is looped over.

Law of this file: any of what is held, unless a constant says which.
"""

from collections.abc import Iterator
from typing import Protocol

from redis_guard.facts.model import Attr, Call, Comp, Cond, Const, Dict, Expr, Name, Seq, Star, Sub
from redis_guard.project.enums import is_enum
from redis_guard.project.inference import Inference
from redis_guard.project.origins import Origins, part_of
from redis_guard.project.spelled import UNSEEN, Here, Speller, Spelling, dynamic, together
from redis_guard.project.values import ClassObject
from redis_guard.project.walk import last_name, text

_SAME_ITEMS = frozenset(
    {"sorted", "list", "tuple", "set", "frozenset", "reversed", "iter", "fromkeys", "cycle"}
)
_SITES = 30


class Spread:
    """Answers over one project."""

    def __init__(self, spellings: Speller, inf: Inference, origins: Origins) -> None:
        self._spellings = spellings
        self._inf = inf
        self._origins = origins

    def elements(self, here: Here, expr: Expr, unpack: tuple[int, ...] = ()) -> Spelling:
        """What a loop over `expr` gives to the name that `unpack` leads to."""
        if here.too_deep:
            return UNSEEN
        match expr:
            case Seq(items=items):
                return together(self._element(here, item, unpack) for item in items)
            case Dict(items=pairs) if not unpack:
                return together(self._of(here, key) for key, _ in pairs if key is not None)
            case Call(func=Attr(value=held, name="items")) if unpack[:1] in ((0,), (1,)):
                return self._side(here, held, values=unpack[0] == 1, unpack=unpack[1:])
            case Call(func=Attr(value=held, name="keys" | "values" as side), args=()):
                return self._side(here, held, values=side == "values", unpack=unpack)
            case Call(func=func, args=(first, *_)) if last_name(func) in _SAME_ITEMS:
                return self.elements(here.at(here.path, here.scope), first.value, unpack)
            case Call(func=Name(id="enumerate"), args=(first, *_)) if unpack[:1] == (1,):
                return self.elements(here.at(here.path, here.scope), first.value, unpack[1:])
            case Comp(elements=(element,)):
                return self._element(here, element, unpack)
            case Cond(body=left, orelse=right):
                return together([self.elements(here, left, unpack), self.elements(here, right, unpack)])
            case Name() | Attr():
                return self._named(here, expr, lambda there, held: self.elements(there, held, unpack))
        return dynamic(text(expr))

    def item(self, here: Here, expr: Expr, index: Expr) -> Spelling:
        """`expr[index]`."""
        if here.too_deep:
            return UNSEEN
        match expr:
            case Seq(items=items):
                place = index.value if isinstance(index, Const) else None
                if isinstance(place, int) and -len(items) <= place < len(items):
                    items = (items[place],)
                return together(self._of(here, item) for item in items)
            case Dict(items=pairs):
                exact = [value for key, value in pairs if isinstance(index, Const) and key == index]
                return together(self._of(here, value) for value in exact or [value for _, value in pairs])
            case Name() | Attr():
                return self._named(here, expr, lambda there, held: self.item(there, held, index))
        return dynamic(text(expr) + "[…]")

    def _side(self, here: Here, expr: Expr, *, values: bool, unpack: tuple[int, ...]) -> Spelling:
        """The keys or the values of a dict."""
        match expr:
            case Dict(items=pairs):
                picked = [value if values else key for key, value in pairs]
                return together(self._element(here, part, unpack) for part in picked if part is not None)
            case Name() | Attr():
                return self._named(
                    here, expr, lambda there, held: self._side(there, held, values=values, unpack=unpack)
                )
        return dynamic(text(expr))

    def _element(self, here: Here, item: Expr, unpack: tuple[int, ...]) -> Spelling:
        if isinstance(item, Star):
            return self.elements(here.at(here.path, here.scope), item.value, unpack)
        part = part_of(item, unpack)
        return dynamic(text(item)) if part is None else self._of(here, part)

    def _of(self, here: Here, expr: Expr) -> Spelling:
        return self._spellings.of(here.at(here.path, here.scope), expr)

    def _named(self, here: Here, expr: Name | Attr, look: "Look") -> Spelling:
        """The container that a name stands for, and what is put into it later."""
        for value in self._inf.values(here.path, here.scope, expr):
            if isinstance(value.object, ClassObject) and is_enum(self._inf, value.object.ref):
                return self._spellings.of_enum(here, value.object.ref)
        trail = self._origins.trail(here.path, here.scope, expr)
        parts = [
            look(here.at(origin.path, origin.scope), origin.expr)
            for origin in trail.origins
            if origin.expr is not None and not isinstance(origin.expr, (Name, Attr))
        ]
        if not parts or any(origin.expr is None for origin in trail.origins):
            return self._spellings.unknown(here, expr, constant=(last_name(expr) or "").isupper())
        return together([*parts, *self._added(here, expr)])

    def _added(self, here: Here, expr: Name | Attr) -> Iterator[Spelling]:
        name = last_name(expr) or ""
        for site in self._inf.index.added(here.path, name)[:_SITES]:
            yield self._spellings.of(here.at(site.path, site.scope), site.expr)
        for stored in self._inf.index.item_stores.get(name, ())[:_SITES]:
            if stored.path == here.path and isinstance(stored.store.target, Sub):
                there = here.at(stored.path, stored.scope)
                yield self._spellings.of(there, stored.store.value)


class Look(Protocol):
    def __call__(self, here: Here, expr: Expr, /) -> Spelling: ...
