"""How messages speak of the registry's entries, and where these stand.

Law of this file: words and places only.
"""

from redis_guard.finding import Related, Span
from redis_guard.registry import Entry, Place, Registry


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
