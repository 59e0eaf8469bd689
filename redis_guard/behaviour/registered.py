"""How a message speaks of a key: by its template, and by the registry's entry that owns it.

Law of this file: words only.
"""

from redis_guard.project.keys import Key
from redis_guard.registry import Registry, UseCase


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
