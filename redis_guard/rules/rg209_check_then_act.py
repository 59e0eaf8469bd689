"""A key is looked at, and a write depends on what was seen.

What: EXISTS, a size, a value that is compared, or `lock.locked()` decides whether the same key is written, with
neither WATCH nor a lock nor a script. A cache that is filled where it is empty is not this.
Why it hurts: between the look and the write somebody else does the same. Both see that nobody has it, and both take it.
Instead: let the write itself decide: `set(..., nx=True)`, `hsetnx`, `acquire(blocking=False)`, a claim of the registry;
or a Lua script, or WATCH before the look.
Fix: unsafe. The look goes and SET NX, HSETNX or `acquire(blocking=False)` decides, where the write follows the look
directly; else none.
"""

from collections.abc import Iterator

from redis_guard.behaviour.atomicity import one_step, protected
from redis_guard.behaviour.handmade import deletes
from redis_guard.behaviour.holding import replaces, takes_if_absent
from redis_guard.behaviour.lookups import same_field, says_presence, says_size, says_value, sources
from redis_guard.behaviour.sameness import same_key
from redis_guard.behaviour.telling import command_of, named
from redis_guard.behaviour.writes import is_expire
from redis_guard.finding import Span
from redis_guard.fixes.repair import Repair
from redis_guard.project.model import Call, ModuleUses
from redis_guard.project.taken import Guard
from redis_guard.registry import Registry
from redis_guard.repairs.acquire_decides import AcquireDecides
from redis_guard.repairs.write_decides import WriteDecides
from redis_guard.rule import ERROR, Example, OfModule, Report, Rule, at

_ACTS = frozenset(("set", "collection-write", "string-edit", "counter"))
_ORDERS = frozenset(("<", ">", "<=", ">="))
_EQUALS = frozenset(("==", "!="))


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    reported: set[Span] = set()
    for write in module.calls:
        if not write.guards or not _acts(write):
            continue
        calls = module.of_function(write.function)
        look = next(
            (
                look
                for guard in reversed(write.guards)  # the nearest test first
                for look, _ in sources(calls, guard.takes)
                if _decides(calls, look, guard, write)
                and not one_step(calls, look, write)
                and not protected(calls, look, write)
            ),
            None,
        )
        if look is not None and look.span not in reported:
            reported.add(look.span)
            repair = _repair(module, look, write)
            yield at(
                look, _message(look, write, registry), (write, f"the {command_of(write)}"), repair=repair
            )


def _repair(module: ModuleUses, look: Call, write: Call) -> Repair | None:
    """What needs a second step, as the lifetime of a SET without one, is put right before."""
    calls = module.of_function(write.function)
    if look.kind == "lock":
        return AcquireDecides(look, write)
    if any(is_expire(call) and set(call.keys) & set(write.keys) for call in calls):
        return None
    if any(deletes(call) and call not in calls and same_key(write, call) for call in module.calls):
        return None  # it is a lock that is given back elsewhere, and needs more than this
    return WriteDecides(look, write)


def _acts(call: Call) -> bool:
    if call.kind == "lock":
        waits = call.argument("blocking")
        return call.method == "acquire" and (waits is None or waits.constants != (False,))
    return call.facts is not None and call.facts.family in _ACTS and not takes_if_absent(call)


def _decides(calls: tuple[Call, ...], look: Call, guard: Guard, write: Call) -> bool:
    if look.kind == "lock" or write.kind == "lock":
        return look.method == "locked" and write.method == "acquire" and look.client == write.client
    if not set(look.keys) & set(write.keys) or not same_field(look, write):
        return False
    if says_presence(look):
        return not _comes_to_the_same(write) and not _fills_a_cache(calls, look)
    if look.facts is not None and look.facts.family == "counter":
        return bool(guard.operators & _EQUALS) and replaces(write)
    if says_size(look):
        return bool(guard.operators & _ORDERS)
    if says_value(look):
        ordered, equal = guard.operators & _ORDERS, guard.operators & _EQUALS
        return bool(ordered) or (bool(equal) and not _writes_what_it_compared(guard, write))
    return False


def _comes_to_the_same(write: Call) -> bool:
    """Whoever does it again changes nothing: what is in a set stays in it, what is computed from other keys too."""
    command = write.command or ""
    return command in ("SADD", "PFADD") or command.endswith("STORE")


def _fills_a_cache(calls: tuple[Call, ...], look: Call) -> bool:
    """The same function reads the value: it is looked for, and made where it is missing."""
    return any(says_value(call) and set(call.keys) & set(look.keys) for call in calls)


def _writes_what_it_compared(guard: Guard, write: Call) -> bool:
    """`if r.get(k) != new: r.set(k, new)` spares a write, no more."""
    return any(
        argument.text in guard.text for name, argument in write.arguments if name in ("value", "mapping")
    )


def _message(look: Call, write: Call, registry: Registry) -> str:
    if look.kind == "lock":
        return (
            "locked() is asked before acquire(): somebody else may take it in between, and then this waits; "
            "ask acquire(blocking=False) itself"
        )
    key = named(look.key, registry)
    instead = {"SET": "`set(..., nx=True)`", "HSET": "`hsetnx`"}.get(command_of(write), "a Lua script")
    return (
        f"{key} is looked at here, and the {command_of(write)} depends on what was seen: two that look at once both "
        f"write. Let one step decide ({instead}, or a registered claim), or put WATCH before the look"
    )


RULE = Rule(
    code="RG209",
    name="check-then-act",
    since="0.1.0",
    severity=ERROR,
    scope=OfModule(check),
    doc=__doc__,
    fix="unsafe",
    examples=(
        Example(
            bad='def claim() -> bool:\n    if r.exists("claim:7"):\n        return False\n'
            '    r.set("claim:7", "worker", ex=300)\n    return True',
            good='def claim() -> bool:\n    return bool(r.set("claim:7", "worker", ex=300, nx=True))',
        ),
    ),
)
