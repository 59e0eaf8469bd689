"""Looks up what is known of a method or a command in the generated `table.json`.

Law of this file: the table is read once, when first asked; a row becomes an object only when asked for.
"""

import json
from functools import cache
from pathlib import Path
from typing import TypedDict, cast

from redis_guard.commands.model import Command, Expiry, KeySource, Method, Parameter
from redis_guard.commands.terms import (
    Access,
    AsyncReturn,
    ExpiryUnit,
    Family,
    KeyShape,
    Kind,
    Lifetime,
    ParameterKind,
    Returned,
    ValueType,
)


class _Methods(TypedDict):
    """The methods of one kind: those of another, without some, with its own.

    An entry is the kind that has the row and, where that is not usual for this kind, what the method returns.
    """

    like: Kind | str
    lacks: str
    returns: Returned
    async_returns: AsyncReturn
    methods: dict[str, str]


class _Table(TypedDict):
    redis_py: str
    valkey_py: str
    server: str
    commands: dict[str, str]
    methods: dict[str, str]
    kinds: dict[str, _Methods]


class _Facts(TypedDict):
    family: Family
    access: Access
    creates: bool
    value_type: ValueType
    lifetime: Lifetime
    without_expiry: Lifetime
    since: str
    valkey_since: str


@cache
def _table() -> _Table:
    text = Path(__file__).with_name("table.json").read_bytes()
    return cast(_Table, json.loads(text))


@cache
def _entries(kind: str) -> dict[str, str]:
    of_kind = _table()["kinds"][kind]
    inherited = _entries(of_kind["like"]) if of_kind["like"] else {}
    lacks = of_kind["lacks"].split()
    return {name: entry for name, entry in inherited.items() if name not in lacks} | of_kind["methods"]


@cache
def lookup(kind: Kind, name: str) -> Method | None:
    """The method `name` of a kind of object, or None if it has none of this name."""
    entry = _entries(kind).get(name)
    if entry is None:
        return None
    origin, *outcome = entry.split()
    of_kind = _table()["kinds"][kind]
    returns, async_returns = outcome or (of_kind["returns"], of_kind["async_returns"])
    row = _table()["methods"][f"{origin}.{name}"]
    commands, parameters, keys, expiry, flags, facts, deprecated = row.split(" | ")
    sends = _split(commands)
    return Method(
        name=name,
        commands=sends,
        parameters=_parameters(_split(parameters)),
        keys=tuple(_key(text) for text in _split(keys)),
        expiry=tuple(_expiry(text) for text in _split(expiry)),
        flags=tuple(flags.split()),
        returns=cast(Returned, returns),
        async_returns=cast(AsyncReturn, async_returns),
        deprecated=deprecated,
        **_facts(facts or _table()["commands"][sends[0]]),
    )


def is_method(kind: Kind, name: str) -> bool:
    """Whether a kind of object has a method of this name."""
    return name in _entries(kind)


def method_names(kind: Kind) -> frozenset[str]:
    """The names of all methods of a kind of object, operators such as `__setitem__` among them."""
    return frozenset(_entries(kind))


@cache
def command(name: str) -> Command | None:
    """What is known of a server command, or None; case is free, a subcommand is written `CONFIG SET`."""
    row = _table()["commands"].get(name.upper())
    if row is None:
        return None
    return Command(name=name.upper(), first_key=int(row.rpartition(" ")[2]), **_facts(row))


def command_names() -> frozenset[str]:
    """The names of all commands, in capitals."""
    return frozenset(_table()["commands"])


def sources() -> str:
    """Which versions the table was made from, in one line."""
    table = _table()
    return f"redis-py {table['redis_py']}, valkey-py {table['valkey_py']}, {table['server']}"


def _split(text: str) -> tuple[str, ...]:
    return tuple(text.split(", ")) if text else ()


def _facts(text: str) -> _Facts:
    family, access, creates, value_type, lifetime, without_expiry, since, valkey_since = text.split()[:8]
    return {
        "family": cast(Family, family),
        "access": cast(Access, access),
        "creates": creates == "creates",
        "value_type": cast(ValueType, value_type),
        "lifetime": cast(Lifetime, lifetime),
        "without_expiry": cast(Lifetime, without_expiry),
        "since": since.removeprefix("-"),
        "valkey_since": valkey_since.removeprefix("-"),
    }


def _key(text: str) -> KeySource:
    parameter, shape, access = text.split()
    return KeySource(parameter, cast(KeyShape, shape), cast(Access, access))


def _expiry(text: str) -> Expiry:
    parameter, unit, of = text.split()
    return Expiry(parameter, cast(ExpiryUnit, unit), "field" if of == "field" else "key")


def _parameters(texts: tuple[str, ...]) -> tuple[Parameter, ...]:
    """Parameters from their texts in a `def`: `name`, `ex=None`, `*args`, a bare `*`, `**options`."""
    found: list[Parameter] = []
    kind: ParameterKind = "positional"
    for text in texts:
        name, equals, default = text.partition("=")
        if name.startswith("**"):
            found.append(Parameter(name[2:], "var_keyword", None))
        elif name.startswith("*"):
            kind = "keyword_only"
            if name != "*":
                found.append(Parameter(name[1:], "var_positional", None))
        else:
            found.append(Parameter(name, kind, default if equals else None))
    return tuple(found)
