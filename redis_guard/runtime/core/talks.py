"""Conversations over one connection that take more than one request and its reply.

Law of this file: no I/O. A talk yields bytes to write (none: read on) and is answered by the next reply; what the
server answers as an error, and what breaks the connection, is thrown in.
"""

from collections.abc import Generator, Sequence
from math import inf
from typing import Any, TypeVar

from redis.exceptions import AskError, MovedError, NoScriptError
from redis.exceptions import TimeoutError as TheirTimeout

from redis_guard.runtime.core.requests import by_hash, in_full, wait_request
from redis_guard.runtime.core.slots import Address, Moved
from redis_guard.runtime.faults import ANSWERS, Fault, Unconfirmed, classify, told
from redis_guard.runtime.steps import Answer, Send

T = TypeVar("T")
Talk = Generator[bytes, Any, T]

REPLICA_SHARE = 0.8
"""Of a budget: how long the server may wait for its replicas before it answers with those that have it."""


def with_replicas(request: bytes, replicas: int, seconds: float) -> Talk[list[Any]]:
    """The reply to `request`, and after its values how many replicas have it."""
    patience = max(1, int(seconds * REPLICA_SHARE * 1000))
    error: Exception | None = None
    values: list[Any] = []
    try:
        # WAIT counts what its own connection has written.
        values = yield request + wait_request(replicas, patience)
    except ANSWERS as caught:
        error = caught
    try:
        confirmed = yield b""
    except (TimeoutError, TheirTimeout) as silence:
        # Servers look at their own timeouts ten times a second: a short patience may last longer.
        raise Unconfirmed("no replica has confirmed in time") from error or silence
    if error is not None:
        raise error
    return [*values, confirmed]


def all_at_once(
    sends: Sequence[Send], not_after: int, sent_at: float, until: float, home: Address
) -> Talk[tuple[list[Answer | Fault], list[Moved]]]:
    """Several scripts in one round trip: what came of each, and slots that have moved away from `home`."""
    answers: dict[int, Answer | Fault] = {}
    moved: list[Moved] = []
    lost = Fault("other")
    waiting = dict(enumerate(sends))
    try:
        for write in (by_hash, in_full):
            request = b"".join([write(send, not_after) for send in waiting.values()])
            unknown: dict[int, Send] = {}
            for index, send in waiting.items():
                try:
                    answers[index] = Answer((yield request), sent_at)
                except NoScriptError:
                    unknown[index] = send
                except ANSWERS as error:
                    refusal = refused(error)
                    if isinstance(refusal, MovedError):
                        moved.append((refusal.slot_id, (refusal.host or home[0], refusal.port)))
                    answers[index] = refusal if isinstance(refusal, Fault) else Fault("moved")
                request = b""
            waiting = unknown
            if not waiting:
                break
    except Exception as error:
        lost = broken(error, sent_at, until)
    # `lost` stands only where an exception has cut the replies short.
    return [answers.get(index, lost) for index in range(len(sends))], moved


def refused(error: Exception) -> Fault | MovedError | AskError:
    """What an answer says that nothing was done: somewhere else it may be, or it is a fault."""
    if isinstance(error, MovedError | AskError):
        return error
    # In redis-py 5 its cluster client alone knows these two.
    code, _, where = str(error).partition(" ")
    if code in ("MOVED", "ASK"):
        return (MovedError if code == "MOVED" else AskError)(where)
    return Fault(classify(error), told(error))


def broken(error: Exception, sent_at: float, until: float = inf) -> Fault:
    """An exchange that was cut short: the server may have done what it was asked, or may do it until then."""
    return Fault(classify(error), told(error) or "no reply in time", sent_at=sent_at, until=until)
