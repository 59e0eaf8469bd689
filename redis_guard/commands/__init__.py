"""What redis-py's methods send, do to a key and its lifetime, and hand back: one generated table.

Law of this package: standard library only; neither redis-py nor a server is needed to read the table.
"""

from redis_guard.commands.model import Command, Expiry, KeySource, Method, Parameter
from redis_guard.commands.names import REDIS_ONLY_METHODS
from redis_guard.commands.table import command, command_names, is_method, lookup, method_names, sources
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

__all__ = [
    "REDIS_ONLY_METHODS",
    "Access",
    "AsyncReturn",
    "Command",
    "Expiry",
    "ExpiryUnit",
    "Family",
    "KeyShape",
    "KeySource",
    "Kind",
    "Lifetime",
    "Method",
    "Parameter",
    "ParameterKind",
    "Returned",
    "ValueType",
    "command",
    "command_names",
    "is_method",
    "lookup",
    "method_names",
    "sources",
]
