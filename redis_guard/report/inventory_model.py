"""What the renderings of the inventory are given: plain data."""

from dataclasses import dataclass
from typing import Literal

from redis_guard.behaviour.proposals import Proposal
from redis_guard.behaviour.terms import Behaviour
from redis_guard.finding import Confidence


@dataclass(frozen=True, slots=True)
class InventoryCall:
    """One use of a Redis object; `line` and `column` say where its receiver begins."""

    path: str
    line: int
    column: int
    method: str
    command: str | None
    form: Literal["call", "subscript", "contains", "bound"]
    receiver: str
    type: str
    asynchronous: bool
    confidence: Confidence
    how: str
    key: str | None
    writes: bool
    ttl: str | None
    """`60s`, `1500ms`, `variable`; None where it gives no lifetime."""
    behaviour: Behaviour
    function: str


@dataclass(frozen=True, slots=True)
class InventoryGroup:
    """Calls on one family of keys; `calls` and `files` are counts."""

    behaviour: Behaviour
    key: str | None
    calls: int
    files: int
    lifetimes: tuple[str, ...]
    paths: tuple[str, ...]
    proposal: Proposal | None


@dataclass(frozen=True, slots=True)
class Inventory:
    """Everything a project does with Redis."""

    calls: tuple[InventoryCall, ...]
    """By path, line, column."""
    groups: tuple[InventoryGroup, ...]
    """By behaviour, the largest groups first."""
