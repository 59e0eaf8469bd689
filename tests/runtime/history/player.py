"""A process that takes locks, claims and counts as fast as it can, and writes down what it did and was told.

    python -m tests.runtime.history.player NAME WORLD URL HISTORY HANDED_ON SEED

Law of this file: it does what a careful program does, in every way a lease can come to its end.
"""

import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from redis_guard.registry import registry_from_files
from redis_guard.runtime import CoordinationUnavailable, LockLost
from redis_guard.runtime.clock import now
from tests.runtime.history.record import Record
from tests.runtime.worlds import WORLDS, AnyCoordination, AnyLease

REGISTRY = Path(__file__).with_name("redis_guard.yaml")
THREADS = 2
CLAIMS_EACH_SECOND = 100


class Player:
    """One thread of the process, or one task."""

    def __init__(
        self, name: str, coordination: AnyCoordination, record: Record, handed_on: Path, chance: random.Random
    ) -> None:
        self._name = name
        self._coordination = coordination
        self._record = record
        self._handed_on = handed_on
        self._chance = chance

    def play(self) -> None:
        """One move."""
        moves: tuple[tuple[Callable[[], None], int], ...] = (
            (lambda: self._take("plain_lock", "abc", self._use), 6),
            (lambda: self._take("unfenced_lock", "ab", self._use), 4),
            (lambda: self._take("hasty_lock", "abcd", self._use), 6),
            (lambda: self._take("renewed_lock", "ab", self._use), 2),
            (lambda: self._take("plain_lock", "abc", self._overstay), 2),
            (lambda: self._take("unfenced_lock", "ab", self._overstay), 2),
            (lambda: self._take("renewed_lock", "ab", self._keep), 1),
            (lambda: self._take("renewed_lock", "ab", self._hand_on), 1),
            (self._adopt, 1),
            (self._claim, 6),
            (self._count, 6),
        )
        (move,) = self._chance.choices([move for move, _ in moves], [weight for _, weight in moves])
        move()

    def _take(self, name: str, ids: str, then: Callable[[AnyLease, int, str], None]) -> None:
        identifier = self._chance.choice(ids)
        what = f"{name}/{identifier}"
        wait = self._chance.choice((0.0, 0.05, 0.1))
        call = self._record.begin("acquire", what)
        try:
            lease = self._coordination.lock(name, identifier, wait=wait).try_acquire()
        except CoordinationUnavailable as error:
            self._record.add("failed", call, what, error.error_class)
            return
        if lease is None:
            self._record.add("refused", call, what)
            return
        self._record.add("acquired", call, what, lease.fence)
        then(lease, call, what)

    def _holds(self, lease: AnyLease, call: int, what: str) -> bool:
        """Check, and write it down."""
        began = now()
        try:
            lease.check()
        except LockLost:
            return False
        self._record.add("checked", call, what, at=began)
        return True

    def _use(self, lease: AnyLease, call: int, what: str) -> None:
        """Hold it for a moment, seldom for longer than its ttl, and give it back."""
        until = now() + self._chance.choice((0.0, 0.0, 0.0, 0.005, 0.02, 0.08))
        while self._holds(lease, call, what) and now() < until:
            time.sleep(0.001)
        self._give_back(lease, call, what)

    def _overstay(self, lease: AnyLease, call: int, what: str) -> None:
        """Hold it until told."""
        while self._holds(lease, call, what):
            time.sleep(0.0005)
        self._give_back(lease, call, what)

    def _keep(self, lease: AnyLease, call: int, what: str) -> None:
        """Hold it for some renewals, or until told."""
        until = now() + self._chance.uniform(0.1, 0.5)
        while now() < until and not lease.lost.wait(0.005) and self._holds(lease, call, what):
            pass
        self._give_back(lease, call, what)

    def _give_back(self, lease: AnyLease, call: int, what: str) -> None:
        self._record.add("release", call, what)
        try:
            lease.release()
        except LockLost as error:
            self._record.add("told", call, what, error.reason)
        except CoordinationUnavailable as error:
            self._record.add("failed", call, what, error.error_class)
        else:
            self._record.add("released", call, what)

    def _hand_on(self, lease: AnyLease, call: int, what: str) -> None:
        self._holds(lease, call, what)
        try:
            text = lease.export()
        except LockLost as error:
            self._record.add("told", call, what, error.reason)
            return
        self._record.add("handed_on", call, what)
        # Whole at once, since everybody reads it.
        draft = self._handed_on.with_name(f"{self._handed_on.name}-{os.getpid()}-{threading.get_ident()}")
        draft.write_text(f"{what} {text}")
        draft.replace(self._handed_on)

    def _adopt(self) -> None:
        """Try to take over what was handed on last; all may try, and most come too late."""
        if not self._handed_on.exists():
            return
        what, _, text = self._handed_on.read_text().partition(" ")
        call = self._record.begin("adopt", what)
        try:
            lease = self._coordination.adopt(text)
        except LockLost:
            self._record.add("refused", call, what)
        except CoordinationUnavailable as error:
            self._record.add("failed", call, what, error.error_class)
        else:
            self._record.add("acquired", call, what, lease.fence)
            self._use(lease, call, what)

    def _claim(self) -> None:
        """Claim what everybody claims just now, now and then under a name."""
        identifier = int(now() * CLAIMS_EACH_SECOND)
        what = f"raced_claim/{identifier}"
        # The same after a kill, as a job that is delivered again.
        by = self._chance.choice((None, None, self._name.partition(".")[0]))
        call = self._record.begin("claim", what, by)
        try:
            claim = self._coordination.claim("raced_claim", identifier, by=by)
        except CoordinationUnavailable as error:
            self._record.add("failed", call, what, error.error_class)
        else:
            self._record.add("accepted" if claim else "duplicate", call, what)

    def _count(self) -> None:
        identifier, step = self._chance.choice("ab"), self._chance.choice((1, 1, 3))
        what = f"tally/{identifier}"
        call = self._record.begin("count", what, step)
        try:
            count = self._coordination.counter("tally", identifier).increment(step)
        except CoordinationUnavailable as error:
            self._record.add("failed", call, what, error.error_class)
        else:
            self._record.add("counted", call, what, count.value)


def main(name: str, world_name: str, url: str, history: str, handed_on: str, seed: str) -> None:
    """Play until SIGTERM."""
    over = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: over.set())
    record = Record(Path(history), name)

    def live(number: int) -> None:
        player = Player(name, coordination, record, Path(handed_on), random.Random(f"{seed} {name} {number}"))
        try:
            while not over.is_set():
                player.play()
        finally:
            over.set()

    with WORLDS[world_name]() as world:
        coordination = world.coordination(registry_from_files(REGISTRY), url=url)
        threads = [threading.Thread(target=live, args=(number,)) for number in range(THREADS)]
        for thread in threads:
            thread.start()
        over.wait()
        for thread in threads:
            thread.join()


if __name__ == "__main__":
    main(*sys.argv[1:])
