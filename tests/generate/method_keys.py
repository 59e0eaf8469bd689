"""Which parameters of a method hold keys, and what is done with them.

Law of this file: the server is asked first; names of parameters speak only for commands it does not know.
"""

import redis

from tests.generate.command_facts import words
from tests.generate.probe import Observation
from tests.generate.server import keys_of

_KEY_NAMES = words(
    """
    name key keys first_list second_list source_key dest_key destKey srcKeys destination_key ktv_tuples
    triplets
    """
)
_DESTINATIONS = ("destKey", "dest_key", "destination_key", "second_list")
_SOURCES = ("source_key", "srcKeys")


def keys(
    seen: Observation | None, commands: tuple[str, ...], access: str, client: redis.Redis
) -> list[list[str]]:
    """Parameter, shape and access of each; `access` is that of the command as a whole."""
    if seen is None or not seen.sent:
        return []
    shapes = dict(seen.shapes)
    found = keys_of(client, seen.sent[0])
    if found is None:
        return _keys_by_name(shapes, commands[0], access) if access != "none" else []
    held: dict[str, list[str]] = {}
    for key, flags in found:
        parameter = key.strip("<>").partition(":")[0]
        if parameter in shapes:
            held[parameter] = [parameter, shapes[parameter], _key_access(flags, access)]
    return list(held.values())


def _key_access(flags: frozenset[str], access: str) -> str:
    if "RO" in flags or (access == "read" and "OW" not in flags):
        return "read"
    return "both" if "access" in flags else "write"


def _keys_by_name(shapes: dict[str, str], command: str, access: str) -> list[list[str]]:
    if command.startswith("FT.") and not command.startswith("FT.SUG"):
        return []
    sources = (*_SOURCES, "keys") if command == "TDIGEST.MERGE" else _SOURCES
    return [
        [name, shape, "write" if name in _DESTINATIONS else "read" if name in sources else access]
        for name, shape in shapes.items()
        if name in _KEY_NAMES
    ]
