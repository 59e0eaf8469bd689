"""One exchange with a server: the runtime's own retries within one deadline.

Law of this file: a request is repeated only when it cannot be counted twice, and never before the earlier one can no
longer take effect.
"""

from math import inf
from typing import Final, NamedTuple

from redis_guard.runtime.faults import ErrorClass, Fault
from redis_guard.runtime.scripts import LATE
from redis_guard.runtime.steps import Answer, Argument, Clock, Script, Send, Sleep, Steps

FIRST, SECOND, CLEANING = 0.4, 0.35, 0.25
"""How a deadline is shared out: two tries, and what is left to clean up after them."""

WORTH_A_RETRY: Final[frozenset[ErrorClass]] = frozenset(
    ("timeout", "connection", "readonly", "moved", "clusterdown")
)
"""Another connection, or another node, may do better at once; the rest is for the failure policy."""


class Request(NamedTuple):
    """What a primitive asks of a server."""

    script: Script
    keys: tuple[bytes, ...]
    args: tuple[Argument, ...]
    replicas: int = 0


class Result(NamedTuple):
    """The answer of the last try."""

    answer: Answer
    unsure: bool
    """An earlier try may have taken effect, its reply was lost."""


def exchange(request: Request, deadline: float) -> Steps[Result]:
    """Ask for something that may be asked twice. Raises `Fault`; an ambiguous one says so."""
    earlier: Fault | None = None
    for share, patient in ((FIRST, True), (SECOND, False)):
        try:
            answer: Answer = yield Send(
                request.script,
                request.keys,
                request.args,
                share * deadline,
                patient,
                replicas=request.replicas,
            )
            if answer.values[0] != LATE:
                return Result(answer, earlier is not None and earlier.ambiguous)
            fault = Fault("timeout", "the request reached the server too late")
        except Fault as caught:
            fault = caught
        if earlier is not None and earlier.ambiguous and not fault.ambiguous:
            # What the first try may have done is not undone by a clear answer to the second.
            fault.sent_at, fault.until = earlier.sent_at, earlier.until
        if earlier is not None or fault.opening or fault.error_class not in WORTH_A_RETRY:
            raise fault
        earlier = fault
        if fault.ambiguous and fault.until < inf:
            yield Sleep(fault.until)
    raise AssertionError("two tries end in an answer or a fault")


def exchange_once(request: Request, deadline: float) -> Steps[Answer]:
    """Ask for something that must not happen twice.

    It is repeated only when the server is known not to have done it; otherwise raises `Fault` of class `ambiguous`.
    """
    for last in (False, True):
        try:
            answer: Answer = yield Send(
                request.script,
                request.keys,
                request.args,
                (SECOND if last else 1) * deadline,
                patient=not last,
            )
            if answer.values[0] != LATE:
                return answer
            # Declined and told in time: it was the server's clock that was set forward, as its answer has taught.
            fault = Fault("timeout", "the request reached the server too late")
            if not last:
                continue
        except Fault as caught:
            fault = caught
        if fault.ambiguous:
            raise Fault("ambiguous", fault.detail, sent_at=fault.sent_at, until=fault.until) from fault
        # A second wait of the whole deadline would break it.
        if last or fault.opening or fault.error_class not in WORTH_A_RETRY or fault.error_class == "timeout":
            raise fault
    raise AssertionError("two tries end in an answer or a fault")


def clean_up(request: Request, deadline: float, *, until: float = 0.0) -> Steps[bool]:
    """Undo what may have been done, or may be done yet before `until`; whether the server has answered.

    Raises nothing of its own. An infinite `until` is not waited for.
    """
    send = Send(request.script, request.keys, request.args, CLEANING * deadline, False, shielded=True)
    try:
        if 0 < until < inf:
            # The clean-up goes over another connection; it may overtake what it is to undo.
            yield Sleep(until, shielded=True)
    except BaseException:
        yield from _brief(send)
        raise
    return (yield from _brief(send))


def _brief(send: Send) -> Steps[bool]:
    try:
        yield send
    except Fault:
        return False
    return True


def latest_end(clock: Clock, deadline: float) -> float:
    """From when on the server declines a try that is broken off now, at the latest."""
    return clock() + FIRST * deadline
