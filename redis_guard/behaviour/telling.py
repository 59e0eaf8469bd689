"""How a message speaks of a key and of the calls of a pair.

Law of this file: words only.
"""

from redis_guard.behaviour.pairs import Pair
from redis_guard.project.keys import Key
from redis_guard.project.model import Call
from redis_guard.registry import Registry, UseCase

_SENT_AS_ANOTHER = frozenset({"incr", "decr"})
"""As INCRBY and DECRBY: redis-py 8.1, `BasicKeyCommands`."""


def named(key: Key | None, registry: Registry, unseen: str = "the key") -> str:
    """`login:{id}`, with the use case or keyspace it belongs to; `unseen` where the code does not show it."""
    if key is None:
        return unseen
    template = key.template
    entry = registry.entry_for_key(template)
    if entry is None:
        return template
    if isinstance(entry, UseCase):
        return f"{template} (the {entry.primitive} {entry.name} of the registry)"
    return f"{template} (keyspace {entry.name} of the registry)"


def command_of(call: Call) -> str:
    """`EXPIRE`, as the code says it; the method's name where no command is known."""
    return call.method.upper() if call.method in _SENT_AS_ANOTHER else call.command or call.method


def second_step(pair: Pair) -> str:
    """`the EXPIRE is a second round trip`, with the condition under which it is."""
    condition = "without a pipeline " if pair.first.optional_pipeline else ""
    return f"{condition}the {command_of(pair.seconds[0])} is a second round trip"


def others(pair: Pair) -> tuple[tuple[Call, str], ...]:
    """The places a finding about a pair carries besides its first call; helpers are shown inside as well."""
    found = [(second, f"the {command_of(second)}") for second in pair.seconds]
    helped = [call.lent_by for call in (pair.first, *pair.seconds) if call.lent_by is not None]
    return (*found, *((call, f"the {command_of(call)} in {call.function.name}()") for call in helped))
