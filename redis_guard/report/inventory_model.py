"""What the renderings of the inventory are given: plain data.

Law of this file: sums are counted here, so that no two formats disagree.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from redis_guard.behaviour.owning import Guess
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
    owner: str
    """Of the file that it stands in."""
    faults: tuple[str, ...]
    """Codes of the rules that find something here, each once for every finding."""


@dataclass(frozen=True, slots=True)
class InventoryGroup:
    """Calls on one family of keys."""

    behaviour: Behaviour
    key: str | None
    sites: tuple[tuple[str, int, int], ...]
    """Path, line and column of every call."""
    lifetimes: tuple[str, ...]
    owner: Guess
    faults: tuple[tuple[str, int], ...]
    """Codes and how often each was found, in the order of codes."""
    proposal: Proposal | None

    @property
    def calls(self) -> int:
        """How many there are."""
        return len(self.sites)

    @property
    def paths(self) -> tuple[str, ...]:
        """Of its files, each once."""
        return tuple(dict.fromkeys(path for path, _, _ in self.sites))

    @property
    def files(self) -> int:
        """How many there are."""
        return len(self.paths)


@dataclass(frozen=True, slots=True)
class FoundRule:
    """A rule that found something."""

    code: str
    name: str
    summary: str


@dataclass(frozen=True, slots=True)
class Inventory:
    """Everything a project does with Redis."""

    calls: tuple[InventoryCall, ...]
    """By path, line, column."""
    groups: tuple[InventoryGroup, ...]
    """By behaviour, the largest groups first."""
    rules: tuple[FoundRule, ...] = ()
    """Those that found something in the groups, by code."""
    project: str = ""
    """The name of its folder."""

    @property
    def files(self) -> int:
        """Those that the calls are in."""
        return len({call.path for call in self.calls})

    @property
    def behaviours(self) -> tuple[tuple[Behaviour, int], ...]:
        """Behaviours and the number of their groups, in the groups' order."""
        return tuple(Counter(group.behaviour for group in self.groups).items())

    @property
    def owners(self) -> tuple[tuple[str, int], ...]:
        """Owners and the number of their groups, those with most first."""
        return tuple(Counter(group.owner.owner for group in self.groups).most_common())

    @property
    def faults(self) -> tuple[tuple[str, int], ...]:
        """Codes and how often each was found, in the order of codes."""
        return summed(group.faults for group in self.groups)


def summed(counts: Iterable[tuple[tuple[str, int], ...]]) -> tuple[tuple[str, int], ...]:
    """Several counts as one, in the order of codes."""
    total: Counter[str] = Counter()
    for count in counts:
        total.update(dict(count))
    return tuple(sorted(total.items()))
