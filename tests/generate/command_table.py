"""Writes `redis_guard/commands/table.json` from the installed redis-py and valkey-py and a running server.

Run it from the project's root: `PYTHONPATH=. python tests/generate/command_table.py`.
Law of this file: the same libraries and the same server give the same bytes.
"""

import inspect
import sys
from importlib.metadata import version as installed
from pathlib import Path

import redis

from tests.generate import table_text
from tests.generate.command_rows import Row, UnknownFactError, command_rows
from tests.generate.method_facts import METHODS
from tests.generate.method_rows import commands_of, method_row
from tests.generate.outcomes import async_returns, refuses, returns
from tests.generate.probe import Observation, observe_all
from tests.generate.receivers import Receiver, receivers
from tests.generate.server import ServerCommand, commands, server, version
from tests.generate.table_text import Table

TABLE = Path(__file__).parents[2] / "redis_guard" / "commands" / "table.json"

_PROBED = ("client", "json", "ft", "ts", "bf", "cf", "cms", "topk", "tdigest", "vset")


def build(client: redis.Redis) -> Table:
    """The whole table as plain data.

    Raises `UnknownFactError` for commands and methods whose meaning nobody has written down.
    """
    known = commands(client)
    found = receivers()
    seen = {receiver.kind: _observations(receiver) for receiver in found}
    sends = _sends(found, seen, known)
    rows = command_rows(known, (command for sent in sends.values() for command in sent))
    return Table(
        redis_py=installed("redis"),
        valkey_py=installed("valkey"),
        server=version(client),
        commands=rows,
        kinds={receiver.kind: _kind(receiver, seen, sends, rows, client) for receiver in found},
    )


def _sends(
    found: list[Receiver], seen: dict[str, dict[str, Observation]], known: dict[str, ServerCommand]
) -> dict[tuple[str, str], tuple[str, ...]]:
    """The commands each method sends; every method that is not understood is named in one error."""
    sends = {}
    unknown = []
    for receiver in found:
        for name in receiver.names():
            try:
                observation = _observation(receiver, name, seen)
                sends[receiver.kind, name] = commands_of(receiver, name, observation, known)
            except UnknownFactError as error:
                unknown.append(str(error))
    if unknown:
        raise UnknownFactError("\n".join(unknown))
    return sends


def _observations(receiver: Receiver) -> dict[str, Observation]:
    if receiver.subject not in _PROBED:
        return {}
    return observe_all(receiver, leave_out=METHODS.get(receiver.subject, {}))


def _observation(
    receiver: Receiver, name: str, seen: dict[str, dict[str, Observation]]
) -> Observation | None:
    """What the method showed on this kind or, where it could not be called there, on the next of kin."""
    kin = {
        "async-cluster": ("async-client", "client"),
        "cluster": ("client",),
        "pipeline": ("client",),
        "async-pipeline": ("async-client", "client"),
        "cluster-pipeline": ("cluster", "client"),
        "async-cluster-pipeline": ("async-cluster", "cluster", "async-client", "client"),
        "sentinel": ("client",),
        "async-sentinel": ("async-client",),
    }.get(receiver.kind, ())
    for kind in (receiver.kind, *kin):
        observation = seen.get(kind, {}).get(name)
        if observation and (observation.sent or observation.refused):
            return observation
    return seen.get(receiver.kind, {}).get(name)


def _kind(
    receiver: Receiver,
    seen: dict[str, dict[str, Observation]],
    sends: dict[tuple[str, str], tuple[str, ...]],
    rows: dict[str, Row],
    client: redis.Redis,
) -> dict[str, Row]:
    """The rows of the methods of one kind, by name."""
    found = {}
    for name in receiver.names():
        observation = _observation(receiver, name, seen)
        own = seen[receiver.kind].get(name)
        signature = _signature(receiver, name)
        row = method_row(receiver, name, observation, sends[receiver.kind, name], rows, client, signature)
        row["returns"] = returns(receiver, name, own or observation)
        seen_here = own if own and (own.sent or own.refused) else observation
        row["async_returns"] = async_returns(receiver, name, seen_here)
        found[name] = row
    return found


def _signature(receiver: Receiver, name: str) -> inspect.Signature:
    """The method's signature; a method replaced by one that only refuses keeps the client's."""
    signature = inspect.signature(receiver.function(name))
    if refuses(receiver.function(name)) and hasattr(redis.Redis, name):
        return inspect.signature(getattr(redis.Redis, name))
    return signature


def main() -> int:
    """Write the table; 1 with one line of reason if a fact is missing."""
    try:
        with server() as client:
            text = table_text.render(build(client))
    except UnknownFactError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    TABLE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
