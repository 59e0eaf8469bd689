"""What happens to the value of a call: awaited, returned, tested, passed on, dropped.

Law of this file: parents only; a value that is bound to a name is followed to the uses of that name.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from redis_guard.facts.model import (
    Attr,
    Await,
    Bin,
    Bool,
    Call,
    Comp,
    Compare,
    Cond,
    Expr,
    Joined,
    Name,
    Root,
    Scope,
    Seq,
    Star,
    Sub,
    Unary,
    Walrus,
    Yield,
)
from redis_guard.facts.model import Dict as DictDisplay
from redis_guard.project.model import LaterUse, Result, ResultUse
from redis_guard.project.walk import dotted, every, parts

_OF_ROOT: dict[str, ResultUse] = {
    "statement": "discarded", "assign": "assigned", "augment": "operand", "return": "returned", "test": "condition",
    "iterate": "iterated", "with": "entered", "assert": "condition", "delete": "discarded", "store": "stored",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Seen:
    """A use of a value, before a variable it went to is followed."""

    use: ResultUse
    awaited: bool
    callee: str | None = None
    negated: bool = False
    walrus: int | None = None


class Parents:
    """The parents of every expression below one root."""

    def __init__(self, root: Root) -> None:
        self.root = root
        self.of: dict[int, Expr] = {}
        for node in every(root.expr):
            for part in parts(node):
                self.of.setdefault(id(part), node)

    def use(self, expr: Expr) -> Seen:
        """What is done with the value of `expr`."""
        awaited = negated = False
        walrus: int | None = None
        node = expr
        while (parent := self.of.get(id(node))) is not None:
            match parent:
                case Await():
                    awaited = True
                case Unary(op="not"):
                    return Seen("condition", awaited, None, True, walrus)
                case Walrus(definition=number):
                    walrus = number
                case Compare():
                    return Seen("compared", awaited, _other_side(parent, node), negated, walrus)
                case Bool() if parent.left is node:
                    return Seen("condition", awaited, None, negated, walrus)
                case Cond() if parent.test is node:
                    return Seen("condition", awaited, None, negated, walrus)
                case Bool() | Cond() | Star():
                    pass
                case Call():
                    if parent.func is node:
                        return Seen("chained", awaited, "()", negated, walrus)
                    if any(arg.star and arg.value is node for arg in parent.args):
                        return Seen("iterated", awaited, None, negated, walrus)
                    return Seen(
                        "argument", awaited, dotted(parent.func) or _last(parent.func), negated, walrus
                    )
                case Attr(name=name):
                    dropped = self.root.use == "statement" and parent is self.root.expr
                    return Seen("discarded" if dropped else "chained", awaited, name, negated, walrus)
                case Sub() | Bin() | Joined() | Unary():
                    return Seen("operand", awaited, None, negated, walrus)
                case Comp():
                    use, waited = _in_comprehension(parent, node)
                    return Seen(use, awaited or waited, None, negated, walrus)
                case Seq() | DictDisplay():
                    return Seen("collected", awaited, None, negated, walrus)
                case Yield():
                    return Seen("yielded", awaited, None, negated, walrus)
                case _:
                    return Seen("other", awaited, None, negated, walrus)
            node = parent
        use = _OF_ROOT.get(self.root.use, "other")
        entered = use in ("entered", "iterated") and self.root.asynchronous and node is expr
        return Seen(use, awaited or entered, None, negated, walrus)

    def enclosing_calls(self, expr: Expr) -> tuple[str, ...]:
        found: list[str] = []
        node = expr
        while (parent := self.of.get(id(node))) is not None:
            if isinstance(parent, Call) and parent.func is not node:
                found.append(dotted(parent.func) or _last(parent.func) or "")
            node = parent
        return tuple(found)


def _last(expr: Expr) -> str | None:
    return expr.name if isinstance(expr, Attr) else expr.id if isinstance(expr, Name) else None


def _in_comprehension(comp: Comp, node: Expr) -> tuple[ResultUse, bool]:
    """What a comprehension does with one of its parts, and whether it waits for it."""
    role = next((role for clause, role in zip(comp.clauses, comp.roles, strict=True) if clause is node), None)
    if role == "if":
        return "condition", False
    return ("collected", False) if role is None else ("iterated", role == "async for")


def _other_side(compare: Compare, node: Expr) -> str | None:
    return compare.ops[0] if compare.left is node else None


class _Read(NamedTuple):
    """A name that is read: below which root, as the how manieth of its parts."""

    root: int
    turn: int
    name: Name


class Outcomes:
    """Results of the calls of one scope."""

    def __init__(self, scope: Scope, hidden: Collection[str]) -> None:
        """`hidden` are the names that inner scopes read: their uses cannot all be seen."""
        self._scope = scope
        self._hidden = hidden
        self._parents: dict[int, Parents] = {}
        self._reads: dict[int, list[_Read]] | None = None

    def parents(self, root: int) -> Parents:
        if root not in self._parents:
            self._parents[root] = Parents(self._scope.roots[root])
        return self._parents[root]

    def result(self, root: int, expr: Expr) -> Result:
        """What is done with the value of `expr` below that root."""
        seen = self.parents(root).use(expr)
        numbers = (seen.walrus,) if seen.walrus is not None else ()
        if seen.use == "assigned":
            given = self._scope.roots[root].defs
            numbers = (*numbers, *(number for number in given if number >= 0))
            stores = -1 in given or any(store.root == root for store in self._scope.stores)
            if stores and not numbers:
                return Result("stored", seen.awaited)
            names = tuple(self._scope.defs[number].name for number in numbers)
            later = None if stores or not numbers else self._later(numbers)
            return Result("assigned", seen.awaited, None, names, later)
        if seen.use == "entered":
            numbers = (*numbers, *(number for number in self._scope.roots[root].defs if number >= 0))
        names = tuple(self._scope.defs[number].name for number in numbers)
        return Result(
            seen.use,
            seen.awaited,
            seen.callee,
            names,
            self._later(numbers) if numbers else None,
            seen.negated,
        )

    def _later(self, numbers: tuple[int, ...]) -> tuple[LaterUse, ...] | None:
        if any(self._scope.defs[number].name in self._hidden for number in numbers):
            return None
        reads = self._all_reads()
        wanted = {
            *numbers,
            *(n for n, made in enumerate(self._scope.defs) if set(made.sources) & set(numbers)),
        }
        found: dict[tuple[int, int], LaterUse] = {}
        for number in sorted(wanted):
            for root, turn, name in reads.get(number, []):
                seen = self.parents(root).use(name)
                found[root, turn] = LaterUse(seen.use, seen.awaited, seen.callee, root)
        return tuple(found[key] for key in sorted(found))

    def _all_reads(self) -> dict[int, list[_Read]]:
        if self._reads is None:
            self._reads = {}
            for number, root in enumerate(self._scope.roots):
                for turn, node in enumerate(every(root.expr)):
                    if isinstance(node, Name):
                        for made in node.defs:
                            self._reads.setdefault(made, []).append(_Read(number, turn, node))
        return self._reads
