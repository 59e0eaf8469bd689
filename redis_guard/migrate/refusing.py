"""Reasons to leave a call site, whatever its shape.

Law of this file: each reason says what is in the way, and where it helps, what to do about it.
"""

from redis_guard.behaviour.handmade import takes
from redis_guard.behaviour.holding import gives_up
from redis_guard.behaviour.lookups import says_presence, says_value
from redis_guard.behaviour.writes import is_expire
from redis_guard.migrate.page import Page
from redis_guard.migrate.sites import Site

_REDIS_ERRORS = frozenset(
    {
        "RedisError",
        "ConnectionError",
        "TimeoutError",
        "ResponseError",
        "BusyLoadingError",
        "ReadOnlyError",
    }
)


def refuse_by_facts(page: Page, blocked: str) -> None:
    """Refuse what no shape can take, from the facts of the call alone."""
    for site in page.file.sites:
        reason = _reason(page, site, blocked)
        if reason:
            page.refuse(site, reason)


def _reason(page: Page, site: Site, blocked: str) -> str:
    call, target = site.call, page.target
    name = f"{target.module}:{target.attribute}"
    if call.confidence == "guessed":
        return "that this is a Redis client is only guessed by its name; name it in `clients` of [tool.redis-guard]"
    if call.either and (call.kind != "client" or (call.facts is not None and call.facts.family == "lock")):
        return "it may be of a blocking client or of one of asyncio"
    if site.asynchronous and call.kind in ("client", "script") and not call.result.awaited:
        if call.facts is None or call.facts.family != "lock":
            return "it is not awaited"
    if target.asynchronous is True and not site.asynchronous:
        return f"blocking code, and {name} is one of redis_guard.runtime.aio"
    if target.asynchronous is False and site.asynchronous:
        return f"asyncio, and {name} is blocking; it needs one of redis_guard.runtime.aio"
    if blocked and (call.facts is None or not says_value(call)):
        return blocked
    if errors := _REDIS_ERRORS & call.caught:
        return _caught(page, site, min(errors))
    return ""


def _caught(page: Page, site: Site, error: str) -> str:
    """What becomes of a handler for Redis that does not answer."""
    policy = page.target.case.failure
    if policy == "closed":
        return (
            f"{error} is caught around it, and the runtime raises CoordinationUnavailable; "
            "say `failure: open` with a reason if the handler goes on without Redis, else take the handler out"
        )
    page.note(
        site.call.span,
        f"{error} is caught around it; under `failure: {policy}` the handler has nothing to do",
    )
    return ""


def left_over(page: Page, site: Site) -> str:
    """Why no shape took a site."""
    primitive, call = page.target.case.primitive, site.call
    said = call.command or f"{call.method}()"
    if call.form != "call":
        return "it is not written as a call"
    if len(call.keys) > 1:
        return "it takes other keys too; give this one a call of its own"
    if call.kind == "pipeline" and not call.immediate:
        return "it is queued on a pipeline; send it by itself"
    for other in page.file.sites:
        if other.id in page.refused and other.call.function == call.function and takes(other.call):
            return f"it belongs to line {other.call.span.line}, which is not rewritten"
    if gives_up(call):
        if primitive == "claim":
            return "the claim is taken back, which the runtime's is not; what is given back is registered as a lock"
        return "the lock is deleted where this function has not taken it"
    if says_value(call):
        return f"{said} reads what is stored, and the runtime stores a token of its own"
    if says_presence(call):
        return f"{said} looks whether somebody has it; the runtime says so only to who asks for it"
    if is_expire(call):
        return "the lifetime is given apart from the taking"
    if call.command in ("DECR", "DECRBY"):
        return f"{call.method}() counts down; a window of the runtime counts upwards, and reset() ends it"
    if call.script is not None or (call.facts is not None and call.facts.family.startswith("script")):
        return "a script does this; the runtime has its own"
    return f"{said} has no counterpart in a {primitive} of the runtime"
