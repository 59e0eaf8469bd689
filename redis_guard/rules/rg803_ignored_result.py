"""An answer that tells whether it worked is not looked at.

What: a lock or claim is taken with `nx` and the answer is dropped; the lifetime of a key that may be gone is renewed,
and nobody asks whether it was; RENAMENX, MSETNX, MOVE or COPY is called and not asked.
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
from redis_guard.project.model import Call, ModuleUses
from redis_guard.registry import Registry
from redis_guard.rule import NOTE, Example, OfModule, Report, Rule, at

_ASKS = frozenset("MSETNX RENAMENX MOVE COPY".split())
_CLAIM = re.compile(r"lock|claim|mutex|leader|once|dedup|semaphore|lease", re.IGNORECASE)


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
        return "it does nothing when the condition does not hold, and this goes on as if it had"
    if takes_if_absent(call):
        named_so = call.key is not None and _CLAIM.search(call.key.template)
        return "who did not get it goes on as if he had; look at the answer" if named_so else None
    if is_expire(call) and not _conditional(call) and not _made_here(module, call):
        return "if the key is gone, nothing is renewed; look at the answer, and stop or begin anew when it is false"
    return None


def _conditional(call: Call) -> bool:
    return any(name in ("nx", "xx", "gt", "lt") for name, _ in call.arguments)


def _made_here(module: ModuleUses, expire: Call) -> bool:
    """The same function, or a helper that it calls, writes the key, so that it is there; or looks whether it is."""
    return any(
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
