"""Which processes meet, over which use case.

Law of this file: a scenario is as small as its subject allows; what it leaves out, another has.
"""

from dataclasses import replace
from typing import NamedTuple

from redis_guard.registry.loader import Source, load_sources
from redis_guard.runtime.core.bound import Bound
from redis_guard.runtime.telemetry import NoTelemetry
from tests.runtime.interleavings.programs import (
    adopter,
    claimant,
    counting,
    exporter,
    holder,
    watchdog,
)
from tests.runtime.interleavings.world import (
    BACKWARD,
    CANCEL,
    CRASH,
    CUT,
    FORWARD,
    MS,
    ORDINARY,
    SILENT,
    STALL,
    Scenario,
)

REGISTRY = """
version: 1
owners:
  shop: {{contact: "#shop", description: Sells things.}}
use_cases:
  lock:
    {{primitive: lock, owner: shop, description: One at a time., ttl: 1s, wait: 0s, {failure}, {lock}}}
  claim:
    {{primitive: claim, owner: shop, description: Only once for all., ttl: 1s, {failure}}}
  counter:
    {{primitive: counter, owner: shop, description: How often it happens., ttl: 1h, {failure}}}
"""


def bounds(lock: str = "fencing: true", failure: str = "failure: closed") -> dict[str, Bound]:
    """The use cases, ready for use."""
    text = REGISTRY.format(lock=lock, failure=failure)
    registry = load_sources([Source("registry.yaml", text.encode)])
    return {name: Bound.of(case, NoTelemetry()) for name, case in registry.use_cases.items()}


CLOSED = bounds()
OPEN = bounds(failure="failure: open, reason: It may go on without it.")
RENEWED = bounds("fencing: true, renew: true, max_hold: 1500ms")

TWO = Scenario("two holders", ((holder("a"),), (holder("b"),)), CLOSED, faults=2)
THREE = Scenario("three holders", ((holder("a"),), (holder("b"),), (holder("c"),)), CLOSED, faults=1)
AGAIN = Scenario("a holder and one who tries twice", ((holder("a"),), (holder("b", "c"),)), CLOSED, faults=1)
WAITING = Scenario("a holder and one who waits", ((holder("a"),), (holder("b", wait=0.5),)), CLOSED, faults=1)
THREADS = Scenario(
    "two threads of a process",
    ((holder("a"), holder("b", wait=0.5)),),
    CLOSED,
    faults=1,
    befalls=frozenset((CANCEL, SILENT)),
)
RENEWING = Scenario(
    "a holder who renews, and another",
    ((holder("a", renewed=True), watchdog), (holder("b"),)),
    RENEWED,
    faults=1,
    horizon=1_600 * MS,
)
HANDING_ON = Scenario(
    "one hands on, two take over", ((exporter("a"),), (adopter("b"),), (adopter("c"),)), CLOSED, faults=1
)
STANDING_STILL = Scenario(
    "two holders whose processes may stand still",
    TWO.processes,
    CLOSED,
    faults=2,
    befalls=frozenset((SILENT, STALL, CRASH)),
)
SET_FORWARD = Scenario(
    "two holders, the server's clock set forward",
    TWO.processes,
    CLOSED,
    faults=1,
    befalls=ORDINARY | {FORWARD},
)
SET_BACK = Scenario(
    "two holders, the server's clock set back",
    TWO.processes,
    CLOSED,
    faults=2,
    befalls=frozenset((CUT, SILENT, BACKWARD)),
)
WITHOUT = Scenario("two holders who go on without Redis", TWO.processes, OPEN, faults=1)
CLAIMING = Scenario("two claimants", ((claimant("a"),), (claimant("b"),)), CLOSED, faults=2)
NAMED = Scenario(
    "a job that is delivered twice, and another claimant",
    ((claimant("by:job"),), (claimant("by:job"),), (claimant("b"),)),
    CLOSED,
    faults=2,
)
CLAIMING_WITHOUT = Scenario("two claimants who go on without Redis", CLAIMING.processes, OPEN, faults=2)
COUNTING = Scenario("two count", ((counting(1, 10),), (counting(100),)), CLOSED, faults=2)


def unknown(scenario: Scenario) -> Scenario:
    """The same where no request can say how late is too late."""
    return replace(scenario, name=f"{scenario.name}, the server's time not known", offset_known=False)


class Bounded(NamedTuple):
    """A scenario, and how many schedules it is known to have: fewer, and exploring has shrunk."""

    scenario: Scenario
    schedules: int
