"""Two entries at one key: what the file alone shows about keys that meet on one Redis.

Law of this file: only entries of one instance can meet, and channels meet channels only. A lock also takes its
helpers: the fence's key, and the channel that wakes those who wait.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from redis_guard.registry.helper_keys import HelperSuffix, helper_template
from redis_guard.registry.intersection import common_text, steps_of
from redis_guard.registry.model import Entry, UseCase, is_signal
from redis_guard.registry.problems import Problem
from redis_guard.registry.templates import KeyTemplate

MOST_REPORTED = 1_000
"""Entries that all overlap each other would fill the report with the square of their number."""


def overlapping_keys(entries: Sequence[Entry]) -> tuple[Problem, ...]:
    """A problem for each pair that can produce one key, at the entry that comes later."""
    return tuple(islice(_overlaps(entries), MOST_REPORTED))


def shared_prefixes(entries: Sequence[Entry]) -> tuple[Problem, ...]:
    """A warning for each further owner of one first segment, at that owner's first entry.

    Use cases with a default key all begin with the namespace, which is no news.
    """
    problems: list[Problem] = []
    firsts: dict[tuple[str, str], Entry] = {}
    told: set[tuple[str, str, str]] = set()
    for entry in entries:
        segment = entry.key.first_segment
        if segment is None or is_signal(entry) or (isinstance(entry, UseCase) and not entry.explicit_key):
            continue
        first = firsts.setdefault((entry.instance, segment), entry)
        this = (entry.instance, segment, entry.owner)
        if entry.owner != first.owner and this not in told:
            told.add(this)
            called = _called(entry, entry.key)
            message = f'{called}: keys of {first.owner} begin with "{segment}" too, at {first.place}'
            problems.append(Problem.at(entry.place, "shared-prefix", message, first.place))
    return tuple(problems)


@dataclass(frozen=True, slots=True)
class _Taken:
    """Keys or channels that the `order`-th entry takes: its own, or those of one kind of helper."""

    order: int
    entry: Entry
    key: KeyTemplate
    channel: bool
    helper: HelperSuffix | None = None

    def __str__(self) -> str:
        whose = f"the {self.helper} of " if self.helper else ""
        return whose + _called(self.entry, self.key)


def _called(entry: Entry, key: KeyTemplate) -> str:
    return f'use case "{entry.name}" ({key.text})' if isinstance(entry, UseCase) else f'keyspace "{key.text}"'


def _overlaps(entries: Sequence[Entry]) -> Iterator[Problem]:
    groups: dict[tuple[str, bool], list[_Taken]] = {}
    for order, entry in enumerate(entries):
        for taken in _taken(order, entry):
            groups.setdefault((entry.instance, taken.channel), []).append(taken)
    for group in groups.values():
        for earlier, later in _rivals(group):
            text = common_text(steps_of(earlier.key.parts), steps_of(later.key.parts))
            if text is not None:
                verb = "publish on" if later.channel else "be"
                message = f'{later} overlaps {earlier} at {earlier.entry.place}: both can {verb} "{text}"'
                yield Problem.at(later.entry.place, "overlapping-keys", message, earlier.entry.place)


def _taken(order: int, entry: Entry) -> Iterator[_Taken]:
    yield _Taken(order, entry, entry.key, is_signal(entry))
    if isinstance(entry, UseCase) and entry.primitive == "lock":
        if entry.fencing and (fence := helper_template(entry.key, "fence")):
            yield _Taken(order, entry, fence, False, "fence")
        if wake := helper_template(entry.key, "wake"):
            yield _Taken(order, entry, wake, True, "wake")


def _rivals(group: Iterable[_Taken]) -> Iterator[tuple[_Taken, _Taken]]:
    """Earlier and later of each pair that may meet: what one begins with is the beginning of the other.

    In alphabetical order whatever a text begins with comes before it, and nothing else stands in between for long.
    Helpers of two entries meet only where their keys do.
    """
    above: list[tuple[str, _Taken]] = []
    for head, _, taken in sorted((_head(taken.key), index, taken) for index, taken in enumerate(group)):
        while above and not head.startswith(above[-1][0]):
            above.pop()
        for _, rival in above:
            if not (rival.helper and taken.helper):
                yield (rival, taken) if rival.order <= taken.order else (taken, rival)
        above.append((head, taken))


def _head(key: KeyTemplate) -> str:
    """The text that all its keys begin with."""
    return key.parts[0] if isinstance(key.parts[0], str) else ""
