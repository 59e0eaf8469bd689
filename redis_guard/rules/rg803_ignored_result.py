"""An answer that tells whether it worked is not looked at.

What: a lock or claim is taken with `nx` and the answer is dropped; a lease or heartbeat that may be gone is renewed,
and nobody asks whether it was; RENAMENX, MSETNX, MOVE or COPY is called and not asked. Where a default is set, or the
lifetime of a cache entry renewed, the answer says nothing that matters.
Why it hurts: these commands do nothing and raise nothing when the condition does not hold. The code goes on as if it
had worked.
Instead: look at the answer, and do something else when it is false.
Fix: none; what to do then is a decision.
"""

import re
from collections.abc import Iterator

from redis_guard.behaviour.holding import takes_if_absent
from redis_guard.behaviour.telling import command_of, named
from redis_guard.behaviour.writes import is_expire
from redis_guard.behaviour.writes import written as keys_written
from redis_guard.project.flow import can_follow
from redis_guard.project.model import Call, ModuleUses
from redis_guard.registry import Registry
from redis_guard.rule import NOTE, Example, OfModule, Report, Rule, at

_ASKS = frozenset("MSETNX RENAMENX MOVE COPY".split())
_CLAIM = re.compile(
    r"(?<!b)(?<!c)(?<!un)lock(?!ed|out|er)|mutex|claim|leader|lease|semaphore|(?<![a-z])once(?![a-z])",
    re.IGNORECASE,
)
_TAKING = re.compile(r"acquire|claim|(?:try|take|get)_\w*lock", re.IGNORECASE)
_LETTING_GO = re.compile(
    r"release|unlock|(?<![a-z])(?:free|stop|close|clear|clean|finish|end)(?![a-z])", re.IGNORECASE
)
_LITERAL = re.compile(r"[A-Za-z]{2}")
_RENEWING = re.compile(r"heart_?beat|(?<![a-z])beat|renew|extend|prolong|keep_?alive", re.IGNORECASE)


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for call in module.calls:
        if call.result.use != "discarded" or not call.immediate or call.form == "subscript":
            continue
        if said := _consequence(module, call):
            yield at(
                call,
                f"whether the {command_of(call)} of {named(call.key, registry)} worked is not asked: {said}",
            )


def _consequence(module: ModuleUses, call: Call) -> str | None:
    if call.command in _ASKS:
        replaces = call.argument("replace") is not None
        return (
            None
            if replaces
            else "it does nothing when the condition does not hold, and this goes on as if it had"
        )
    if takes_if_absent(call) or call.command == "HSETNX":
        if _is_claim(call) and not _looked_at_later(module, call):
            return "who did not get it goes on as if he had; look at the answer"
        return None
    if is_expire(call) and _is_lease(module, call) and not _conditional(call) and not _is_there(module, call):
        return "if the key is gone, nothing is renewed; look at the answer, and stop or begin anew when it is false"
    return None


def _is_claim(call: Call) -> bool:
    """The key says so; or the function, where the key says nothing."""
    if call.key is None or not _LITERAL.search(re.sub(r"\{[^}]*\}", "", call.key.template)):
        return bool(_TAKING.search(call.function.name))
    return bool(_CLAIM.search(call.key.template))


def _is_lease(module: ModuleUses, call: Call) -> bool:
    """The key says so; or the function, where it renews nothing else: of two keys, one may well be gone."""
    if _LETTING_GO.search(call.function.name):
        return False
    if call.key is not None and _CLAIM.search(call.key.template):
        return True
    alone = all(
        other.keys == call.keys or other.facts is None or other.facts.access == "read"
        for other in module.of_function(call.function)
    )
    return alone and bool(_RENEWING.search(call.function.name))


def _looked_at_later(module: ModuleUses, taking: Call) -> bool:
    """Who has it is asked in a second step."""
    return any(
        set(call.keys) & set(taking.keys) and call.facts is not None and call.facts.access == "read"
        for call in module.of_function(taking.function)
        if can_follow(taking.place, call.place)
    )


def _conditional(call: Call) -> bool:
    return any(name in ("nx", "xx", "gt", "lt") for name, _ in call.arguments)


def _is_there(module: ModuleUses, expire: Call) -> bool:
    """The same function, or a helper that it calls, writes the key or looks at it; or Redis has just named it."""
    named_by_redis = any(argument.takes for name, argument in expire.arguments if name == "name")
    return named_by_redis or any(
        call is not expire and (set(keys_written(call)) | set(call.keys)) & set(expire.keys)
        for call in (*module.calls, *module.lent)
        if call.function.scope == expire.function.scope
    )


RULE = Rule(
    code="RG803",
    name="ignored-result",
    since="0.1.0",
    severity=NOTE,
    scope=OfModule(check),
    doc=__doc__,
    default=False,
    examples=(
        Example(
            bad='def heartbeat():\n    r.expire("lease:7", 30)',
            good='def heartbeat():\n    if not r.expire("lease:7", 30):\n        raise RuntimeError("lease lost")',
        ),
    ),
)
