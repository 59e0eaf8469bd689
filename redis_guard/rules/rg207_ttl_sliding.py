"""Every hit of a window counter starts its window anew.

What: a counter is counted and gets EXPIRE without `nx=True` on every hit, under a name that holds no time.
Why it hurts: under steady traffic the window never ends and the count only rises: whoever it limits stays
locked out.
Instead: one MULTI pipeline with `set(key, 0, ex=60, nx=True)` and `incr(key)`, or, where every server is Redis 7.0
or newer (the setting `target-server`), with `incr(key)` and `expire(key, 60, nx=True)`; a key with the window's start
in its name; or a registered counter.
Fix: both in one MULTI, so that the lifetime is set once (unsafe: the window ends now).
"""

from collections.abc import Iterator

from redis_guard.behaviour.counting import once
from redis_guard.behaviour.telling import named
from redis_guard.behaviour.windows import sliding_windows
from redis_guard.project.model import ModuleUses
from redis_guard.registry import Registry
from redis_guard.repairs.one_transaction import in_one_transaction
from redis_guard.repairs.only_once import OnlyOnce
from redis_guard.rule import WARNING, Example, OfModule, Report, Rule, at


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for pair in sliding_windows(module):
        message = (
            f"each hit starts the window of {named(pair.key, registry)} anew: under steady traffic it never "
            f"ends. {once(pair, module.server)}, or put the window's start into the key"
        )
        for expiry in pair.seconds:
            repair = (
                in_one_transaction(module, pair, window=True) if pair.first.immediate else OnlyOnce(expiry)
            )
            yield at(expiry, message, (pair.first, "the count"), repair=repair)


_BAD = """
count = r.incr("quota:7")
r.expire("quota:7", 60)
"""

_GOOD = """
with r.pipeline(transaction=True) as pipe:
    pipe.set("quota:7", 0, ex=60, nx=True)
    pipe.incr("quota:7")
    count = pipe.execute()[1]
"""

RULE = Rule(
    code="RG207",
    name="ttl-sliding",
    since="0.1.0",
    severity=WARNING,
    scope=OfModule(check),
    doc=__doc__,
    fix="unsafe",
    examples=(Example(bad=_BAD.strip(), good=_GOOD.strip()),),
)
