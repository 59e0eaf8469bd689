"""What can be seen of one run from outside.

Law of this file: an observation is plain data, whole, and says nothing about how the program came to it.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.proof.bench import Bench
from tests.proof.callbacks import Outside
from tests.proof.death import Death
from tests.proof.keyspace import Entry, Initial, Keyspace, Place, now, read
from tests.proof.program import Program
from tests.proof.tap import Tap
from tests.proof.values import Outcome
from tests.proof.wire import Command

Inputs = Mapping[str, Any]
Prior = Mapping[Place, Initial]


@dataclass(frozen=True, slots=True)
class Observation:
    outcome: Outcome
    calls: tuple[Any, ...]
    """What the callbacks were called with."""
    before: Keyspace
    after: Keyspace
    published: tuple[tuple[bytes, bytes], ...]
    commands: tuple[Command, ...]
    databases: tuple[int, ...]
    """Where each command went."""
    struck: bool
    """The death that was asked for came."""
    started: int
    ended: int
    """In ms of the server's clock, before the prior state was laid and after the run."""

    def lifetime(self, entry: Entry) -> tuple[int, int] | None:
        """The least and the most ms that the entry was given; None if it stays for ever."""
        if entry.deadline is None:
            return None
        return entry.deadline - self.ended, entry.deadline - self.started


_SOON_MS = 300
"""A run that took longer was held up by the machine: lifetimes of a second may have run out meanwhile."""
_PATIENCE = 5


def observe(
    bench: Bench,
    program: Program,
    inputs: Inputs,
    prior: Prior | None = None,
    *,
    death: Death | None = None,
    clock: float | None = None,
) -> Observation:
    """Run `program` on a server that holds `prior` and nothing else, up to `death` if there is one.

    `clock` is what `time.time()` says meanwhile, by default the time at the start. A run that took long is repeated.
    """
    for _ in range(_PATIENCE):
        seen = _observe(bench, program, inputs, prior or {}, death, time.time() if clock is None else clock)
        if seen.ended - seen.started < _SOON_MS:
            break
    return seen


def _observe(
    bench: Bench, program: Program, inputs: Inputs, prior: Prior, death: Death | None, clock: float
) -> Observation:
    started = bench.prepare(prior)
    before = read(bench.observer) if prior else {}
    tap = Tap(bench.server, death)
    outside = Outside(bench.rival, tap)
    outcome = program.run(tap, outside, inputs, clock)
    return Observation(
        # A bare `except` may have gone on, and reached nobody.
        outcome=Outcome("crashed", None) if tap.dead else outcome,
        calls=tuple(outside.calls),
        before=before,
        after=read(bench.observer),
        published=bench.heard(),
        commands=tuple(tap.commands),
        databases=tuple(tap.databases),
        struck=tap.crashed,
        started=started,
        ended=now(bench.observer),
    )
