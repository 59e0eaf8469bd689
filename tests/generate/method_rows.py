"""Methods as rows of the table: what a call was seen to send, joined with the facts about what was sent.

Law of this file: a row is the same for every kind of object that shares the method; what differs by kind is
`returns` and `async_returns` (`outcomes.py`).
"""

import ast
import inspect
import textwrap
from collections.abc import Mapping

import redis

from tests.generate import method_facts
from tests.generate.command_rows import Row, UnknownFactError, command_name
from tests.generate.command_versions import DEPRECATED_SINCE
from tests.generate.method_facts import MethodFact, fact_of
from tests.generate.method_keys import keys
from tests.generate.probe import Observation
from tests.generate.receivers import Receiver
from tests.generate.server import ServerCommand


def commands_of(
    receiver: Receiver, name: str, seen: Observation | None, known: dict[str, ServerCommand]
) -> tuple[str, ...]:
    """The commands a method sends, each once."""
    fact = fact_of(receiver, name)
    if fact:
        return fact.commands
    if seen is None or not (seen.sent or seen.refused):
        why = seen.trouble if seen and seen.trouble else "it sends nothing"
        owner = receiver.owner(name)
        raise UnknownFactError(
            f"{owner.__module__}.{owner.__name__}.{name} is new and not understood ({why}): "
            "give it a fact in tests/generate/method_facts.py or arguments in tests/generate/samples.py"
        )
    return tuple(dict.fromkeys(command_name(words, known) for words in seen.sent))


def method_row(
    receiver: Receiver,
    name: str,
    seen: Observation | None,
    commands: tuple[str, ...],
    rows: Mapping[str, Row],
    client: redis.Redis,
    signature: inspect.Signature,
) -> Row:
    """Everything about a method except what differs by kind."""
    fact = fact_of(receiver, name)
    first: Row = dict(rows[commands[0]]) if commands else {}
    row: Row = {
        "commands": list(commands),
        "parameters": parameters(signature),
        "keys": [list(key) for key in fact.keys]
        if fact
        else _renamed(keys(seen, commands, str(first.get("access", "none")), client), signature),
        "family": fact.family if fact else first.get("family", "admin"),
        "deprecated": _deprecated(receiver, name, commands),
    }
    for column in ("access", "creates", "value_type", "lifetime", "without_expiry", "since", "valkey_since"):
        row[column] = first.get(
            column, {"creates": False, "since": "", "valkey_since": ""}.get(column, "none")
        )
    for column in ("access", "creates", "value_type", "lifetime"):
        by_hand = getattr(fact, column, None)
        if by_hand is not None:
            row[column] = by_hand
            if column == "lifetime":
                row["without_expiry"] = "clears" if by_hand == "may-set" else by_hand
    row["expiry"] = _expiry(name, receiver, fact, signature)
    if row["lifetime"] == "may-set" and not row["expiry"] and not fact:
        row["lifetime"] = row["without_expiry"]
    row["flags"] = _flags(row, signature)
    return row


def _renamed(held: list[list[str]], signature: inspect.Signature) -> list[list[str]]:
    """The starred parameter by its own name: a cluster client's `delete(*keys)` is a client's `delete(*names)`."""
    starred = [one.name for one in signature.parameters.values() if one.kind is one.VAR_POSITIONAL]
    return [
        [starred[0], shape, access] if shape == "many" and len(starred) == 1 else [parameter, shape, access]
        for parameter, shape, access in held
    ]


def parameters(signature: inspect.Signature) -> list[str]:
    """Each parameter as it stands in a `def`, `*` before the first that goes by keyword only."""
    found: list[str] = []
    for parameter in signature.parameters.values():
        if parameter.name == "self":
            continue
        default = "" if parameter.default is parameter.empty else f"={_source(parameter.default)}"
        if parameter.kind is parameter.KEYWORD_ONLY and not any(name.startswith("*") for name in found):
            found.append("*")
        star = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        found.append(f"{star}{parameter.name}{default}")
    return found


def _source(default: object) -> str:
    if inspect.isclass(default):
        return default.__name__
    return "..." if type(default).__module__ != "builtins" else repr(default)


def _expiry(
    name: str, receiver: Receiver, fact: MethodFact | None, signature: inspect.Signature
) -> list[list[str]]:
    if fact:
        return [[*pair, "key"] for pair in fact.expiry]
    if receiver.subject != "client":
        return []
    if name in method_facts.EXPIRY:
        return [list(triple) for triple in method_facts.EXPIRY[name]]
    of = "field" if name in method_facts.FIELD_EXPIRING else "key"
    units = method_facts.EXPIRY_NAMES
    return [[parameter, units[parameter], of] for parameter in signature.parameters if parameter in units]


def _flags(row: Row, signature: inspect.Signature) -> list[str]:
    if row["access"] not in ("write", "both"):
        return []
    names = [name for name in signature.parameters if name in method_facts.FLAG_NAMES]
    return names + (["get"] if row["commands"] == ["SET"] and "get" in signature.parameters else [])


def _deprecated(receiver: Receiver, name: str, commands: tuple[str, ...]) -> str:
    if commands and commands[0] in DEPRECATED_SINCE:
        return f"Redis {DEPRECATED_SINCE[commands[0]]}"
    function = receiver.function(name)
    if not hasattr(function, "__wrapped__"):
        return ""
    head = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(function)))).body[0]
    for decorator in getattr(head, "decorator_list", []):
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "deprecated_function":
            version = next((word.value for word in decorator.keywords if word.arg == "version"), None)
            return f"redis-py {ast.literal_eval(version)}" if version else "redis-py"
    return ""
