"""What the parts of inference may ask of the whole.

Law of this file: signatures only. Attributes, calls, containers and parameters answer each other's
questions through this protocol, so that none of their files imports another.
"""

from collections.abc import Callable, Hashable
from typing import Protocol

from redis_guard.facts.model import Call, Def, Expr, Yield
from redis_guard.project.index import ProjectIndex
from redis_guard.project.passing import Passing
from redis_guard.project.values import ScopeRef, Value, Values


class Asker(Protocol):
    """Inference as its own parts see it."""

    index: ProjectIndex
    wanted: set[str]
    lines: dict[ScopeRef, "tuple[ScopeRef | str, ...]"]
    """Of classes, all that they are made of, where that is settled."""
    passing: dict[ScopeRef, Passing]
    """Of functions, what they may give back of what they are given."""

    def remembered(self, key: Hashable, compute: Callable[[], Values]) -> Values: ...

    def settled(self, key: Hashable) -> bool: ...

    def values(self, path: str, scope: int, expr: Expr) -> Values: ...

    def annotation(self, path: str, scope: int, expr: Expr) -> Values: ...

    def member(self, path: str, name: str) -> Values: ...

    def free_name(self, path: str, scope: int, name: str) -> Values: ...

    def definition(self, path: str, scope: int, number: int) -> Values: ...

    def assigned(self, path: str, made: Def) -> Values: ...

    def configured(self, names: set[str], found: Values) -> Values: ...

    def attribute(self, value: Value, name: str) -> Values: ...

    def called(self, value: Value, call: Call | None, path: str, scope: int) -> Values: ...

    def returned(self, ref: ScopeRef) -> Values: ...

    def named(self, path: str, dotted: str) -> Values: ...

    def elements(self, path: str, scope: int, expr: Expr | None, values: Values) -> Values: ...

    def yields(self, ref: ScopeRef) -> tuple[Yield, ...]: ...
