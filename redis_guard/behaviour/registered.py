"""How messages speak of the registry's entries, where these stand, and what they say of single keys.

Law of this file: what the registry says, in words, places and answers; no finding is decided here.
"""

from redis_guard.finding import Related, Span
from redis_guard.project.keys import Key
from redis_guard.registry import Entry, Keyspace, Place, Registry


def entry_span(entry: Entry) -> Span:
    """The name of an entry in its file."""
    return _span(entry.place, len(entry.name))


def place_span(place: Place, registry: Registry) -> Span:
    """The name of the entry at a place."""
    names = [entry.name for entry in registry.entries if entry.place == place]
    return _span(place, len(names[0]) if names else 1)


def related_entry(entry: Entry) -> Related:
    """The entry as a second place of a finding."""
    kind = getattr(entry, "primitive", "keyspace")
    return Related(entry.place.path, entry_span(entry), f"the {kind} {entry.name} of {entry.owner}")


def where_registered(registry: Registry) -> str:
    """`redis_guard.yaml`; several files are called the registry."""
    files = {entry.place.path for entry in registry.entries}
    return files.pop() if len(files) == 1 else "the registry"


def _span(place: Place, width: int) -> Span:
    return Span(place.line, place.column, place.line, place.column + width)


def may_stay(key: Key | None, registry: Registry) -> bool:
    """The key belongs to a keyspace that is declared with `ttl: none`."""
    entry = None if key is None else registry.entry_for_key(key.template)
    return isinstance(entry, Keyspace) and entry.ttl == "none"
