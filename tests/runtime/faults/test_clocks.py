"""Clocks that are stepped: the server's moves keys about, never a holder's own certainty; the client's moves nothing.

Needs libfaketime for the server (`apt install libfaketime`, `brew install libfaketime`).
"""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from redis_guard.runtime import CoordinationUnavailable, LockLost
from redis_guard.testing import Server, ServerFailed, valkey_binary
from tests.runtime.faults.conftest import Coordinate
from tests.runtime.faults.heard import Heard, at_least_once, until
from tests.runtime.proxy import Proxy

PLACES = (
    *Path("/usr/lib").glob("*/faketime/libfaketime.so.1"),
    *Path("/opt/homebrew/lib/faketime").glob("libfaketime.1.dylib"),
)
HOUR = 3_600.0
# What TIME says, and what keys expire by.
WAYS = """
local time = redis.call('TIME')
redis.call('SET', KEYS[1], '', 'PX', 60000)
local left = redis.call('PTTL', KEYS[1])
local expires = redis.call('PEXPIRETIME', KEYS[1])
redis.call('DEL', KEYS[1])
return {expires - left, time[1] * 1000 + math.floor(time[2] / 1000)}
"""


class Stepped:
    """A server whose clock can be set."""

    def __init__(self, binary: Path, folder: Path) -> None:
        self._offset = folder / "offset"
        self._set(0)
        program = folder / "stepped-server"
        program.write_text(
            "#!/bin/sh\n"
            f"export LD_PRELOAD={PLACES[0]} FAKETIME_TIMESTAMP_FILE={self._offset} FAKETIME_NO_CACHE=1\n"
            # Like a clock that is set: what measures spans is not touched.
            "export FAKETIME_DONT_FAKE_MONOTONIC=1 DONT_FAKE_MONOTONIC=1\n"
            f'exec {binary} "$@"\n'
        )
        program.chmod(0o755)
        self.server = Server(program)

    def step(self, seconds: float) -> None:
        """So far from the true time, for each of the server's ways to tell the time."""
        self._set(seconds)
        with self.server.connect() as client:
            agreed = 0
            while agreed < 5:
                told = client.eval(WAYS, 1, "a key of the clock's own")
                agreed = (
                    agreed + 1 if all(abs(time.time() + seconds - each / 1000) < 0.1 for each in told) else 0
                )

    def _set(self, seconds: float) -> None:
        new = self._offset.with_suffix(".new")
        new.write_text(f"{seconds:+f}\n")
        new.replace(self._offset)


@pytest.fixture
def stepped(binary: Path | None, tmp_path: Path) -> Iterator[Stepped]:
    if not PLACES:
        pytest.skip("libfaketime is not installed")
    made = Stepped(binary or valkey_binary(), tmp_path)
    if made.server.version < ("Redis", (7,)):
        pytest.skip("it cannot tell when a key expires")
    try:
        made.server.start()
    except ServerFailed as error:
        pytest.skip(f"not every server comes up under libfaketime: {error}")
    try:
        yield made
    finally:
        made.server.stop()


def test_a_step_forward_ends_a_lock_early_and_its_holder_is_told_by_the_next_renewal(
    coordinate: Coordinate, stepped: Stepped, heard: Heard
) -> None:
    coordination = coordinate(stepped.server.url)
    lease = coordination.lock("lock_renewed_long", 1).try_acquire()
    watched = coordination.lock("lock_renewed", 1).try_acquire()
    assert lease is not None
    assert watched is not None

    stepped.step(HOUR)

    assert watched.lost.wait(10)
    with stepped.server.connect() as client:
        assert not client.exists("coordination:lock_renewed_long:1")
    # Without a renewal he learns of it when he gives the lock back.
    with pytest.raises(LockLost):
        lease.release()


def test_a_step_back_prolongs_a_key_but_not_its_holders_certainty(
    coordinate: Coordinate, stepped: Stepped
) -> None:
    coordination = coordinate(stepped.server.url)
    lease = coordination.lock("lock_brief", 1).try_acquire()
    assert lease is not None

    stepped.step(-HOUR)

    with stepped.server.connect() as client:
        assert client.pttl("coordination:lock_brief:1") > 1_000_000
    assert lease.remaining < 0.6
    until(lambda: lease.remaining == 0)
    with pytest.raises(LockLost):
        lease.check()


@pytest.mark.parametrize("step", [HOUR, -HOUR])
def test_a_fence_rises_over_a_step_of_the_servers_clock(
    coordinate: Coordinate, stepped: Stepped, step: float
) -> None:
    coordination = coordinate(stepped.server.url)
    fences = []
    for offset in (0, step, 0):
        stepped.step(offset)
        with coordination.lock("lock_fenced", 1) as lease:
            fences.append(lease.fence or 0)

    assert fences == sorted(set(fences))


@pytest.mark.parametrize("step", [HOUR, -HOUR])
def test_calls_are_answered_in_spite_of_a_step_of_the_servers_clock(
    coordinate: Coordinate, stepped: Stepped, step: float
) -> None:
    coordination = coordinate(stepped.server.url)
    for _ in range(3):
        coordination.counter("counter_closed", 1).increment()
        stepped.step(step)
        with coordination.lock("lock_closed", 1) as lease:
            lease.check()
        stepped.step(0)


def test_a_client_whose_wall_clock_is_set_notices_nothing(
    coordinate: Coordinate, proxy: Proxy, client: redis.Redis, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    coordination = coordinate(proxy.url)
    true = time.time
    with coordination.lock("lock_renewed", 1) as lease:
        for step in (10 * HOUR, -10 * HOUR):
            monkeypatch.setattr(time, "time", lambda step=step: true() + step)
            lease.check()
            assert lease.remaining <= 1
            heard.wait_for("lock_renewed", "renewed", heard.outcomes("lock_renewed").count("renewed") + 1)
            assert 0 < client.pttl("coordination:lock_renewed:1") <= 1_000
            with coordination.lock("lock_fenced", 1) as fenced:
                assert 29 < fenced.remaining < 30
            assert coordination.counter("counter_closed", 1).increment().resets_in == pytest.approx(
                3600, abs=60
            )
        lease.check()


def test_after_a_step_forward_of_the_servers_clock_a_late_request_is_still_declined(
    coordinate: Coordinate, stepped: Stepped
) -> None:
    with Proxy(stepped.server.host, stepped.server.port) as proxy:
        coordination = coordinate(proxy.url, deadline=0.3)
        late = [proxy.hold("evalsha") for _ in range(3)]
        with pytest.raises(CoordinationUnavailable), coordination.lock("lock_closed", 1):
            pytest.fail("the body ran")
        stepped.step(HOUR)
        for request in late:
            request.deliver()
        with stepped.server.connect() as client:
            assert not client.exists("coordination:lock_closed:1")


def test_renewal_goes_on_after_a_step_forward_that_made_it_late(
    coordinate: Coordinate, stepped: Stepped, heard: Heard
) -> None:
    coordination = coordinate(stepped.server.url, deadline=0.2)

    def hold() -> None:
        stepped.step(0)
        with coordination.lock("lock_renewed", 1, wait=10) as lease:
            stepped.step(0.45)
            heard.wait_for("lock_renewed", "renewed", heard.outcomes("lock_renewed").count("renewed") + 1)
            lease.check()

    at_least_once(hold)
