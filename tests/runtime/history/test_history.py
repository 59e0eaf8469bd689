"""Several processes of both worlds, paused and killed, on one server: what they were told must be true.

The seed is printed; it repeats the players' and the nemesis's choices, though not the machine's timing.
"""

import random
from collections.abc import Callable
from itertools import chain
from pathlib import Path

from redis_guard.registry import registry_from_files
from redis_guard.runtime.clock import now
from redis_guard.testing import Server
from tests.runtime.history.judge import (
    claimed_wrongly,
    counted_wrongly,
    fences_out_of_order,
    leases_of,
    overlaps,
    untold,
)
from tests.runtime.history.nemesis import Nemesis
from tests.runtime.history.player import REGISTRY
from tests.runtime.history.record import events_in
from tests.runtime.history.tally import Tally

WANTED = Tally(operations=10_000, pauses=40, kills=8, told=60, told_after_a_pause=10, adopted=10, failed=10)
LONGEST = 240.0
"""Seconds; a machine that is busy otherwise takes longer, none takes this long."""
ROUND = 3.0
"""Seconds between two looks at the histories."""


def test_what_processes_were_told_holds_while_they_are_paused_and_killed(
    start_server: Callable[..., Server], tmp_path: Path
) -> None:
    server, seed = start_server(), random.SystemRandom().randrange(2**32)
    print(f"seed {seed}")  # noqa: T201 -- shown when the test fails, or with -s
    gives_up = now() + LONGEST

    with Nemesis(server, tmp_path, seed) as nemesis:
        tally = Tally.of((), (), 0)
        while tally.lacks(WANTED) and now() < gives_up:
            look = now() + ROUND
            while now() < look:
                nemesis.strike()
            tally = Tally.of(list(events_in(nemesis.histories())), nemesis.pauses, nemesis.kills)
    events = list(events_in(nemesis.histories()))
    tally = Tally.of(events, nemesis.pauses, nemesis.kills)
    print(tally)  # noqa: T201 -- the same
    leases, cases = leases_of(events), registry_from_files(REGISTRY).use_cases
    with server.connect(decode_responses=True) as client:
        keys = list(client.scan_iter())
        endless = [key for key in keys if client.pttl(key) == -1]
        counters = [key for key in keys if key.startswith("coordination:tally:")]
        final = {
            key.removeprefix("coordination:").replace(":", "/"): int(client.get(key)) for key in counters
        }

    assert tally.lacks(WANTED) == []
    assert endless == []
    assert final
    violations = chain(
        overlaps(leases),
        fences_out_of_order(leases),
        untold(leases, nemesis.pauses, cases),
        claimed_wrongly(events),
        counted_wrongly(events, final),
    )
    assert list(violations) == []
