"""The judge finds what is wrong in histories made by hand, and nothing in those that are right."""

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from redis_guard.registry import registry_from_files
from tests.runtime.history.judge import (
    Pause,
    claimed_wrongly,
    counted_wrongly,
    fences_out_of_order,
    leases_of,
    overlaps,
    untold,
)
from tests.runtime.history.player import REGISTRY
from tests.runtime.history.record import Event, Record, events_in

CASES = registry_from_files(REGISTRY).use_cases
LOCK = "plain_lock/a"
CALLS = count()


def held(
    acquired: float,
    *checked: float,
    fence: int | None = None,
    lock: str = LOCK,
    who: str = "p0.1",
    invoked: float | None = None,
    kind: str = "acquire",
    end: tuple[float, str] | None = None,
) -> list[Event]:
    """The events of one lease."""
    call = next(CALLS)
    events = [
        Event(acquired - 0.001 if invoked is None else invoked, kind, who, call, lock),
        Event(acquired, "acquired", who, call, lock, fence),
        *(Event(at, "checked", who, call, lock) for at in checked),
    ]
    if end is not None:
        events += [Event(end[0], "release", who, call, lock), Event(end[0] + 0.001, end[1], who, call, lock)]
    return events


def asked(kind: str, what: str, detail: Any, answer: str | None, said: Any = None) -> list[Event]:
    """A claim or a count, and its answer if there was one."""
    call = next(CALLS)
    events = [Event(1.0, kind, "p0.1", call, what, detail)]
    return events if answer is None else [*events, Event(1.1, answer, "p0.1", call, what, said)]


class TestOverlaps:
    def test_leases_that_follow_each_other_do_not(self) -> None:
        assert list(overlaps(leases_of(held(1.00, 1.04) + held(1.05, 1.09)))) == []

    def test_a_check_that_passes_while_another_has_the_lock_does(self) -> None:
        (found,) = overlaps(leases_of(held(1.00, 1.06) + held(1.05, 1.09, who="p1.1")))

        assert "p0.1" in found
        assert "p1.1" in found

    def test_the_order_of_writing_does_not_matter(self) -> None:
        assert len(list(overlaps(leases_of(held(1.05, 1.09) + held(1.00, 1.06))))) == 1

    def test_a_long_lease_overlaps_with_a_later_one_past_a_short_one(self) -> None:
        history = held(1.00, 1.50) + held(1.10, 1.11) + held(1.40, 1.41)

        assert len(list(overlaps(leases_of(history)))) == 2

    def test_a_lease_that_was_never_checked_proves_nothing(self) -> None:
        assert list(overlaps(leases_of(held(1.00, 1.06) + held(1.05)))) == []

    def test_other_locks_do_not(self) -> None:
        assert list(overlaps(leases_of(held(1.00, 1.06) + held(1.05, 1.09, lock="plain_lock/b")))) == []


class TestFences:
    def test_they_may_leave_numbers_out(self) -> None:
        assert list(fences_out_of_order(leases_of(held(1.0, 1.01, fence=3) + held(2.0, 2.01, fence=9)))) == []

    @pytest.mark.parametrize("fence", [3, 2])
    def test_a_later_one_is_higher(self, fence: int) -> None:
        history = held(1.0, 1.01, fence=3) + held(2.0, 2.01, fence=fence)

        assert list(fences_out_of_order(leases_of(history)))

    def test_a_later_one_is_higher_though_neither_lease_was_checked(self) -> None:
        assert list(fences_out_of_order(leases_of(held(1.0, fence=3) + held(2.0, fence=2))))

    def test_requests_that_overlap_have_no_order_of_their_own(self) -> None:
        history = held(1.0, fence=3, invoked=0.5) + held(1.1, fence=2, invoked=0.4)

        assert list(fences_out_of_order(leases_of(history))) == []

    def test_whoever_takes_over_keeps_the_fence(self) -> None:
        history = held(1.0, 1.01, fence=3) + held(1.1, 1.11, fence=3, kind="adopt")

        assert list(fences_out_of_order(leases_of(history))) == []

    def test_whoever_takes_over_has_no_lower_one(self) -> None:
        history = held(1.0, 1.01, fence=3) + held(1.1, 1.11, fence=2, kind="adopt")

        assert list(fences_out_of_order(leases_of(history)))


