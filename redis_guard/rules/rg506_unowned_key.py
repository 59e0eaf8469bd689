"""A direct call that is allowed writes a key which nobody has registered.

What: a command that can make a key, in a place where an allow silences RG101, and no keyspace and no use case of the
registry matches the key. Keys that begin with something unknown are left alone.
Why it hurts: whoever is allowed to call Redis himself still needs an owner for what he leaves there; nobody else can
tell whether the key may go.
Instead: declare a keyspace for it, with its owner and its lifetime.
Fix: none; the owner and the lifetime are decisions.
"""

from collections.abc import Iterator

from redis_guard.behaviour.network import is_command
from redis_guard.behaviour.registered import where_registered
from redis_guard.behaviour.writes import written
from redis_guard.project.keys import Key
from redis_guard.project.model import Call, ModuleUses
from redis_guard.registry import Registry
from redis_guard.rule import WARNING, Example, OfModule, Report, Rule, at

_SEPARATORS = frozenset(":/._-|@")


def check(module: ModuleUses, registry: Registry) -> Iterator[Report]:
    if not registry.entries:
        return
    for call in module.calls:
        for key in _made(call):
            if registry.entry_for_key(key.template) is None:
                message = (
                    f"{key.template} is written here, and no keyspace in {where_registered(registry)} matches it: "
                    "nobody owns it; declare one with owner and ttl"
                )
                yield at(call, message)
                break


def _made(call: Call) -> tuple[Key, ...]:
    """The keys that a call can make, as far as their beginning is known."""
    if call.facts is None or not call.facts.creates or not is_command(call):
        return ()
    return tuple(key for key in written(call) if _begins_known(key))


def _begins_known(key: Key) -> bool:
    """The first segment is written out, so that no entry could match what fills the rest of it."""
    head = key.pieces[0] if key.pieces else None
    return isinstance(head, str) and (len(key.pieces) == 1 or not _SEPARATORS.isdisjoint(head))


RULE = Rule(
    code="RG506",
    name="unowned-key",
    since="0.1.0",
    severity=WARNING,
    scope=OfModule(check),
    doc=__doc__,
    examples=(
        Example(
            bad='r.set(f"banner:{slot}", text, ex=600)  # redis-guard: allow[RG101] goes with the new pages',
            good='r.set(f"session:{slot}", text, ex=600)  # redis-guard: allow[RG101] goes with the new pages',
        ),
    ),
)
