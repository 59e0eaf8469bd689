"""Server commands as rows of the table: what the server says, completed by the facts kept by hand.

Law of this file: a command without a family that writes, or that the server does not know, is an error which
names it and the place for the missing fact.
"""

from collections.abc import Iterable
from typing import Any

from tests.generate import command_facts as facts
from tests.generate import command_versions as versions
from tests.generate.command_facts import spread
from tests.generate.server import ServerCommand

Row = dict[str, Any]

_TYPES_OF_GROUPS = {
    "string": "string",
    "bitmap": "bitmap",
    "hash": "hash",
    "list": "list",
    "set": "set",
    "sorted-set": "zset",
    "stream": "stream",
    "hyperloglog": "hyperloglog",
    "geo": "geo",
}
_ACCESS_OF_FAMILY = spread(
    {
        "read": "read field-ttl scan",
        "both": "counter pop collection-move",
        "none": "admin connection transaction publish subscribe index script-admin",
    }
)
"""Of commands the server does not know; all other families write."""


class UnknownFactError(Exception):
    """A command or method whose meaning nobody has written down yet."""


def command_rows(known: dict[str, ServerCommand], sent: Iterable[str]) -> dict[str, Row]:
    """A row for each command that the server knows, a method sends, or the facts kept by hand name."""
    names = sorted({*known, *sent, *facts.FAMILIES})
    if unknown := [name for name in names if _family(name, known.get(name)) is None]:
        raise UnknownFactError(
            f"new commands: {', '.join(unknown)}; give each a family in tests/generate/command_facts.py"
        )
    return {name: _row(name, known.get(name)) for name in names}


def command_name(words: tuple[object, ...], known: dict[str, ServerCommand]) -> str:
    """The command in what was sent, with its subcommand where the server has one of that name."""
    parts = [word.decode() if isinstance(word, bytes) else str(word) for word in words[:2]]
    name = parts[0].upper()
    longer = " ".join(parts).upper()
    return longer if longer in known or longer in facts.FAMILIES else name


def _row(name: str, command: ServerCommand | None) -> Row:
    family = _family(name, command) or ""
    return {
        "family": family,
        "access": _access(name, family, command),
        "creates": facts.creates(name, family),
        "value_type": _value_type(name, command),
        "lifetime": facts.lifetime(name, family),
        "without_expiry": facts.without_expiry(name, family),
        "first_key": command.first_key if command else _first_key(name, family),
        "since": _since(name, command),
        "valkey_since": versions.VALKEY_SINCE.get(name, command.since if command else ""),
    }


def _family(name: str, command: ServerCommand | None) -> str | None:
    if name in facts.FAMILIES:
        return facts.FAMILIES[name]
    if command is None or "write" in command.flags:
        return None
    if "readonly" in command.flags:
        return "read"
    if command.group == "connection" and "admin" not in command.flags:
        return "connection"
    return "admin"


def _access(name: str, family: str, command: ServerCommand | None) -> str:
    if name in facts.READING_UNLESS_STORING:
        return "read"
    if family == "script":
        return "read" if name.endswith("_RO") else "both"
    if command is None:
        return _ACCESS_OF_FAMILY.get(family, "write")
    if "readonly" in command.flags:
        return "read"
    if "write" in command.flags:
        both = "access" in command.access and "variable_flags" not in command.access
        return "both" if both else "write"
    return "read" if family == "read" else "none"


def _value_type(name: str, command: ServerCommand | None) -> str:
    for prefix, value_type in facts.MODULE_TYPES.items():
        if name.startswith(prefix):
            return value_type
    return facts.VALUE_TYPES.get(name, _TYPES_OF_GROUPS.get(command.group, "none") if command else "none")


def _first_key(name: str, family: str) -> int:
    if family == "admin" or name == "STRALGO" or (name.startswith("FT.") and not name.startswith("FT.SUG")):
        return 0
    return 0 if name in ("TS.MGET", "TS.MRANGE", "TS.MREVRANGE", "TS.QUERYINDEX", "TS.QUERYLABELS") else 1


def _since(name: str, command: ServerCommand | None) -> str:
    """The Redis version; Valkey counts on from 7.2, so what it calls 8 or later is its own."""
    if name in versions.REDIS_SINCE:
        return versions.REDIS_SINCE[name]
    if command is None or int(command.since.split(".")[0] or 0) >= 8:
        return ""
    return command.since
