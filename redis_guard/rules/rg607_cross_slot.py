"""Keys of one command or one MULTI live in different slots of a cluster.

What: a client of a cluster sends one command, one script or one MULTI with several keys that have no hash tag in
common.
Why it hurts: a cluster does only what is in one slot. It answers CROSSSLOT, or the client refuses, for nearly every
pair of keys, but not for all, so that a test may pass by luck.
Instead: put what belongs together behind one hash tag: `order:{7}:lock`, `order:{7}:state`. Or use commands that the
client splits by itself (`delete`, `mget_nonatomic`).
Fix: none; other keys are other data.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from redis_guard.behaviour.telling import command_of, named
from redis_guard.project.keys import Hole, Key
from redis_guard.project.model import Call, ModuleUses
from redis_guard.registry import Registry
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at

_SPLIT = frozenset("delete exists touch unlink mget_nonatomic mset_nonatomic subscribe publish".split())
"""Source: redis-py 8.1, RedisCluster: these are sent to each node for its own keys."""
_MAY_HOLD_A_TAG = ("prefix", "tag", "slot", "namespace", "ns", "key", "base", "root")


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    queued: defaultdict[tuple[int, str], list[Call]] = defaultdict(list)
    for call in module.calls:
        if not call.cluster:
            continue
        if call.kind == "pipeline" and not call.immediate and call.transaction:
            queued[call.function.scope, call.client].append(call)
        elif call.method not in _SPLIT and _differ(call.keys):
            keys = " and ".join(key.template for key in call.keys[:2])
            yield at(
                call,
                f"{command_of(call)} names {keys}, which need not be in one slot of the cluster: it is refused as "
                "CROSSSLOT; put what belongs together behind one hash tag, in braces",
            )
    for calls in queued.values():
        first = calls[0]
        other = next((call for call in calls if call.keys and _differ((*first.keys[:1], *call.keys))), None)
        if other is not None:
            yield at(
                first,
                f"{named(first.key, registry)} and {named(other.key, registry)} are in one MULTI, and need not be in "
                "one slot of the cluster: it is refused as CROSSSLOT; put both behind one hash tag, in braces",
                (other, "the other slot"),
            )


def _differ(keys: Sequence[Key]) -> bool:
    """Two of them are certainly not bound to one slot."""
    if any(not key.pieces or _hides_a_tag(key) for key in keys):
        return False
    return len({key.slot or key for key in keys}) > 1


def _hides_a_tag(key: Key) -> bool:
    """A variable may bring a hash tag along."""
    first = key.pieces[0]
    if isinstance(first, Hole):
        return True
    names = [piece.name.lower() for piece in key.pieces if isinstance(piece, Hole)]
    return any(name.rpartition(".")[2].endswith(_MAY_HOLD_A_TAG) for name in names)


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
