"""A counter is counted, and its window starts in a second round trip.

What: INCR, DECR, HINCRBY or ZINCRBY may make the key, and EXPIRE follows later, outside one MULTI or script;
also behind `if count == 1`.
Why it hurts: a crash, a timeout or a cancelled task between the two leaves a counter that never starts
afresh: whoever it limits stays locked out.
Instead: one MULTI pipeline with `set(key, 0, ex=60, nx=True)` and `incr(key)`, or, where every server is Redis 7.0
or newer (the setting `target-server`), with `incr(key)` and `expire(key, 60, nx=True)`; one script; or a counter use
case of the registry.
Fix: both in one MULTI: safe where the EXPIRE follows directly; for a window, or behind a condition, with `nx=True` or a
counter that is made with its lifetime first (unsafe).
"""

from collections.abc import Iterator

from redis_guard.behaviour.counting import in_one_step
from redis_guard.behaviour.pairs import late_expiries, nature
from redis_guard.behaviour.telling import named, others, second_step
from redis_guard.behaviour.windows import sliding_windows
from redis_guard.project.model import ModuleUses
from redis_guard.registry import Registry
from redis_guard.repairs.one_transaction import in_one_transaction
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    windows = {expiry.span for window in sliding_windows(module) for expiry in window.seconds}
    for pair in late_expiries(module):
        if nature(pair.first) == "counter":
            message = (
                f"{named(pair.key, registry)} is counted here, and {second_step(pair)}: if it never comes, the "
                f"counter never starts afresh. {in_one_step(pair, module.server)}, or use a registered counter"
            )
            window = pair.seconds[0].span in windows
            repair = in_one_transaction(module, pair, window=window)
            yield at(pair.first, message, *others(pair), repair=repair)


_GOOD = """
with r.pipeline(transaction=True) as pipe:
    pipe.set("login:7", 0, ex=60, nx=True)
    pipe.incr("login:7")
    pipe.execute()
"""

RULE = Rule(
    code="RG202",
    name="incr-then-expire",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    fix="both",
    examples=(Example(bad='if r.incr("login:7") == 1:\n    r.expire("login:7", 60)', good=_GOOD.strip()),),
)
