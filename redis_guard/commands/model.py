"""What the checker knows of one method of a client object and of one server command. Plain data.

Law of this file: facts only, read from the generated table; no rule and no judgement lives here.
"""

from dataclasses import dataclass
from typing import Literal

from redis_guard.commands.terms import (
    Access,
    AsyncReturn,
    ExpiryUnit,
    Family,
    KeyShape,
    Lifetime,
    ParameterKind,
    Returned,
    ValueType,
)

_STORED_AS: dict[ValueType, ValueType] = {"hyperloglog": "string", "bitmap": "string", "geo": "zset"}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a method, without `self`."""

    name: str
    kind: ParameterKind
    default: str | None
    """The default as in source (`...` for an object), or None where there is none."""


@dataclass(frozen=True, slots=True)
class KeySource:
    """A parameter that holds keys."""

    parameter: str
    shape: KeyShape
    access: Access


@dataclass(frozen=True, slots=True)
class Expiry:
    """A parameter that gives a lifetime."""

    parameter: str
    unit: ExpiryUnit
    of: Literal["key", "field"]
    """`field`: the lifetime of hash fields (HEXPIRE); the key's own is untouched."""


@dataclass(frozen=True, slots=True)
class Command:
    """One server command, a subcommand written as `CONFIG SET`.

    Source: `COMMAND INFO` and `COMMAND DOCS` of the server named by `sources()`. Family, lifetime and
    `creates` are kept by hand and tried on a running server.
    """

    name: str
    family: Family
    access: Access
    creates: bool
    """The command can create a key; false where nobody can tell (scripts)."""
    value_type: ValueType
    lifetime: Lifetime
    without_expiry: Lifetime
    """What `may-set` does when no expiry is given; otherwise equal to `lifetime`."""
    first_key: int
    """Position of the first key behind the name, counted from 1; 0 if there is none or it moves."""
    since: str
    """First version of Redis that has it; empty if none has, or if a module brings it."""
    valkey_since: str
    """First version of Valkey that has it; empty if none has, or if a module brings it."""

    @property
    def stored_as(self) -> ValueType:
        """The type the server keeps: a bitmap is a string, a geo index is a sorted set."""
        return _STORED_AS.get(self.value_type, self.value_type)


@dataclass(frozen=True, slots=True)
class Method:
    """One method of one kind of object.

    Source: the classes of redis-py (of valkey-py for what it alone has), called with sample arguments, and
    what the server says of the commands they sent.
    """

    name: str
    commands: tuple[str, ...]
    """The commands it sends, the one that counts first; empty if it sends none, or whatever it is given."""
    parameters: tuple[Parameter, ...]
    keys: tuple[KeySource, ...]
    """Also parameters that may be left out (`store` of `sort`); a lock's key stands with `lock()`."""
    family: Family
    access: Access
    """For methods that can store their answer (`sort`, `georadius`): what they do if they need not."""
    creates: bool
    """As `Command.creates`."""
    value_type: ValueType
    lifetime: Lifetime
    without_expiry: Lifetime
    """What `may-set` does when no expiry is given; otherwise equal to `lifetime`."""
    expiry: tuple[Expiry, ...]
    flags: tuple[str, ...]
    """Parameters that make the call conditional or touch the lifetime (`nx`, `gt`, `keepttl`)."""
    returns: Returned
    async_returns: AsyncReturn
    """Always `plain` for kinds that are not asyncio's, and for the queued calls of its pipelines."""
    deprecated: str
    """Who calls it deprecated, and since when (`Redis 2.6.12`, `redis-py 5.0.1`); empty if nobody does."""
    since: str
    """As `Command.since`, of the first command."""
    valkey_since: str
    """As `Command.valkey_since`, of the first command."""

    @property
    def stored_as(self) -> ValueType:
        """The type the server keeps: a bitmap is a string, a geo index is a sorted set."""
        return _STORED_AS.get(self.value_type, self.value_type)

    def parameter(self, name: str) -> Parameter | None:
        """The parameter of this name, or None."""
        return next((parameter for parameter in self.parameters if parameter.name == name), None)
