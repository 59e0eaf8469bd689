"""The sentence that says what a call amounts to and what to write instead, by the registry where it can.

Law of this file: words only; whether there is anything to say is for rules to decide.
"""

from dataclasses import dataclass

from redis_guard.behaviour.terms import Behaviour
from redis_guard.project.keys import Key
from redis_guard.registry import Entry, Keyspace, Registry, UseCase

_CALLS = {
    "lock": "coordination.lock({name})",
    "claim": "coordination.claim({name})",
    "counter": "coordination.counter({name}).increment()",
    "signal": "coordination.signal({name})",
}
"""How the runtime is called, by primitive."""

_PRIMITIVES: dict[Behaviour, str] = {
    "lock-like": "lock",
    "claim-like": "claim",
    "counter-like": "counter",
    "signal-like": "signal",
}

_ELSEWHERE: dict[Behaviour, str] = {
    "cache-like": "cache-like: keep it behind the application's cache interface",
    "durable-like": "durable-like: keep it in its source of truth, or declare a keyspace "
    "and allow the module that owns it",
    "queue-like": "queue-like: hand the work to the application's task queue, or declare a keyspace "
    "and allow the module that owns it",
    "script": "a script: keep it in a module that the configuration allows, "
    "behind a function that says what it is for",
    "admin": "a server command: leave it to operations, or to a module that the configuration allows",
    "unknown": "move it to the module that owns the key, and allow that one in the configuration",
}


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do instead; `entry` is the registered use case or keyspace that the key belongs to."""

    text: str
    entry: str | None


def advise(behaviour: Behaviour, key: Key | None, registry: Registry) -> Advice:
    """Advice for a call of this behaviour on this key (or channel)."""
    entry = registered(behaviour, key, registry)
    if isinstance(entry, UseCase):
        return Advice(_by_use_case(entry), entry.name)
    if isinstance(entry, Keyspace):
        return Advice(_by_keyspace(entry), entry.name)
    if (primitive := _PRIMITIVES.get(behaviour)) is not None:
        call = _CALLS[primitive].format(name="…")
        return Advice(f"{behaviour}: register a {primitive} use case and call {call}", None)
    return Advice(_ELSEWHERE[behaviour], None)


def registered(behaviour: Behaviour, key: Key | None, registry: Registry) -> Entry | None:
    """The registry's entry for the key; for signals, for the channel."""
    if key is None:
        return None
    if behaviour == "signal-like":
        return registry.signal_for_channel(key.template)
    return registry.entry_for_key(key.template)


def _by_use_case(entry: UseCase) -> str:
    call = _CALLS[entry.primitive].format(
        name=f'"{entry.name}", …' if entry.key.placeholders else f'"{entry.name}"'
    )
    return f"the key belongs to the {entry.primitive} {entry.name} of {entry.owner}: call {call}"


def _by_keyspace(entry: Keyspace) -> str:
    return (
        f"the key belongs to the {entry.key_class} keyspace {entry.name} of {entry.owner}: "
        "move it to the module that owns it, and allow that one in the configuration"
    )
