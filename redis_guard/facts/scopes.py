"""A scope while it is being read: its definitions, and which of them reach the present point.

Law of this file: control flow only. A binding replaces what its name meant; branches are joined by
union; a loop's head holds a `merged` definition for every name its body binds.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from redis_guard.facts.model import (
    Arg,
    Construct,
    Def,
    DefKind,
    Expr,
    Param,
    Place4,
    Root,
    Scope,
    Step,
    Store,
    Use,
)

Env = dict[str, tuple[int, ...]]


@dataclass(slots=True)
class State:
    """What the names mean at one point, and whether the point can be reached."""

    env: Env
    live: bool = True

    def copy(self) -> "State":
        return State(dict(self.env), self.live)


def joined(states: Iterable[State]) -> State:
    """The state after branches that end in `states`; dead ones do not take part unless all are."""
    states = list(states)
    live = [state for state in states if state.live]
    env: Env = {}
    for state in live or states:
        for name, defs in state.env.items():
            known = env.get(name)
            env[name] = defs if known is None or known == defs else tuple(sorted({*known, *defs}))
    return State(env, bool(live))


@dataclass(slots=True)
class Loop:
    """The states in which a loop is left or begun again from within."""

    breaks: list[State] = field(default_factory=list)
    continues: list[State] = field(default_factory=list)


class ScopeBuilder:
    """Collects one scope; `freeze` gives the facts."""

    def __init__(
        self,
        index: int,
        kind: Literal["module", "class", "function", "lambda"],
        name: str,
        qualname: str,
        parent: int,
    ) -> None:
        self.index, self.kind, self.name, self.qualname, self.parent = index, kind, name, qualname, parent
        self.span: Place4 = (1, 1, 1, 1)
        self.params: list[Param] = []
        self.returns: Expr | None = None
        self.decorators: tuple[Expr, ...] = ()
        self.bases: tuple[Arg, ...] = ()
        self.asynchronous = False
        self.generator = False
        self.defs: list[Def] = []
        self.roots: list[Root] = []
        self.stores: list[Store] = []
        self.constructs: list[Construct] = []
        self.path: list[Step] = []
        self.state = State({})
        self.loops: list[Loop] = []
        self.outer: dict[str, ScopeBuilder] = {}
        """Names declared global or nonlocal, with the scope they belong to."""
        self.log: list[tuple[str, int]] = []
        """Every binding so far, so that a handler can start from any point of its try body."""
        self.line = 1

    def read(self, name: str) -> tuple[int, ...]:
        return () if name in self.outer else self.state.env.get(name, ())

    def bind(
        self,
        name: str,
        kind: DefKind,
        value: Expr | None = None,
        *,
        unpack: tuple[int, ...] = (),
        annotation: Expr | None = None,
        asynchronous: bool = False,
        module: str = "",
        symbol: str | None = None,
        target: int = -1,
    ) -> int:
        owner = self.outer.get(name, self)
        number = len(owner.defs)
        owner.defs.append(
            Def(
                name,
                kind,
                value,
                self.index,
                self.line,
                unpack,
                annotation,
                asynchronous,
                (),
                module,
                symbol,
                target,
            )
        )
        if owner is self:
            self.state.env[name] = (number,)
            self.log.append((name, number))
        return number

    def add_root(self, expr: Expr, use: Use, *, asynchronous: bool = False) -> int:
        self.roots.append(Root(expr, use, tuple(self.path), self.line, (), asynchronous))
        return len(self.roots) - 1

    def give(self, root: int, name: str, number: int) -> None:
        """Note that the value of `root` went to the definition `number` of `name`."""
        old = self.roots[root]
        self.roots[root] = old._replace(defs=(*old.defs, -1 if name in self.outer else number))

    def open_construct(
        self, kind: Literal["if", "for", "while", "try", "with", "match"], asynchronous: bool = False
    ) -> int:
        self.constructs.append(Construct(kind, (), (), asynchronous, self.line))
        return len(self.constructs) - 1

    def close_construct(
        self,
        number: int,
        ends: Iterable[bool],
        roots: Iterable[int] = (),
        *,
        has_finally: bool = False,
        catches: Iterable[Expr | None] = (),
    ) -> None:
        self.constructs[number] = self.constructs[number]._replace(
            ends=tuple(ends), roots=tuple(roots), has_finally=has_finally, catches=tuple(catches)
        )

    @contextmanager
    def arm(self, construct: int, number: int) -> Iterator[None]:
        self.path.append(Step(construct, number))
        try:
            yield
        finally:
            self.path.pop()

    def stop(self) -> None:
        """Nothing after this point is reached: return, raise, break, continue."""
        self.state.live = False

    def enter_loop(self, names: Iterable[str]) -> dict[str, int]:
        """Give each of `names` its merged definition; `leave_loop` fills in what flows into it."""
        heads: dict[str, int] = {}
        self.loops.append(Loop())
        for name in sorted(names):
            if name in self.outer:
                continue
            before = self.state.env.get(name, ())
            heads[name] = len(self.defs)
            self.defs.append(Def(name, "merged", None, self.index, self.line, sources=before))
            self.state.env[name] = (heads[name],)
        return heads

    def leave_loop(self, heads: dict[str, int], head: State, endless: bool) -> None:
        loop = self.loops.pop()
        end = joined([self.state, *loop.continues])
        for name, number in heads.items():
            known = self.defs[number]
            flow = {*known.sources, *end.env.get(name, ())} - {number}
            self.defs[number] = known._replace(sources=tuple(sorted(flow)))
        exits = loop.breaks if endless else [head, end, *loop.breaks]
        self.state = joined(exits) if exits else State(self.state.env, live=False)

    def anywhere_since(self, before: State, mark: int) -> State:
        """The state at any point since `mark` bindings were logged, begun from `before`."""
        env = dict(before.env)
        for name, number in self.log[mark:]:
            env[name] = tuple(sorted({*env.get(name, ()), number}))
        return State(env, before.live)

    def freeze(self) -> Scope:
        return Scope(
            self.kind, self.name, self.qualname, self.parent, self.span, tuple(self.params), self.returns,
            self.decorators, self.bases, self.asynchronous, self.generator, tuple(self.defs), tuple(self.roots),
            tuple(self.stores), tuple(self.constructs),
        )  # fmt: skip
