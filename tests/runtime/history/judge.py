"""What a recorded history must not contain.

Law of this file: a violation is one whatever the machine's speed. A lease is known to be held from the moment its
holder had the answer to the start of the last check that passed; nothing is assumed before or after.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from redis_guard.registry import UseCase
from tests.runtime.history.record import Event

Cases = Mapping[str, UseCase]

EXPIRY_GRAIN = 0.005
"""Seconds by which a server's expiry, kept in milliseconds, may come later than the ttl says."""


@dataclass(slots=True)
class Lease:
    """A lock that somebody had."""

    who: str
    lock: str
    invoked: float
    acquired: float
    fence: int | None
    adopted: bool
    checked: float | None = None
    """The start of the last check that passed."""
    given_back: float | None = None
    """When its release was asked for."""
    end: str | None = None
    """told, released, handed_on or failed; None for a holder that was killed."""
    ended: float | None = None

    def __str__(self) -> str:
        until = "never checked" if self.checked is None else f"until {self.checked:.6f}"
        return f"{self.lock} of {self.who} from {self.acquired:.6f} {until}, fence {self.fence}"


class Pause(NamedTuple):
    """A process stood still between these moments, if not longer."""

    who: str
    began: float
    ended: float


def leases_of(events: Iterable[Event]) -> list[Lease]:
    """The leases of a history."""
    asked: dict[tuple[str, int], Event] = {}
    leases: dict[tuple[str, int], Lease] = {}
    for event in events:
        key = (event.who, event.call)
        if event.kind in ("acquire", "adopt"):
            asked[key] = event
        elif event.kind == "acquired":
            before = asked[key]
            adopted = before.kind == "adopt"
            leases[key] = Lease(event.who, event.what, before.at, event.at, event.detail, adopted)
        elif key in leases:
            lease = leases[key]
            match event.kind:
                case "checked":
                    lease.checked = event.at
                case "release":
                    lease.given_back = event.at
                case end:
                    lease.end, lease.ended = end, event.at
    return list(leases.values())


def by_lock(leases: Iterable[Lease]) -> Iterator[list[Lease]]:
    """The leases of each lock, in the order in which their holders had them."""
    found: defaultdict[str, list[Lease]] = defaultdict(list)
    for lease in sorted(leases, key=lambda lease: lease.acquired):
        found[lease.lock].append(lease)
    yield from found.values()


def overlaps(leases: Iterable[Lease]) -> Iterator[str]:
    """Two had one lock at the same time."""
    for of_one in by_lock(leases):
        longest: Lease | None = None
        for lease in of_one:
            if lease.checked is None:
                continue
            if longest is not None and longest.checked is not None and lease.acquired <= longest.checked:
                yield f"two leases at once: {longest} and {lease}"
            if longest is None or longest.checked is None or lease.checked > longest.checked:
                longest = lease


def fences_out_of_order(leases: Iterable[Lease]) -> Iterator[str]:
    """A later lease has a fence that is not higher; one that was handed on keeps its own."""
    for of_one in by_lock(lease for lease in leases if lease.fence is not None):
        # Leases that were held at some moment follow each other as these moments do.
        held = [lease for lease in of_one if lease.checked is not None]
        for before, after in pairwise(held):
            if not _rises(before, after):
                yield f"the fence does not rise: {before}, then {after}"
        # Of the others, those follow each other of which one was asked for after the other was had.
        latest: Lease | None = None
        for lease in sorted(of_one, key=lambda lease: lease.fence or 0):
            if latest is not None and lease.acquired < latest.invoked and not lease.adopted:
                yield f"the fence does not rise: {lease}, then {latest}"
            if latest is not None and lease.fence == latest.fence and not (lease.adopted or latest.adopted):
                yield f"one fence for two: {latest} and {lease}"
            if latest is None or lease.invoked > latest.invoked:
                latest = lease


def _rises(before: Lease, after: Lease) -> bool:
    assert before.fence is not None and after.fence is not None
    return after.fence > before.fence or (after.adopted and after.fence == before.fence)


def untold(leases: Iterable[Lease], pauses: Iterable[Pause], cases: Cases) -> Iterator[str]:
    """A holder was not told that its lease had ended, as one that was paused for too long must be."""
    paused: defaultdict[str, list[Pause]] = defaultdict(list)
    for pause in pauses:
        paused[pause.who].append(pause)
    for lease in leases:
        case = cases[lease.lock.partition("/")[0]]
        ttl = (case.ttl_ms or 0) / 1000
        end = lease.acquired + (case.max_hold_ms or case.ttl_ms or 0) / 1000
        if lease.checked is not None and lease.checked >= end:
            yield f"a check passed after the lease had ended: {lease}"
        late = lease.given_back is not None and lease.given_back >= end + EXPIRY_GRAIN
        if late and lease.end == "released":
            yield f"given back after it had ended, and not told: {lease}"
        for pause in paused[lease.who]:
            # A renewal on its way when the pause began may prolong the lease once.
            too_long = pause.ended - pause.began > 2 * ttl + EXPIRY_GRAIN
            during = lease.acquired < pause.began and (lease.ended is None or lease.ended > pause.ended)
            if too_long and during and lease.checked is not None and lease.checked > pause.ended:
                yield f"a check passed after a pause of {pause.ended - pause.began:.3f} s: {lease}"


def claimed_wrongly(events: Iterable[Event]) -> Iterator[str]:
    """A claim was accepted for two, or for nobody though everybody had an answer."""
    claimant: dict[tuple[str, int], str] = {}
    accepted: defaultdict[str, set[str]] = defaultdict(set)
    unanswered: defaultdict[str, set[tuple[str, int]]] = defaultdict(set)
    for event in events:
        key = (event.who, event.call)
        if event.kind == "claim":
            claimant[key] = event.detail or f"call {event.call} of {event.who}"
            unanswered[event.what].add(key)
        elif event.kind in ("accepted", "duplicate"):
            unanswered[event.what].discard(key)
            if event.kind == "accepted":
                accepted[event.what].add(claimant[key])
    for claim, waiting in unanswered.items():
        if len(accepted[claim]) > 1:
            yield f"{claim} was accepted for {' and '.join(sorted(accepted[claim]))}"
        if not accepted[claim] and not waiting:
            yield f"{claim} was accepted for nobody"


def counted_wrongly(events: Sequence[Event], final: Mapping[str, int]) -> Iterator[str]:
    """A counter ends below what was acknowledged, or above that and what nobody can know of."""
    steps = {(event.who, event.call): event.detail for event in events if event.kind == "count"}
    known: defaultdict[str, int] = defaultdict(int)
    unknown: defaultdict[str, int] = defaultdict(int)
    values: defaultdict[str, set[int]] = defaultdict(set)
    for event in events:
        key = (event.who, event.call)
        if event.kind == "count":
            unknown[event.what] += steps[key]
        elif key in steps:
            if event.kind == "counted":
                if event.detail in values[event.what]:
                    yield f"{event.what} came to {event.detail} twice"
                values[event.what].add(event.detail)
                known[event.what] += steps[key]
                unknown[event.what] -= steps[key]
            elif event.detail != "ambiguous":
                unknown[event.what] -= steps[key]
    for counter in unknown:
        least, most = known[counter], known[counter] + unknown[counter]
        if not least <= final[counter] <= most:
            yield f"{counter} is {final[counter]}, and should be from {least} to {most}"
