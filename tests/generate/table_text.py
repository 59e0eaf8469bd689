"""The table as text: JSON whose rows are strings of columns, which load fast and read well in a diff.

Law of this file: what is written here, `redis_guard/commands/table.py` reads; nothing else knows the form.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from tests.generate.command_rows import Row

_FACTS = ("family", "access", "creates", "value_type", "lifetime", "without_expiry", "since", "valkey_since")
_LIKE = {
    "async-client": "client", "cluster": "client", "async-cluster": "cluster", "pipeline": "client",
    "async-pipeline": "client", "cluster-pipeline": "cluster", "async-cluster-pipeline": "cluster",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Table:
    """Every command and every method of every kind, as rows."""

    redis_py: str
    valkey_py: str
    server: str
    commands: dict[str, Row]
    kinds: dict[str, dict[str, Row]]


def render(table: Table) -> str:
    """The table as JSON text."""
    methods: dict[str, str] = {}
    kinds = {kind: _entries(kind, rows, table, methods) for kind, rows in table.kinds.items()}
    head = {
        "generated_by": "tests/generate/command_table.py; do not edit",
        "redis_py": table.redis_py,
        "valkey_py": table.valkey_py,
        "server": table.server,
    }
    parts = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
    parts.append(
        '"commands": ' + _lines(_pairs((name, _command(row)) for name, row in table.commands.items()))
    )
    parts.append('"methods": ' + _lines(_pairs(methods.items())))
    parts.append('"kinds": ' + _lines(_kind(kind, kinds) for kind in kinds))
    return _lines(parts) + "\n"


def _lines(items: Iterable[str]) -> str:
    return "{\n" + ",\n".join(items) + "\n}"


def _pairs(items: Iterable[tuple[str, object]]) -> Iterable[str]:
    return (f"{json.dumps(name)}: {json.dumps(value)}" for name, value in items)


def _command(row: Row) -> str:
    return f"{_facts(row)} {row['first_key']}"


def _facts(row: Row) -> str:
    return " ".join(
        "creates" if value is True else str(value) if value else "-" for value in map(row.get, _FACTS)
    )


def _method(row: Row, table: Table) -> str:
    commands = row["commands"]
    assert isinstance(commands, list)
    facts = _facts(row)
    known = commands and facts == _facts(table.commands[commands[0]])
    columns = (
        ", ".join(commands),
        _checked(row["parameters"], ", "),
        _checked([" ".join(key) for key in row["keys"]], ", "),
        _checked([" ".join(entry) for entry in row["expiry"]], ", "),
        _checked(row["flags"], " "),
        "" if known else facts,
        str(row["deprecated"]),
    )
    return _checked(columns, " | ")


def _checked(values: Iterable[str], separator: str) -> str:
    texts = list(values)
    assert not any(separator in text for text in texts), f"a value holds the separator {separator!r}: {texts}"
    return separator.join(texts)


def _usual(kind: str) -> tuple[str, str]:
    queues = kind.endswith("pipeline")
    return "self" if queues else "value", "awaitable" if kind.startswith("async-") and not queues else "plain"


def _entries(kind: str, rows: dict[str, Row], table: Table, methods: dict[str, str]) -> dict[str, str]:
    """For each method the kind that has its row, and what it hands back if that is not usual for this kind.

    A row that no earlier kind has under the same name is added to `methods`.
    """
    entries = {}
    for name, row in rows.items():
        text = _method(row, table)
        origin = next((other for other in table.kinds if methods.get(f"{other}.{name}") == text), kind)
        methods[f"{origin}.{name}"] = text
        outcome = (str(row["returns"]), str(row["async_returns"]))
        entries[name] = origin if outcome == _usual(kind) else " ".join((origin, *outcome))
    return entries


def _kind(kind: str, kinds: dict[str, dict[str, str]]) -> str:
    like = _LIKE.get(kind, "")
    base = kinds.get(like, {})
    own = {name: entry for name, entry in kinds[kind].items() if base.get(name) != entry}
    lacks = [name for name in base if name not in kinds[kind]]
    returns, async_returns = _usual(kind)
    usual = {"like": like, "returns": returns, "async_returns": async_returns, "lacks": " ".join(lacks)}
    fields = [*_pairs(usual.items()), '"methods": ' + _lines(_pairs(own.items()))]
    return f"{json.dumps(kind)}: " + _lines(fields)
