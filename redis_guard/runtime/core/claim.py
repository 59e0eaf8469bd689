"""The claim: one claimant, once, for the life of the claim.

Law of this file: a claim is accepted once; a caller who is told "unavailable" leaves no claim that nobody knows of,
unless he gave himself a name, under which he will find it again.
"""

from dataclasses import dataclass

from redis_guard.runtime.core.bound import Bound
from redis_guard.runtime.core.exchange import Request, clean_up, exchange, latest_end
from redis_guard.runtime.core.policy import by_policy
from redis_guard.runtime.core.token import holder
from redis_guard.runtime.faults import MISTAKES, Fault
from redis_guard.runtime.outcomes import ClaimOutcome
from redis_guard.runtime.scripts import CLAIM, RELEASE
from redis_guard.runtime.steps import Clock, Steps


@dataclass(frozen=True, slots=True)
class Claim:
    """What came of a claim; true when it was accepted."""

    accepted: bool
    token: str
    """Under which this caller claimed."""
    degraded: bool = False
    """Redis could not be asked, and the registry says to go on without it."""
    holder: str | None = None
    """Who has it, when it was not accepted."""

    def __bool__(self) -> bool:
        return self.accepted


def claim(
    bound: Bound, key: bytes, token: str, *, named: bool, clock: Clock, ids: tuple[object, ...]
) -> Steps[Claim]:
    """Claim `key` for `token`; `named` tokens come back with a redelivery, others are of this call alone."""
    began = clock()
    record = bound.recorder.operation
    try:
        result = yield from exchange(Request(CLAIM, (key,), (token, bound.ttl_ms)), bound.deadline)
    except Fault as fault:
        mistake = fault.error_class in MISTAKES
        if fault.ambiguous and not named and (mistake or bound.case.failure == "closed"):
            yield from withdraw(bound, key, token, fault.until)
        outcome: ClaimOutcome = (
            "error" if mistake else "unavailable" if bound.case.failure == "closed" else "degraded"
        )
        record(outcome, fault.error_class, clock() - began, ids)
        return by_policy(bound.case, fault, lambda: Claim(True, token, degraded=True))
    except BaseException:
        if not named:
            yield from withdraw(bound, key, token, latest_end(clock, bound.deadline))
        raise
    status, held_by = result.answer.values[0], result.answer.values[1]
    record("accepted" if status else "duplicate", None, clock() - began, ids)
    if status:
        return Claim(True, token)
    return Claim(False, token, holder=holder(held_by))


def withdraw(bound: Bound, key: bytes, token: str, until: float = 0.0) -> Steps[bool]:
    """Take back what `token` may have claimed, or may claim yet before `until`."""
    return clean_up(Request(RELEASE, (key,), (token, "")), bound.deadline, until=until)
