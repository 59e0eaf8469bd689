"""A collection is written, and its lifetime follows in a second round trip.

What: HSET, SADD, LPUSH, ZADD, XADD, PFADD or another write that can make a collection, then EXPIRE (for a
hash also HEXPIRE), outside one MULTI or script.
Why it hurts: a crash, a timeout or a cancelled task between the two leaves the collection without a lifetime,
for ever.
Instead: queue both in one pipeline with MULTI, which `pipeline()` opens unless told otherwise (not on a
cluster).
Fix: both in one MULTI, with the calls on the same client between them (safe where the write's result is not used, else
unsafe).
"""

from collections.abc import Iterator

from redis_guard.behaviour.pairs import late_expiries, nature
from redis_guard.behaviour.telling import named, others, second_step
from redis_guard.project.model import ModuleUses
from redis_guard.registry import Registry
from redis_guard.repairs.one_transaction import in_one_transaction
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for pair in late_expiries(module):
        if nature(pair.first) == "collection":
            message = (
                f"{named(pair.key, registry)} is written here, and {second_step(pair)}: "
                "if it never comes, the key stays for ever. Queue both in one MULTI pipeline"
            )
            yield at(
                pair.first,
                message,
                *others(pair),
                repair=in_one_transaction(module, pair, result_doubted=True),
            )


_GOOD = """
with r.pipeline(transaction=True) as pipe:
    pipe.sadd("visitors:monday", "ada")
    pipe.expire("visitors:monday", 90_000)
    pipe.execute()
"""

RULE = Rule(
    code="RG204",
    name="collection-write-then-expire",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    fix="both",
    examples=(
        Example(
            bad='r.sadd("visitors:monday", "ada")\nr.expire("visitors:monday", 90_000)', good=_GOOD.strip()
        ),
    ),
)
