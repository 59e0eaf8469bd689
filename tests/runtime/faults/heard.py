"""A sink that remembers, and waiting for what comes about.

Law of this file: a wait is for a condition, and its end is a failure that says so.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import NamedTuple

from redis_guard.runtime.faults import ErrorClass
from redis_guard.runtime.outcomes import Outcome
from redis_guard.runtime.telemetry.protocol import Labels

PATIENCE = 10.0
"""Seconds; none of them is ever waited for in a test that passes."""


class Told(NamedTuple):
    """One operation."""

    use_case: str
    outcome: Outcome
    error_class: ErrorClass | None


class Heard:
    """Telemetry of one `Coordination`."""

    def __init__(self) -> None:
        self.told: list[Told] = []
        self._more = threading.Condition()

    def bind(self, labels: Labels) -> "Ear":
        return Ear(self, labels.use_case)

    def outcomes(self, use_case: str) -> list[Outcome]:
        """In the order of the operations."""
        return [told.outcome for told in tuple(self.told) if told.use_case == use_case]

    def classes(self, use_case: str) -> list[ErrorClass | None]:
        """In the order of the operations."""
        return [told.error_class for told in tuple(self.told) if told.use_case == use_case]

    def wait_for(self, use_case: str, outcome: Outcome, times: int = 1) -> None:
        """Until it has been told so often."""
        with self._more:
            assert self._more.wait_for(lambda: self.outcomes(use_case).count(outcome) >= times, PATIENCE), (
                f"{use_case} was never {outcome}: {self.told}"
            )

    def hear(self, told: Told) -> None:
        with self._more:
            self.told.append(told)
            self._more.notify_all()


class Ear:
    """The recorder of one use case."""

    def __init__(self, heard: Heard, use_case: str) -> None:
        self._heard = heard
        self._use_case = use_case

    def operation(
        self, outcome: Outcome, error_class: ErrorClass | None, seconds: float, identifiers: Sequence[object]
    ) -> None:
        self._heard.hear(Told(self._use_case, outcome, error_class))

    def lock_wait(self, seconds: float) -> None: ...

    def lock_held(self, seconds: float) -> None: ...

    def leases(self, change: int) -> None: ...


def until(condition: Callable[[], object]) -> None:
    """Return once it holds."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.002)


def quickest(act: Callable[[], object], below: float) -> None:
    """`act` takes less than so many seconds. A machine that dawdles can only make it longer, and gets other chances."""
    taken = []
    for _ in range(5):
        began = time.monotonic()
        act()
        taken.append(time.monotonic() - began)
        if taken[-1] < below:
            return
    raise AssertionError(f"never below {below} s: {taken}")


def at_least_once(act: Callable[[], object]) -> None:
    """Of five tries one must pass: for what a machine that dawdles can spoil, though it cannot make it come right."""
    for left in range(4, -1, -1):
        try:
            act()
        except Exception:
            if not left:
                raise
        else:
            return


@contextmanager
def in_background(act: Callable[[], object]) -> Iterator[None]:
    """Run it in a thread while the block runs; what it raises is raised at the block's end."""
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(act)
        yield
        running.result(PATIENCE)
