"""Which keys of one command or one MULTI are not bound to one slot of a cluster.

Law of this file: keys differ in slot only where the code shows their text; a variable that may bring a hash tag along
binds them.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from redis_guard.project.flow import can_follow, innermost_loop
from redis_guard.project.keys import Hole, Key
from redis_guard.project.model import Call, ModuleUses

_SPLIT = frozenset("delete exists touch unlink mget_nonatomic mset_nonatomic".split())
"""Source: redis-py 8.1, RedisCluster: these are sent to each node for its own keys."""
_ONE_BY_ONE = frozenset({"delete", "unlink"})
"""Source: redis-py 8.1, ClusterPipeline without MULTI: refused with more than one key, even of one slot."""
_SPLITS_ALL = "rediscluster."
"""redis-py-cluster 2, now retired, splits nearly all commands of several keys by itself."""
_MAY_HOLD_A_TAG = ("prefix", "tag", "slot", "namespace", "ns", "key", "base", "root")
_REFUSALS = frozenset({"CrossSlotTransactionError", "ClusterCrossSlotError", "RedisClusterException"})


class Together(NamedTuple):
    """Two keys in one MULTI; one call twice where a loop queues it again and again."""

    first: Call
    key: Key
    second: Call
    other: Key


def refused(module: ModuleUses) -> Iterator[Call]:
    """Commands and scripts that name keys of several slots at once."""
    for call in module.calls:
        if not _judged(call) or _in_multi(call):
            continue
        splits = _SPLIT - _ONE_BY_ONE if call.kind == "pipeline" and not call.immediate else _SPLIT
        if call.method not in splits and _differ(call.keys, call.several):
            yield call


def crossing(module: ModuleUses) -> Iterator[Together]:
    """The first two keys of each MULTI, and what it watches, that need not be in one slot."""
    begun: dict[tuple[int, str], Call] = {}
    told: set[tuple[int, str]] = set()
    for call in module.calls:
        pipeline = (call.function.scope, call.client)
        if call.method in ("execute", "reset"):
            begun.pop(pipeline, None)
        if not (_judged(call) and call.keys and _in_multi(call)) or pipeline in told:
            continue
        first = begun.setdefault(pipeline, call)
        found = _together(first, call) or _turned(module, call)
        if found is not None:
            told.add(pipeline)
            yield found


def _judged(call: Call) -> bool:
    return call.cluster and not call.type.startswith(_SPLITS_ALL) and not call.caught & _REFUSALS


def _in_multi(call: Call) -> bool:
    queued = not call.immediate or call.method == "watch"
    return call.kind == "pipeline" and call.transaction is True and queued


def _together(first: Call, second: Call) -> Together | None:
    if first is not second and not can_follow(first.place, second.place):
        return None
    key = first.keys[0]
    for other in second.keys:
        if _differ((key, other), second.several):
            return Together(first, key, second, other)
    return None


def _turned(module: ModuleUses, call: Call) -> Together | None:
    """The pipeline is opened outside all loops, and a loop queues the call for one key after the other."""
    if innermost_loop(call.place) is None or call.pipeline is None or not _varies(call.keys[0]):
        return None
    opened = [
        other
        for other in module.of_function(call.function)
        if other.method == "pipeline" and other.span.line * 1000 + other.span.column == call.pipeline
    ]
    sent = any(
        other.client == call.client and other.method == "execute" and innermost_loop(other.place) is not None
        for other in module.of_function(call.function)
    )
    if sent or not opened or innermost_loop(opened[0].place) is not None or _binds([call.keys[0]]):
        return None
    return Together(call, call.keys[0], call, call.keys[0])


def _differ(keys: Sequence[Key], several: Sequence[Key]) -> bool:
    """Two of them are certainly not bound to one slot."""
    if _binds(keys):
        return False
    return len({key.slot or key for key in keys}) > 1 or any(_varies(key) for key in several)


def _binds(keys: Sequence[Key]) -> bool:
    """One of them is unseen, or a variable in it may bring a hash tag along."""
    return any(not key.pieces or _hides_a_tag(key) for key in keys)


def _varies(key: Key) -> bool:
    """Each turn of a loop makes it a key of another slot."""
    turning = [piece for piece in key.pieces if isinstance(piece, Hole) and piece.turns]
    return bool(turning) and (key.slot is None or any(piece.identity in key.slot for piece in turning))


def _hides_a_tag(key: Key) -> bool:
    if isinstance(key.pieces[0], Hole):
        return True
    names = [piece.name.lower() for piece in key.pieces if isinstance(piece, Hole)]
    return any(name.rpartition(".")[2].endswith(_MAY_HOLD_A_TAG) for name in names)
