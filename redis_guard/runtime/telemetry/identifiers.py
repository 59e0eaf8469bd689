"""Identifiers as text, for the sinks that may show them."""

from collections.abc import Sequence


def written(identifiers: Sequence[object]) -> list[str]:
    """Each as an f-string would write it; bytes are decoded, and what is no UTF-8 in them is escaped."""
    return [
        identifier.decode(errors="backslashreplace") if isinstance(identifier, bytes) else str(identifier)
        for identifier in identifiers
    ]
