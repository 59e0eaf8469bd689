"""Every cell of the failure table: what a caller gets of each primitive under each policy when Redis fails him.

Law of this file: a cell acts once, and asserts all that the table promises.
"""

from collections.abc import Callable, Mapping
from math import inf
from types import MappingProxyType
from typing import Final

import pytest

from redis_guard.runtime import CoordinationUnavailable
from redis_guard.runtime.faults import ErrorClass
from tests.runtime.faults.heard import Heard
from tests.runtime.worlds import AnyCoordination

Cell = Callable[[AnyCoordination], None]


def _raises(use_case: str, act: Callable[[AnyCoordination], object]) -> Cell:
    def cell(coordination: AnyCoordination) -> None:
        with pytest.raises(CoordinationUnavailable) as raised:
            act(coordination)
        assert raised.value.use_case == use_case

    return cell


def _enter(coordination: AnyCoordination) -> None:
    with coordination.lock("lock_closed", 1):
        pytest.fail("the body ran")


def _lock_open(coordination: AnyCoordination) -> None:
    ran = False
    with coordination.lock("lock_open", 1) as lease:
        assert lease.degraded
        assert lease.fence is None
        assert lease.remaining == inf
        assert not lease.lost
        lease.check()
        ran = True
    assert ran


def _claim_open(coordination: AnyCoordination) -> None:
    claim = coordination.claim("claim_open", 1)
    assert (claim.accepted, claim.degraded, claim.holder) == (True, True, None)


def _counter_open(coordination: AnyCoordination) -> None:
    count = coordination.counter("counter_open", 1).increment()
    assert (count.value, count.degraded, count.exceeded, count.remaining) == (0, True, False, 5)
    assert count.resets_in is None


def _counter_fallback(coordination: AnyCoordination) -> None:
    count = coordination.counter("counter_fallback", 1).increment()
    assert (count.value, count.degraded, count.exceeded, count.remaining) == (6, True, True, 0)


def _signal_open(coordination: AnyCoordination) -> None:
    sent = coordination.signal("signal_open").send("marker")
    assert (sent.receivers, sent.degraded) == (0, True)


CELLS: Final[Mapping[str, Cell]] = MappingProxyType(
    {
        "lock_closed": _raises("lock_closed", _enter),
        "lock_open": _lock_open,
        "claim_closed": _raises("claim_closed", lambda c: c.claim("claim_closed", 1)),
        "claim_open": _claim_open,
        "counter_closed": _raises("counter_closed", lambda c: c.counter("counter_closed", 1).increment()),
        "counter_open": _counter_open,
        "counter_fallback": _counter_fallback,
        "signal_closed": _raises("signal_closed", lambda c: c.signal("signal_closed").send("marker")),
        "signal_open": _signal_open,
    }
)

WITH_KEYS: Final = tuple(name for name in CELLS if not name.startswith("signal"))
"""Signals store nothing, so that much of what refuses a key does not concern them."""


def every_cell(
    coordination: AnyCoordination,
    heard: Heard,
    error_class: ErrorClass,
    *,
    of: tuple[str, ...] = tuple(CELLS),
) -> None:
    """Each gives what the table says, and each is told under this class."""
    for name in of:
        CELLS[name](coordination)
        assert heard.classes(name)[0] == error_class, name


def told_as(name: str) -> str:
    """The outcome that metrics count."""
    if name.endswith("closed"):
        return "unavailable"
    return "dropped" if name.startswith("signal") else "degraded"
