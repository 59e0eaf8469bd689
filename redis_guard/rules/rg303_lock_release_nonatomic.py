"""A lock's owner is compared in Python, then the lock is deleted.

What: GET of the lock's key, `==` with the own token, and DELETE of the key: two round trips.
Why it hurts: the lock can end between the two, and another takes it: what is deleted is the lock of the other one.
Instead: compare and delete in one script, or use `lock()`, or a lock use case of the registry, which do so.
Fix: unsafe. Where the comparison alone decides about the deletion, and nothing comes between them, a script compares
and deletes; else none.
"""

from collections.abc import Iterator

from redis_guard.behaviour.handmade import deletes, is_watched, speaks_of_locks, takes
from redis_guard.behaviour.sameness import same_key
from redis_guard.behaviour.telling import named
from redis_guard.project.model import Call, ModuleUses
from redis_guard.project.taken import Comparison, Operand
from redis_guard.registry import Registry
from redis_guard.repairs.compared_release import ComparedRelease
from redis_guard.repairs.own_token import sole_client
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at

_EQUAL = ("==", "!=")
_CONTENT = ("itself", "converted", "part")


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    for deletion in module.calls:
        if not deletes(deletion) or not deletion.guards or is_watched(deletion, module):
            continue
        read = _compared_before(deletion, module)
        if read is not None and _is_lock(deletion, module):
            repair = ComparedRelease(read, deletion, sole_client(module))
            yield at(read, _message(read, registry), (deletion, "deleted here"), repair=repair)


def _compared_before(deletion: Call, module: ModuleUses) -> Call | None:
    """The GET of the key whose answer, compared with something that is not constant, decides about the deletion."""
    asked = {taken.order for guard in deletion.guards for taken in guard.takes}
    of_key = {taken.order for name, given in deletion.arguments if name != "value" for taken in given.takes}
    sides = [
        pair
        for comparison in module.comparisons
        if comparison.scope == deletion.function.scope
        for pair in (
            (comparison.operator, *_sides(comparison)),
            (comparison.operator, *_sides(comparison)[::-1]),
        )
        if pair[2].constants is None
    ]
    compared = {order for operator, ours, _ in sides if operator in _EQUAL for order in _content(ours)}
    # keys and what is in them, read in one go: `for key, owner in owners.items(): if owner not in alive`
    compared |= of_key & {taken.order for _, ours, _ in sides for taken in ours.takes}
    return next(
        (
            call
            for call in module.of_function(deletion.function)
            if call.place.order in asked & compared
            and call.command == "GET"
            and (call.place.order in of_key or same_key(call, deletion))
        ),
        None,
    )


def _sides(comparison: Comparison) -> tuple[Operand, Operand]:
    return comparison.left, comparison.right


def _content(side: Operand) -> set[int]:
    return {taken.order for taken in side.takes if taken.way in _CONTENT}


def _is_lock(deletion: Call, module: ModuleUses) -> bool:
    """The key is taken if absent in this file, or names say that it is a lock; a one-time code is not."""
    key = deletion.key
    if key is None:
        return False
    name = deletion.argument("names") or deletion.argument("args.0")
    if speaks_of_locks(key.template, deletion.function.qualname, name.text if name else ""):
        return True
    return any(
        takes(call) and call.key is not None and call.key.template == key.template for call in module.calls
    )


def _message(read: Call, registry: Registry) -> str:
    return (
        f"{named(read.key, registry)} is compared here and deleted in a second round trip: if it ends in between, "
        "the lock of the next holder is deleted. Compare and delete in one script, or use `lock()`"
    )


RULE = Rule(
    code="RG303",
    name="lock-release-nonatomic",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    fix="unsafe",
    examples=(
        Example(
            bad='if r.get("lock:report") == token:\n    r.delete("lock:report")',
            good='_RELEASE(keys=["lock:report"], args=[token])',
            setup=(
                "import redis\n\nr = redis.Redis(decode_responses=True)\ntoken = input()\n"
                "_RELEASE = r.register_script(\n"
                "    \"if redis.call('GET', KEYS[1]) == ARGV[1] then \"\n"
                "    \"return redis.call('DEL', KEYS[1]) else return 0 end\"\n)\n"
            ),
        ),
    ),
)
