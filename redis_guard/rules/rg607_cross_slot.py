"""Keys of one command or one MULTI live in different slots of a cluster.

What: a client of a cluster sends one command, one script or one MULTI with several keys that have no hash tag in
common.
Why it hurts: a cluster does only what is in one slot. It answers CROSSSLOT, or the client refuses, for nearly every
pair of keys, but not for all, so that a test may pass by luck.
Instead: put what belongs together behind one hash tag: `order:{7}:lock`, `order:{7}:state`. Or use commands that the
client splits by itself (`delete`, `mget_nonatomic`).
Fix: none; other keys are other data.
"""

from collections.abc import Iterator

from redis_guard.behaviour.slots import Together, crossing, refused
from redis_guard.behaviour.telling import command_of, named
from redis_guard.project.model import Call, ModuleUses
from redis_guard.registry import Registry
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at

_HURTS = "need not be in one slot of the cluster: it is refused as CROSSSLOT"


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for call in refused(module):
        yield at(call, _of_one_command(call))
    for pair in crossing(module):
        others = () if pair.second is pair.first else ((pair.second, "the other slot"),)
        yield at(pair.first, _of_one_transaction(pair, registry), *others)


def _of_one_command(call: Call) -> str:
    if call.several:
        keys = f"many keys {call.several[0].template}"
    else:
        keys = " and ".join(key.template for key in tuple(dict.fromkeys(call.keys))[:2])
    if call.method in ("delete", "unlink"):
        return (
            f"{command_of(call)} names {keys} in a cluster's pipeline, which takes one key at a time; "
            "queue one for each"
        )
    return f"{command_of(call)} names {keys}, which {_HURTS}; put what belongs together behind one hash tag, in braces"


def _of_one_transaction(pair: Together, registry: Registry) -> str:
    first = named(pair.key, registry)
    if pair.first is pair.second:
        return f"a loop puts many keys {first} into one MULTI, which {_HURTS}; open one pipeline for each key"
    return (
        f"{first} and {named(pair.other, registry)} are in one MULTI, and {_HURTS}; "
        "put both behind one hash tag, in braces"
    )


RULE = Rule(
    code="RG607",
    name="cross-slot",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    examples=(
        Example(
            setup='from redis.cluster import RedisCluster\n\nrc = RedisCluster(host="cluster")\n',
            bad='rc.rename("report:new", "report:old")',
            good='rc.rename("report:{7}:new", "report:{7}:old")',
        ),
    ),
)
