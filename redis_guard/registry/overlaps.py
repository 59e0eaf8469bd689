"""Two entries at one key: what the file alone shows about keys that meet on one Redis.

Law of this file: only entries of one instance can meet, and channels meet channels only.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from redis_guard.registry.intersection import common_text, steps_of
from redis_guard.registry.model import Entry, UseCase, is_signal
from redis_guard.registry.problems import Problem

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
            message = f'{_called(entry)}: keys of {first.owner} begin with "{segment}" too, at {first.place}'
            problems.append(Problem.at(entry.place, "shared-prefix", message))
    return tuple(problems)


def _overlaps(entries: Sequence[Entry]) -> Iterator[Problem]:
    steps = {entry.key: steps_of(entry.key.parts) for entry in entries}
    for later, earlier in _pairs(entries):
        text = common_text(steps[earlier.key], steps[later.key])
        if text is not None:
            noun = "publish on" if is_signal(later) else "be"
            message = (
                f'{_called(later)} overlaps {_called(earlier)} at {earlier.place}: both can {noun} "{text}"'
            )
            yield Problem.at(later.place, "overlapping-keys", message)


def _pairs(entries: Sequence[Entry]) -> Iterator[tuple[Entry, Entry]]:
    """Later and earlier entry of each pair that may meet: same server, and first segments that agree."""
    literal: dict[tuple[str, bool, str], list[Entry]] = {}
    open_ended: dict[tuple[str, bool], list[Entry]] = {}
    seen: dict[tuple[str, bool], list[Entry]] = {}
    for entry in entries:
        where = (entry.instance, is_signal(entry))
        segment = entry.key.first_segment
        rivals: Iterable[Entry]
        if segment is None:
            rivals = seen.get(where, ())
            open_ended.setdefault(where, []).append(entry)
        else:
            alike = literal.setdefault((*where, segment), [])
            rivals = (*alike, *open_ended.get(where, ()))
            alike.append(entry)
        for rival in rivals:
            yield entry, rival
        seen.setdefault(where, []).append(entry)


def _called(entry: Entry) -> str:
    if isinstance(entry, UseCase):
        return f'use case "{entry.name}" ({entry.key.text})'
    return f'keyspace "{entry.key.text}"'
