"""Failures that a test asks for: which requests they meet, and for how long.

Law of this file: a request that is met is never carried out, but for one whose reply is lost; the rest of the runtime
cannot tell such a failure from a real one.
"""

import threading
from collections.abc import Callable, Sequence
from math import inf
from typing import get_args

from redis_guard.registry import Registry
from redis_guard.registry.model import Primitive, UseCase
from redis_guard.runtime.errors import UnregisteredUseCase
from redis_guard.runtime.faults import ERROR_CLASSES, ErrorClass, Fault
from redis_guard.runtime.steps import Answer, Batch, Clock, Enter, Publish, Send, Step

DETAIL = "a test has asked for it"
WAKE = b":wake"
"""What the channel of a lock has after its key."""


class Failure:
    """One failure, until it has met as many requests as it was asked for, or `heal()`, or the end of its `with`."""

    def __init__(
        self,
        error_class: ErrorClass,
        times: float,
        concerns: Callable[[UseCase | None], bool],
        heal: Callable[["Failure"], None],
    ) -> None:
        self.error_class: ErrorClass = error_class
        self.met = 0
        """Requests that have failed by it so far."""
        self._times = times
        self._concerns = concerns
        self._heal = heal

    def __enter__(self) -> "Failure":
        return self

    def __exit__(self, *exception: object) -> None:
        self.heal()

    def heal(self) -> None:
        """End it."""
        self._heal(self)

    def meets(self, case: UseCase | None) -> bool:
        """Count the request, if it is concerned."""
        if self.met >= self._times or not self._concerns(case):
            return False
        self.met += 1
        return True


class Failures:
    """Those of one `Coordination`. Safe to share between threads."""

    def __init__(self, registry: Registry, clock: Clock) -> None:
        self._registry = registry
        self._clock = clock
        self._lock = threading.Lock()
        self._failures: tuple[Failure, ...] = ()

    def fail(
        self, error_class: ErrorClass, times: int | None, primitive: Primitive | None, use_case: str | None
    ) -> Failure:
        """Ask for one. Raises `ValueError`, `UnregisteredUseCase`."""
        if error_class not in ERROR_CLASSES:
            raise ValueError(f'no error class "{error_class}"; there are {", ".join(ERROR_CLASSES)}')
        if primitive is not None and primitive not in get_args(Primitive):
            raise ValueError(f'no primitive "{primitive}"; there are {", ".join(get_args(Primitive))}')
        if times is not None and times < 1:
            raise ValueError(f"times= is 1 or more, not {times}")
        if use_case is not None and self._registry.use_case(use_case) is None:
            raise UnregisteredUseCase(use_case, self._registry.close_names(use_case))

        def concerns(case: UseCase | None) -> bool:
            if case is None:
                return primitive is None and use_case is None
            return primitive in (None, case.primitive) and use_case in (None, case.name)

        failure = Failure(error_class, inf if times is None else times, concerns, self._heal)
        with self._lock:
            self._failures += (failure,)
        return failure

    def heal(self) -> None:
        """End all of them."""
        with self._lock:
            self._failures = ()

    def of(self, step: Step | None) -> Fault | None:
        """What shall become of `step`, of opening a connection for None. `ambiguous` is for what was carried out."""
        if not self._failures or not (step is None or isinstance(step, Send | Publish | Enter)):
            return None
        case, replied = self._case(step), isinstance(step, Send | Publish)
        with self._lock:
            for met in self._failures:
                # Only a reply can be lost.
                if (replied or met.error_class != "ambiguous") and met.meets(case):
                    break
            else:
                return None
        if met.error_class == "ambiguous":
            now = self._clock()
            return Fault("ambiguous", DETAIL, sent_at=now, until=now)
        # As if there had been no connection: what was never sent needs no clearing up, and is not tried again.
        return Fault(met.error_class, DETAIL, opening=True)

    def of_batch(self, batch: Batch) -> tuple[list[Fault | None], Batch]:
        """What shall become of each call, and those that are to be carried out all the same."""
        faults = [self.of(send) for send in batch.sends]
        going = [
            send for send, fault in zip(batch.sends, faults, strict=True) if not fault or fault.ambiguous
        ]
        return faults, Batch(tuple(going))

    def _heal(self, failure: Failure) -> None:
        with self._lock:
            self._failures = tuple(each for each in self._failures if each is not failure)

    def _case(self, step: Send | Publish | Enter | None) -> UseCase | None:
        if step is None:
            return None
        if isinstance(step, Publish):
            return self._registry.signal_for_channel(_template(step.channel))
        key = step.keys[0] if isinstance(step, Send) else step.channel.removesuffix(WAKE)
        entry = self._registry.entry_for_key(_template(key))
        return entry if isinstance(entry, UseCase) else None


def _template(key: bytes) -> str:
    """A key as a template without holes."""
    return key.decode("utf-8", "surrogateescape").replace("{", "{{").replace("}", "}}")


def with_faults(faults: list[Fault | None], answers: Sequence[Answer | Fault]) -> list[Answer | Fault]:
    """The answers of a batch, those that failed put in; there are answers for all that were carried out."""
    given = iter(answers)
    told = [(next(given) if not fault or fault.ambiguous else fault, fault) for fault in faults]
    return [fault or answer for answer, fault in told]
