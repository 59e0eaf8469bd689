"""What keeps others out between two calls: WATCH, a lock that is held, one MULTI.

Law of this file: what looks like protection counts as protection; whether it is the right lock nobody can tell.
"""

import re
from collections.abc import Sequence

from redis_guard.behaviour.holding import takes_if_absent
from redis_guard.project.flow import can_follow
from redis_guard.project.model import Call

_LOCK = re.compile(r"lock|mutex|semaphore|exclusive|critical|guard", re.IGNORECASE)


def protected(calls: Sequence[Call], first: Call, second: Call) -> bool:
    """Nobody else can come between `first` and `second`, as far as the `calls` of their function show."""
    return (
        _in_transaction_body(first)
        or any(
            context.kind in ("lock", "coordination") or _LOCK.search(context.name)
            for context in second.contexts
        )
        or any(_shuts_out(call, first, second) for call in calls)
    )


def _in_transaction_body(first: Call) -> bool:
    """A pipeline that somebody handed in answers at once only after WATCH: `client.transaction(body, key)`."""
    return first.kind == "pipeline" and first.pipeline is None and not first.optional_pipeline


def _shuts_out(call: Call, first: Call, second: Call) -> bool:
    if not can_follow(call.place, second.place):
        return False
    if call.method == "watch":
        return True
    if call.kind == "lock":
        return call.method in ("acquire", "__enter__", "__aenter__") and call.place.order < first.place.order
    taken = {taken.order for guard in second.guards for taken in guard.takes}
    return takes_if_absent(call) and call.keys != second.keys and call.place.order in taken


def one_step(calls: Sequence[Call], first: Call, second: Call) -> bool:
    """Both are queued on one pipeline and sent together, so that the first answer is not known before the second."""
    if first.optional_pipeline or first.immediate or second.immediate or first.client != second.client:
        return False
    return not any(
        call.client == first.client
        and call.method == "execute"
        and first.place.order < call.place.order < second.place.order
        for call in calls
    )