class TestUntold:
    """plain_lock lives 60 ms; renewed_lock 120 ms, and 1 s with all renewals."""

    def test_a_check_within_the_ttl_may_pass(self) -> None:
        assert list(untold(leases_of(held(1.0, 1.05, end=(1.05, "released"))), (), CASES)) == []

    def test_a_check_after_the_ttl_may_not(self) -> None:
        assert list(untold(leases_of(held(1.0, 1.061)), (), CASES))

    def test_a_renewed_lease_may_outlive_its_ttl_but_not_the_longest_hold(self) -> None:
        within, beyond = held(1.0, 1.9, lock="renewed_lock/a"), held(1.0, 2.0, lock="renewed_lock/a")

        assert list(untold(leases_of(within), (), CASES)) == []
        assert list(untold(leases_of(beyond), (), CASES))

    def test_giving_back_after_the_end_tells(self) -> None:
        assert list(untold(leases_of(held(1.0, end=(1.2, "told"))), (), CASES)) == []
        assert list(untold(leases_of(held(1.0, end=(1.2, "released"))), (), CASES))

    def test_no_check_passes_after_a_pause_longer_than_any_renewal(self) -> None:
        lease = leases_of(held(1.0, 1.5, lock="renewed_lock/a"))

        assert list(untold(lease, [Pause("p0.1", 1.1, 1.2)], CASES)) == []
        assert list(untold(lease, [Pause("p1.1", 1.1, 1.4)], CASES)) == []
        assert list(untold(lease, [Pause("p0.1", 1.1, 1.4)], CASES))


class TestClaims:
    CLAIM = "raced_claim/1"

    def test_one_is_accepted_and_the_others_are_duplicates(self) -> None:
        history = asked("claim", self.CLAIM, None, "accepted") + asked("claim", self.CLAIM, None, "duplicate")

        assert list(claimed_wrongly(history)) == []

    def test_two_are_not_accepted(self) -> None:
        history = asked("claim", self.CLAIM, None, "accepted") + asked("claim", self.CLAIM, None, "accepted")

        assert list(claimed_wrongly(history))

    def test_a_claimant_who_comes_back_is_accepted_again(self) -> None:
        history = asked("claim", self.CLAIM, "job", "accepted") + asked(
            "claim", self.CLAIM, "job", "accepted"
        )

        assert list(claimed_wrongly(history)) == []

    def test_somebody_is_accepted(self) -> None:
        assert list(claimed_wrongly(asked("claim", self.CLAIM, None, "duplicate")))

    @pytest.mark.parametrize("answer", [None, "failed"])
    def test_it_may_be_one_who_never_heard_of_it(self, answer: str | None) -> None:
        history = asked("claim", self.CLAIM, None, answer) + asked("claim", self.CLAIM, None, "duplicate")

        assert list(claimed_wrongly(history)) == []


class TestCounts:
    @pytest.fixture
    def history(self) -> list[Event]:
        """4 are acknowledged, 2 unknown, 1 not counted."""
        return [
            *asked("count", "tally/a", 1, "counted", 1),
            *asked("count", "tally/a", 3, "counted", 6),
            *asked("count", "tally/a", 1, None),
            *asked("count", "tally/a", 1, "failed", "ambiguous"),
            *asked("count", "tally/a", 1, "failed", "connection"),
        ]

    @pytest.mark.parametrize("final", [4, 5, 6])
    def test_what_nobody_can_know_of_may_count_or_not(self, history: list[Event], final: int) -> None:
        assert list(counted_wrongly(history, {"tally/a": final})) == []

    @pytest.mark.parametrize("final", [3, 7])
    def test_nothing_is_lost_or_made_up(self, history: list[Event], final: int) -> None:
        assert list(counted_wrongly(history, {"tally/a": final}))

    def test_no_two_are_told_the_same(self) -> None:
        history = asked("count", "tally/a", 1, "counted", 1) + asked("count", "tally/a", 1, "counted", 1)

        assert list(counted_wrongly(history, {"tally/a": 2}))


@pytest.fixture
def cut_short(tmp_path: Any) -> Iterator[Any]:
    """A history whose last line was cut."""
    path = tmp_path / "p0.1.jsonl"
    record = Record(path, "p0.1")
    record.add("acquired", record.begin("acquire", LOCK), LOCK, 7)
    path.write_bytes(path.read_bytes() + b'[1.5, "chec')
    yield path


def test_what_a_killed_process_has_written_can_be_read(cut_short: Any) -> None:
    (lease,) = leases_of(events_in([cut_short]))

    assert (lease.lock, lease.fence, lease.end) == (LOCK, 7, None)
