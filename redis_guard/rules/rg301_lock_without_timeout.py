"""A lock is taken without a lifetime.

What: `lock()` was given no positive `timeout`; `blocking_timeout` limits the wait, not the lock.
Why it hurts: if the holder dies, the key stays until a person deletes it, and nobody else gets in.
Instead: pass `timeout=`, longer than the work takes, or register a lock use case, whose ttl is reviewed once.
Fix: none; the lifetime is a decision.
"""

from collections.abc import Iterator

from redis_guard.project.model import Argument, Call, Construction, ModuleUses
from redis_guard.registry import Registry
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for call in module.calls:
        if call.facts is not None and call.facts.family == "lock" and not _hidden(call):
            if _never_expires(call.argument("timeout")):
                yield at(call, _message(call.key.template if call.key else "the lock"))
    for built in module.constructions:
        hidden = built.argument("**") or built.argument("*")
        if built.kind == "lock" and not hidden and _never_expires(built.argument("timeout")):
            name = built.argument("name")
            yield at(built, _message(name.key.template if name else "the lock"))


def _hidden(call: Call | Construction) -> bool:
    return isinstance(call, Call) and call.opaque


def _never_expires(timeout: Argument | None) -> bool:
    """No timeout at all, or one that is certainly None or 0: redis-py takes 0 for None."""
    if timeout is None:
        return True
    return timeout.constants is not None and all(
        value is None or (isinstance(value, (int, float)) and value <= 0) for value in timeout.constants
    )


def _message(key: str) -> str:
    return (
        f"lock {key} never expires: if its holder dies it stays locked. "
        "Give it a timeout, or register it as a lock use case"
    )


RULE = Rule(
    code="RG301",
    name="lock-without-timeout",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    examples=(Example(bad='r.lock("job:7")', good='r.lock("job:7", timeout=30)'),),
)
