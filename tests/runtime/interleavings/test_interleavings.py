"""The core keeps its promises in every order of events: all schedules of small scenarios are played.

Each scenario has a budget of faults: requests that are slow, lost, refused or unanswered, cancelled callers, crashed
processes, a server's clock that is set. Whatever was sent may be carried out long after its caller has gone.
`REDIS_GUARD_EXPLORE` adds that many faults to each budget (`make explore`).
"""

import os
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.runtime.interleavings import scenarios as s
from tests.runtime.interleavings.explorer import explore
from tests.runtime.interleavings.scenarios import unknown
from tests.runtime.interleavings.world import Scenario

MORE = int(os.environ.get("REDIS_GUARD_EXPLORE", "0"))

# How many schedules each is known to have, at least: with fewer, exploring has shrunk.
SCENARIOS = (
    (s.TWO, 800_000),
    (unknown(s.TWO), 250_000),
    (s.THREE, 40_000),
    (unknown(s.THREE), 30_000),
    (s.AGAIN, 20_000),
    (unknown(s.AGAIN), 15_000),
    (s.WAITING, 65_000),
    (unknown(s.WAITING), 35_000),
    (s.THREADS, 22_000),
    (s.RENEWING, 15_000),
    (unknown(s.RENEWING), 18_000),
    (s.HANDING_ON, 11_000),
    (unknown(s.HANDING_ON), 14_000),
    (s.STANDING_STILL, 600_000),
    (s.SET_FORWARD, 3_000),
    (s.SET_BACK, 3_500_000),
    (s.WITHOUT, 3_000),
    (s.CLAIMING, 9_500),
    (unknown(s.CLAIMING), 8_500),
    (s.NAMED, 60_000),
    (s.CLAIMING_WITHOUT, 9_000),
    (s.COUNTING, 3_300),
    (unknown(s.COUNTING), 4_000),
)


@pytest.mark.parametrize(
    ("scenario", "at_least"), SCENARIOS, ids=[scenario.name.replace(" ", "-") for scenario, _ in SCENARIOS]
)
def test_no_order_of_events_breaks_a_promise(
    scenario: Scenario, at_least: int, record_property: Callable[[str, object], None]
) -> None:
    explored = explore(replace(scenario, faults=scenario.faults + MORE))

    assert explored.counter_example is None, explored.counter_example
    assert explored.schedules >= at_least
    record_property("schedules", explored.schedules)
    record_property("states", explored.states)
