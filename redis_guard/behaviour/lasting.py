"""How long a stretch of work lasts, as far as constants say.

Law of this file: what is certain to be done adds up; of what a branch or a handler may add, the longest counts.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from redis_guard.finding import Span
from redis_guard.project.model import Work

_CERTAIN = ("with", "for")


@dataclass(frozen=True, slots=True)
class Longest:
    """The longest a stretch can last."""

    seconds: float
    sleeps: bool
    """It surely lasts that long."""
    span: Span
    """Of the longest part."""
    text: str

    def exceeds(self, lease: float) -> bool:
        """A sleep as long as the lease is too long; a wait may end sooner."""
        return self.seconds >= lease if self.sleeps else self.seconds > lease


def longest(stretch: Iterable[Work], around: frozenset[int]) -> Longest | None:
    """`around` has the constructs that the whole stretch stands in: how often these run is not its matter."""
    timed = [(work, _seconds(work, around)) for work in stretch if work.seconds is not None]
    if not timed:
        return None
    certain = [(work, seconds) for work, seconds in timed if _certain(work, around)]
    perhaps = max((pair for pair in timed if pair not in certain), key=lambda pair: pair[1], default=None)
    counted = certain if perhaps is None else [*certain, perhaps]
    main = max(counted, key=lambda pair: pair[1])[0]
    return Longest(
        sum(seconds for _, seconds in counted),
        all(work.sleeps for work, _ in counted) and perhaps is None,
        main.span,
        main.text,
    )


def _seconds(work: Work, around: frozenset[int]) -> float:
    seconds = work.seconds or 0.0
    for construct, turns in work.turns:
        if construct not in around:
            seconds *= turns
    return seconds


def _certain(work: Work, around: frozenset[int]) -> bool:
    """Done each time: in no branch and no handler."""
    return all(
        arm.kind in _CERTAIN or (arm.kind == "try" and arm.arm in (0, arm.arms - 1))
        for arm in work.place.path
        if arm.construct not in around
    )
