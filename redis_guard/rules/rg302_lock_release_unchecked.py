"""A lock is deleted without a look at who holds it.

What: a key that was taken with SET NX and a lifetime (or `cache.add`) is given back by deleting it; or the key of a
`lock()` is deleted by hand.
Why it hurts: a holder whose time ran out deletes the lock of the next one, and a third comes in: from then on two
work at once, each deleting the lock of another.
Instead: store a random token, and delete only while it is there, in one script; or use `lock()`, or a lock use case
of the registry, which do so.
Fix: unsafe. A lock that one function, or one context manager, takes and gives back gets a token and a script that
compares it; a deletion in the handler of LockError goes; else none.
"""

from collections.abc import Iterator

from redis_guard.behaviour.families import speaks
from redis_guard.behaviour.handmade import deletes, is_checked, is_watched, pairs
from redis_guard.behaviour.telling import named
from redis_guard.project.keys import Hole, Key
from redis_guard.project.model import CacheCall, Call, Construction, ModuleUses
from redis_guard.registry import Registry
from redis_guard.repairs.own_token import own_token
from redis_guard.repairs.release_by_name import ReleaseByName
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at

_LOST = frozenset({"LockError", "LockNotOwnedError"})


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for taking, deletion in pairs(module):
        if not is_checked(deletion, module):
            whole = own_token(taking, module)
            yield at(deletion, _message(deletion, registry), (taking, "taken here"), repair=whole)
    makers = tuple(_makers(module))
    for call in module.calls:
        if not deletes(call) or is_watched(call, module):
            continue
        if _is_name_of_lock(call, module):
            repair = ReleaseByName(call) if _LOST & call.handles else None
            yield at(call, _message(call, registry), repair=repair)
        elif (maker := next((one for one, key in makers if _certainly(one, key, call)), None)) is not None:
            yield at(call, _message(call, registry), (maker, "the lock"))


def _makers(module: ModuleUses) -> Iterator[tuple[Call | Construction, Key]]:
    """`r.lock(key)` and `Lock(r, key)`."""
    for call in module.calls:
        if call.facts is not None and call.facts.family == "lock" and call.key is not None:
            yield call, call.key
    for built in module.constructions:
        if built.kind == "lock" and (name := built.argument("name")) is not None:
            yield built, name.key


def _certainly(maker: Call | Construction, key: Key, deletion: Call) -> bool:
    """The same key, and not only two parameters of one name."""
    if maker.place.function.scope == deletion.function.scope:
        return bool(key.pieces) and key in deletion.keys
    return speaks(key) and any(key.alike(other) for other in deletion.keys)


def _is_name_of_lock(call: Call, module: ModuleUses) -> bool:
    """`lock.name`, of a lock that the function takes, or because giving it back failed."""
    holes = [piece for piece in call.key.pieces if isinstance(piece, Hole)] if call.key else []
    if len(holes) != 1 or not holes[0].identity.endswith(".name"):
        return False
    owner = holes[0].identity.removesuffix(".name")
    return bool(_LOST & call.handles) or any(held.identity == owner for held in module.held)


def _message(deletion: Call | CacheCall, registry: Registry) -> str:
    return (
        f"{named(deletion.key, registry)} is deleted whoever holds it: a holder whose time is over deletes the lock "
        "of the next one. Delete it only while your own token is in it, in one script, or use `lock()`"
    )


RULE = Rule(
    code="RG302",
    name="lock-release-unchecked",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    fix="unsafe",
    examples=(
        Example(
            bad=(
                "token = uuid.uuid4().hex\n"
                'if r.set("lock:report", token, nx=True, ex=30):\n    r.delete("lock:report")'
            ),
            good=(
                "token = uuid.uuid4().hex\n"
                'if r.set("lock:report", token, nx=True, ex=30):\n'
                '    _RELEASE(keys=["lock:report"], args=[token])'
            ),
            setup=(
                "import uuid\n\nimport redis\n\nr = redis.Redis()\n"
                "_RELEASE = r.register_script(\n"
                "    \"if redis.call('GET', KEYS[1]) == ARGV[1] then \"\n"
                "    \"return redis.call('DEL', KEYS[1]) else return 0 end\"\n)\n"
            ),
        ),
    ),
)
