"""A pop hands over the only copy of a piece of work.

What: an item is popped from a list and then worked on.
Why it hurts: it is gone from Redis before the work is done. If the process dies in between, nobody knows that it was
ever there.
Instead: move it to a list of work in progress (`lmove`, `blmove`; before Redis 6.2 `rpoplpush`) and remove it there
when it is done; or a stream with a consumer group. Where losing an item is harmless, this rule has nothing to say: it
is off by default.
Fix: none; it is another design.
"""

from collections.abc import Iterator

from redis_guard.behaviour.telling import command_of, named
from redis_guard.behaviour.working import handings, is_work
from redis_guard.project.model import Call, ModuleUses
from redis_guard.registry import Registry
from redis_guard.rule import WARNING, Example, OfModule, Report, Rule, at

_POPS = frozenset("LPOP RPOP BLPOP BRPOP LMPOP BLMPOP".split())
_PUTS = frozenset("LPUSH RPUSH SADD ZADD XADD LINSERT".split())


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for pop in module.calls:
        if pop.command in _POPS and pop.immediate and is_work(module, pop) and not _is_kept(module, pop):
            move = "LMOVE" if module.server.takes_values else "RPOPLPUSH"
            move = f"B{move}" if command_of(pop).startswith("B") else move
            yield at(
                pop,
                f"{command_of(pop)} takes the only copy out of {named(pop.key, registry)}: if the process dies before "
                f"the work is done, it is lost; {move} it to a list of work in progress, or use a stream",
            )


def _is_kept(module: ModuleUses, pop: Call) -> bool:
    """It is put into Redis again: back where it was, among what is in progress, or as a record of what has begun."""
    begun = min((handed.span[0] for handed in handings(module, pop)), default=0)
    return any(
        taken.order == pop.place.order
        for call in module.of_function(pop.function)
        if call.facts is not None and (call.command in _PUTS or (_writes(call) and call.span.line < begun))
        for _, argument in call.arguments
        for taken in argument.takes
    )


def _writes(call: Call) -> bool:
    return call.facts is not None and call.facts.access != "read"


_GOOD = """
for _, entries in r.xreadgroup("senders", "worker-1", {"stream:mail": ">"}, count=1):
    for entry, mail in entries:
        print(mail)
        r.xack("stream:mail", "senders", entry)
"""

RULE = Rule(
    code="RG213",
    name="destructive-pop",
    since="0.1.0",
    severity=WARNING,
    scope=OfModule(check),
    doc=__doc__,
    default=False,
    examples=(Example(bad='mail = r.lpop("queue:mail")\nprint(mail)', good=_GOOD.strip()),),
)
