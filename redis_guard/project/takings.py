"""Which calls' results take part in a value.

Law of this file: one function at a time, through its own variables; what leaves the function is not followed.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import chain

from redis_guard.facts.model import (
    Attr,
    Await,
    Bin,
    Bool,
    Call,
    Comp,
    Compare,
    Cond,
    Const,
    Def,
    Dict,
    Expr,
    Joined,
    Lambda,
    Name,
    Scope,
    Seq,
    Star,
    Sub,
    Unary,
    Walrus,
)
from redis_guard.project.conversions import CARRIERS, CONVERSIONS, LOOK_UPS, MUTATORS
from redis_guard.project.taken import Taken, Way, least
from redis_guard.project.walk import last_name, parts

_NONE: frozenset[Taken] = frozenset()
_FOLLOWED = ("assign", "augmented", "for", "with")
_TURNS = 4
"""A result can be taken in four ways, each further than the one before."""


class Takings:
    """Answers for one scope."""

    def __init__(self, scope: Scope, orders: Mapping[int, int]) -> None:
        """`orders` has the Redis calls of the scope: the identity of the expression, and its order."""
        self._scope = scope
        self._orders = orders
        self._known: dict[int, frozenset[Taken]] = {}
        self._of_def: dict[int, frozenset[Taken]] = {}
        self._changed: defaultdict[int, list[tuple[Expr, ...]]] | None = None

    def of(self, expr: Expr) -> frozenset[Taken]:
        """What `expr` is made with; a call in it is itself, whatever it was given."""
        key = id(expr)
        known = self._known.get(key)
        if known is None:
            self._known[key] = _NONE  # a question about itself finds nothing new
            known = self._known[key] = self._of(expr)
        return known

    def _of(self, expr: Expr) -> frozenset[Taken]:
        order = self._orders.get(id(expr))
        if order is not None:
            return frozenset((Taken(order, "itself"),))
        match expr:
            case Const() | Lambda():
                return _NONE
            case Name():
                return self._name(expr)
            case Await(value=value) | Walrus(value=value):
                return self.of(value)
            case Attr(value=value) | Sub(value=value) | Star(value=value):
                return least(self.of(value), "part")
            case Bool(left=left, right=right) | Cond(body=left, orelse=right):
                return self.of(left) | self.of(right)
            case Call():
                return self._call(expr)
            case Seq(items=items):
                return self._joined(items, "changed" if len(items) > 1 else "converted")
            case Dict(items=pairs):
                values = tuple(value for _, value in pairs)
                return self._joined(values, "changed" if len(values) > 1 else "converted")
            case Unary(op="not", value=value):
                return least(self.of(value), "converted")
            case Compare(left=left, ops=("is" | "is not",)):
                # whether there is one, no more
                return least(self.of(left), "converted")
            case Bin() | Unary() | Compare() | Joined() | Comp():
                return self._joined(parts(expr), "changed")
        return self._joined(parts(expr), "changed")

    def _joined(self, exprs: tuple[Expr, ...], way: Way) -> frozenset[Taken]:
        return least(chain.from_iterable(map(self.of, exprs)), way)

    def _call(self, call: Call) -> frozenset[Taken]:
        name = last_name(call.func)
        way: Way = "part" if name in CARRIERS else "converted" if name in CONVERSIONS else "changed"
        given = self._joined(tuple(arg.value for arg in call.args), "changed" if name in LOOK_UPS else way)
        if not isinstance(call.func, Attr):
            return given
        # a method of what a result is, or a function of a module, which takes no part
        return given | least(self.of(call.func.value), way)

    def _name(self, name: Name) -> frozenset[Taken]:
        found = _NONE.union(*(self._definition(number) for number in name.defs))
        put = [put for number in name.defs for put in self._mutated.get(number, ())]
        if not put:
            return found
        return least(found.union(*(self.of(expr) for expr in chain.from_iterable(put))), "changed")

    def _definition(self, number: int) -> frozenset[Taken]:
        known = self._of_def.get(number)
        if known is None:
            self._of_def[number] = _NONE
            made = self._scope.defs[number]
            known = self._of_loop(number, made) if made.kind == "merged" else self._made(made)
            self._of_def[number] = known
        return known

    def _of_loop(self, number: int, made: Def) -> frozenset[Taken]:
        """What a variable holds at the head of a loop, the turns before included: as often as that says more."""
        found = _NONE
        for _ in range(_TURNS):
            self._of_def[number] = found
            exprs, definitions = set(self._known), set(self._of_def)
            more = _NONE.union(*(self._definition(source) for source in made.sources))
            if more == found:
                break
            found = more
            # These were answered while less was known.
            for key in self._known.keys() - exprs:
                del self._known[key]
            for key in self._of_def.keys() - definitions:
                del self._of_def[key]
        return found

    def _made(self, made: Def) -> frozenset[Taken]:
        if made.kind not in _FOLLOWED:
            return _NONE
        if made.value is None:
            return _NONE
        found = self.of(made.value)
        if made.kind == "augmented":
            return least(found, "changed")
        return least(found, "part") if made.unpack or made.kind == "for" else found

    @property
    def _mutated(self) -> Mapping[int, list[tuple[Expr, ...]]]:
        """Definitions whose value is changed in place somewhere, each time with what is put into it."""
        if self._changed is None:
            self._changed = defaultdict(list)
            for changed, put in self._mutations():
                for number in changed.defs if changed is not None else ():
                    self._changed[number].append(put)
        return self._changed

    def _mutations(self) -> Iterator[tuple[Name | None, tuple[Expr, ...]]]:
        for store in self._scope.stores:
            yield _base(store.target), (store.value,)
        for root in self._scope.roots:
            expr = root.expr.value if isinstance(root.expr, Await) else root.expr
            if root.use == "delete":
                yield _base(expr), ()
            elif root.use == "statement" and isinstance(expr, Call) and isinstance(expr.func, Attr):
                if expr.func.name in MUTATORS and id(expr) not in self._orders:
                    yield _base(expr.func.value), tuple(arg.value for arg in expr.args)


def _base(expr: Expr) -> Name | None:
    """`data` for `data["a"].b`."""
    while isinstance(expr, (Attr, Sub)):
        expr = expr.value
    return expr if isinstance(expr, Name) else None
