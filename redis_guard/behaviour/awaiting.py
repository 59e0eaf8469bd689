"""What goes wrong with an asyncio call that nobody awaits.

Law of this file: whatever can still be awaited by somebody is right; only what certainly is not counts.
"""

from typing import Literal

from redis_guard.behaviour.results import handed_on, taken_as_value
from redis_guard.commands import AsyncReturn, lookup
from redis_guard.project.model import Call, Function, LaterUse, Result

Fault = Literal["dropped", "always true", "used", "returned", "iterated"]


def fault_of(call: Call) -> Fault | None:
    """How the call is misused, or None."""
    returned = gives(call)
    if returned == "plain":
        return None
    if returned == "async-iterator":
        iterated = call.result.use == "iterated" and not call.result.awaited
        return "iterated" if iterated else None
    return fault_of_result(call.result, call.function)


def fault_of_result(result: Result, function: Function) -> Fault | None:
    """How something that must be awaited is misused in a function, or None."""
    if result.awaited:
        return None
    if result.use == "assigned":
        return _of_variable(result, function)
    # a walrus: somebody may await the variable later
    return None if any(use.awaited for use in result.later or ()) else _of_use(result, function)


def gives(call: Call) -> AsyncReturn:
    """What the bare call hands back; a command after WATCH is sent at once, as by the client itself."""
    if not call.asynchronous or call.facts is None or not call.immediate:
        return "plain"
    if call.kind == "pipeline" and call.facts.async_returns == "plain":
        own = lookup("async-pipeline", call.method)
        sent = lookup("async-client", call.method)
        if own is not None and sent is not None and own.family == sent.family:
            return sent.async_returns
    return call.facts.async_returns


def _of_use(use: Result | LaterUse, function: Function) -> Fault | None:
    if use.use == "discarded" and not use.awaited:
        return "dropped"
    if use.use == "returned" and not use.awaited and function.asynchronous and not function.generator:
        return "returned"
    if taken_as_value(use):
        return "always true" if use.use == "condition" else "used"
    return None


def _of_variable(result: Result, function: Function) -> Fault | None:
    """A variable that nobody awaits or hands on, and that is used as the reply (or not at all)."""
    if result.later is None:
        return None
    if not result.later:
        return "dropped"
    faults = [fault for use in result.later if (fault := _of_use(use, function)) is not None]
    kept = any(handed_on(use) and use.use != "returned" for use in result.later)
    return faults[0] if faults and not kept else None
