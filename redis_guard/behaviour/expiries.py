"""Where lifetimes are given, and the words for it.

Law of this file: a lifetime that a star may hide, or that has another meaning in its call, is not one here.
"""

from collections.abc import Iterator
from typing import NamedTuple

from redis_guard.behaviour.telling import named
from redis_guard.project.model import Call, Construction, Lifetime, ModuleUses, Unit
from redis_guard.registry import Registry

RAISING = frozenset({"setex", "psetex", "restore"})
"""Writes whose lifetime is no option: None in its place raises DataError (redis-py 8.1)."""

_KEYWORDS: dict[Unit, str] = {"s": "ex", "ms": "px", "s-at": "exat", "ms-at": "pxat"}
_EXPIRE: dict[Unit, str] = {"s": "expire", "ms": "pexpire", "s-at": "expireat", "ms-at": "pexpireat"}
_UNITS: dict[Unit, str] = {
    "s": "seconds",
    "ms": "milliseconds",
    "s-at": "a Unix time in seconds",
    "ms-at": "a Unix time in milliseconds",
}


class Expiry(NamedTuple):
    """One lifetime that is given, and the call or lock that it is given to."""

    where: Call | Construction
    lifetime: Lifetime


def expiries(module: ModuleUses) -> Iterator[Expiry]:
    """Every lifetime given in a file, those of locks among them."""
    for call in module.calls:
        if call.method == "restore" and call.argument("absttl") is not None:
            continue
        for lifetime in call.lifetimes:
            yield Expiry(call, lifetime)
    for built in module.constructions:
        timeout = built.argument("timeout") if built.kind == "lock" else None
        if timeout is not None:
            yield Expiry(built, Lifetime("timeout", "s", timeout, False))


def is_lock(where: Call | Construction) -> bool:
    return isinstance(where, Construction) or where.kind == "lock" or family(where) == "lock"


def family(where: Call | Construction) -> str:
    """The family of the method; empty where the command table does not know it."""
    return where.facts.family if isinstance(where, Call) and where.facts is not None else ""


def written(where: Call | Construction, lifetime: Lifetime) -> str:
    """The lifetime as a reader finds it in the call: `ex=ttl`, `expire(…, ttl)`."""
    if isinstance(where, Construction):
        return f"timeout={lifetime.argument.text}"
    if lifetime.parameter in _KEYWORDS.values() or is_lock(where):
        return f"{lifetime.parameter}={lifetime.argument.text}"
    return f"{where.method}(…, {lifetime.argument.text})"


def takes(where: Call | Construction, lifetime: Lifetime) -> str:
    """`ex takes seconds`, `expire() takes seconds`."""
    keyword = isinstance(where, Construction) or lifetime.parameter in _KEYWORDS.values() or is_lock(where)
    name = lifetime.parameter if keyword or isinstance(where, Construction) else f"{where.method}()"
    return f"{name} takes {_UNITS[lifetime.unit]}"


def instead(where: Call | Construction, unit: Unit) -> str | None:
    """What takes a lifetime of another unit in the place of this call; None for locks."""
    if is_lock(where) or isinstance(where, Construction):
        return None
    if where.method in ("setex", "psetex"):
        return f"set(…, {_KEYWORDS[unit]}=…)"
    if family(where) in ("expire", "field-expire"):
        return f"{'h' if where.method.startswith('h') else ''}{_EXPIRE[unit]}()"
    return f"{_KEYWORDS[unit]}=" if where.method != "restore" else None


def subject(where: Call | Construction, registry: Registry) -> str:
    """The key by name, with the registered entry that it belongs to."""
    key = None if isinstance(where, Construction) else where.key
    return named(key, registry, "the lock" if is_lock(where) else "the key")
