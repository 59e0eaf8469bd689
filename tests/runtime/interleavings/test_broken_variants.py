"""Exploring finds what is broken: each variant of the core or of a script breaks a promise in some order of events.

The counter-examples are the shortest ones and are printed (`pytest -s`).
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from redis_guard.runtime.core import acquire, claim, exchange, locking, release, watch
from redis_guard.testing import memory
from tests.runtime.interleavings import scenarios as s
from tests.runtime.interleavings.explorer import explore
from tests.runtime.interleavings.mutation import broken
from tests.runtime.interleavings.scenarios import unknown
from tests.runtime.interleavings.world import Scenario

FREE = "a released lock is free"
ONE = "never two valid leases"
HELD = "a valid lease has its key"
TTL = "every key has a ttl"
FENCE = "fences strictly rise"
ONCE = "a claim is accepted once"
COUNT = "nothing is counted twice"


class Broken(NamedTuple):
    """What is broken, and which promise of which scenario that breaks."""

    what: str
    function: Callable[..., Any]
    instead_of: str
    stands: str
    scenario: Scenario
    promise: str


VARIANTS = (
    Broken("acquire without not-after", memory.Memory.call, "if script in _DECLINES and",
           "if script in _DECLINES and script != 'acquire' and", s.TWO, FREE),
    Broken("adopt without not-after", memory.Memory.call, "if script in _DECLINES and",
           "if script in _DECLINES and script != 'adopt' and", s.HANDING_ON, FREE),
    Broken("claim without not-after", memory.Memory.call, "if script in _DECLINES and",
           "if script in _DECLINES and script != 'claim' and", s.CLAIMING, FREE),
    Broken("acquire that does not know its own token", memory._acquire,
           "if space.get(keys[0], now) != token:", "if True:", s.TWO, FREE),
    Broken("acquire without a ttl", memory._acquire, "space.set(keys[0], token, now, ttl)",
           "space.set(keys[0], token, now)", s.TWO, TTL),
    Broken("a fence without a ttl", memory._acquire,
           'if fenced else 0\n        if fenced:\n            space.set(keys[1], b"%d" % fence, now, int(args[2]))',
           'if fenced else 0\n        if fenced:\n            space.set(keys[1], b"%d" % fence, now)', s.TWO, TTL),
    Broken("a fence that is only the time", memory._acquire, "fence = max(previous + 1, now_us)",
           "fence = now_us", s.TWO, FENCE),
    Broken("acquire over another's lock", memory._acquire, "if not space.exists(keys[0], now):", "if True:",
           s.TWO, ONE),
    Broken("release without the token check", memory._release,
           "if not space.holds(keys[0], args[0], now):", "if False:", s.TWO, HELD),
    Broken("renewal that makes a key anew", memory._renew, "mine = space.holds(keys[0], args[0], now)",
           "mine = space.set(keys[0], args[0], now, int(args[1])) is None", s.RENEWING, FREE),
    Broken("renewal without the token check", memory._renew, "if mine else 0", "if True else mine",
           s.RENEWING, HELD),
    Broken("adopt without the token check", memory._adopt,
           "if space.holds(keys[0], args[0], now) and left > 0:", "if left > 0:", s.HANDING_ON, ONE),
    Broken("claim that does not know its own token", memory._claim,
           "if holder == claimant else [0, holder, left]", "if False else [0, holder, left]", s.CLAIMING, FREE),
    Broken("claim without a ttl", memory._claim, "ttl if ttl > 0 else None)", "None)", s.CLAIMING, TTL),
    Broken("claim over another's", memory._claim, "if not space.exists(keys[0], now):", "if True:",
           s.CLAIMING, ONCE),
    Broken("a window that never ends", memory._count, "space.pexpire(keys[0], window, now)", "pass",
           s.COUNTING, TTL),
    Broken("validity counted from the reply", acquire.try_once,
           "valid_until(result.answer.sent_at, left / 1000)", "valid_until(clock(), left / 1000)", s.TWO, HELD),
    Broken("a whole ttl for a lock that is mine already", acquire.try_once,
           "valid_until(result.answer.sent_at, left / 1000)",
           "valid_until(result.answer.sent_at, bound.ttl)", unknown(s.WAITING), HELD),
    Broken("an acquire without an answer is not undone", acquire.try_once, "if fault.ambiguous:", "if False:",
           s.TWO, FREE),
    Broken("a cancelled acquire is not undone", acquire.try_once,
           "yield from _undo(bound, keys, token, until=latest_end(clock, bound.deadline))", "pass", s.TWO, FREE),
    Broken("a retry does not wait for the end of the first request", exchange.exchange,
           "yield Sleep(fault.until)", "pass", s.TWO, FREE),
    Broken("a clean-up does not wait for the end of the request", exchange.clean_up,
           "if 0 < until < inf:", "if False:", s.TWO, FREE),
    Broken("a clean-up that a cancellation breaks off", exchange.clean_up,
           "CLEANING * deadline, False, shielded=True", "CLEANING * deadline, False, shielded=False",
           s.TWO, FREE),
    Broken("giving back only what is valid", locking.Locking._give_back, "good = lease.valid",
           "good = lease.valid\n    if not lease.valid: return", s.TWO, FREE),
    Broken("who hands on still holds", locking.Locking.hand_on,
           "lease.ended = lease.released = True\n    lease.lost_because = HANDED_ON", "pass",
           s.HANDING_ON, ONE),
    Broken("validity of an adopted lease counted as new", release.adopt,
           "valid_until(sent_at, left / 1000)", "valid_until(sent_at, bound.ttl)", s.HANDING_ON, HELD),
    Broken("a renewed lease counted from the reply", watch.look_after, "valid_until(answer.sent_at,",
           "valid_until(lease.clock(),", s.RENEWING, HELD),
    Broken("a renewal without an answer counts", watch.look_after, "record(outcome,",
           "lease.deadline += 0.3; record(outcome,", s.RENEWING, HELD),
    Broken("a claim without an answer is not withdrawn", claim.claim,
           "if fault.ambiguous and not named and", "if False and", s.CLAIMING, FREE),
    Broken("a named claim is withdrawn", claim.claim, "if fault.ambiguous and not named and",
           "if fault.ambiguous and", s.NAMED, ONCE),
    Broken("a count without an answer is sent again", exchange.exchange_once, "if fault.ambiguous:",
           "if False:", s.COUNTING, COUNT),
    Broken("a count without an answer is said not to have been", exchange.exchange_once,
           'raise Fault("ambiguous", fault.detail, sent_at=fault.sent_at, until=fault.until) from fault',
           "raise fault", s.COUNTING, COUNT),
)  # fmt: skip


def shortest(scenario: Scenario) -> str | None:
    """A counter-example with as few faults as there can be, and as few events."""
    for faults in range(scenario.faults + 1):
        explored = explore(replace(scenario, faults=faults))
        if explored.counter_example is not None:
            return explored.counter_example
    return None


@pytest.mark.parametrize("variant", VARIANTS, ids=[each.what.replace(" ", "-") for each in VARIANTS])
def test_a_broken_variant_is_found(variant: Broken) -> None:
    with broken(variant.function, variant.instead_of, variant.stands):
        found = shortest(variant.scenario)

    print(f"\n{variant.what}\n{found}")  # noqa: T201  # the shortest course, for who runs it with -s
    assert found is not None
    assert variant.promise in found.splitlines()[0]
