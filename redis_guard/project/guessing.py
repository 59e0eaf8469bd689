"""Clients known by nothing but their name and the commands asked of them.

Law of this file: only where nothing else is known, and `guess = false` turns all of it off.
"""

from redis_guard.facts.model import Attr, Call, Name
from redis_guard.project.asking import Asker
from redis_guard.project.kinds import is_method
from redis_guard.project.library import OTHER_LIBRARIES, PACKAGES
from redis_guard.project.naming import async_like, client_like, handed_out, hands_out_client
from redis_guard.project.values import (
    GUESSED,
    NOTHING,
    Function,
    Library,
    RedisObject,
    Value,
    Values,
    has_redis,
    one,
)
from redis_guard.project.walk import last_name, text

_PLACES = 20
_KNOWN = frozenset({*PACKAGES, "unittest", "builtins", *OTHER_LIBRARIES})
"""Packages whose names need no guess."""


def imported(inf: Asker, path: str, symbol: str | None, found: Values) -> Values:
    """`from a.package.nobody.knows import redis_client`: a guessed client."""
    if symbol is None or not handed_out(symbol) or not _foreign(inf, path, found):
        return NOTHING
    return one(_client(symbol), GUESSED, f"{symbol} is named like a client")


def called(inf: Asker, path: str, call: Call, functions: Values) -> Values:
    """`get_redis()`, where nobody knows what it gives: a guessed client."""
    name = last_name(call.func)
    if name is None or not isinstance(call.func, (Name, Attr)) or not hands_out_client(name):
        return NOTHING
    ours = bool(functions) and all(isinstance(v.object, Function) for v in functions)
    gives = ours and all(
        any(root.use == "return" for root in inf.index.scope(v.object.ref).roots)
        for v in functions
        if isinstance(v.object, Function)
    )
    if gives or (not functions and isinstance(call.func, Attr)) or _foreign(inf, path, functions):
        return one(_client(name), GUESSED, f"{text(call.func)}() is named as if it gave a client")
    return NOTHING


def _client(name: str) -> RedisObject:
    return RedisObject("client", async_like(name), "redis.client.Redis")


def _foreign(inf: Asker, path: str, found: Values) -> bool:
    """Whether all that is known is a name in a package that is not here, and no rival library is about."""
    return (
        bool(found)
        and all(
            isinstance(v.object, Library) and v.object.name.partition(".")[0] not in _KNOWN for v in found
        )
        and not inf.index.imports(path) & OTHER_LIBRARIES
    )


def guessed(inf: Asker, path: str, scope: int, func: Attr, base: Values) -> Value | None:
    """A guessed client for `func.value`, where its name and the method speak for one."""
    name = last_name(func.value)
    if base or name is None or not isinstance(func.value, (Name, Attr)):
        return None
    if not client_like(name) or not is_method("client", func.name) or _known_otherwise(inf, name):
        return None
    return Value(_client(name), GUESSED, f"{text(func.value)} is named like a client")


def _known_otherwise(inf: Asker, name: str) -> bool:
    """Whether the project itself gives the name, at the top of a module, to something that is no client."""
    for path, number in inf.index.top_level.get(name, ())[:_PLACES]:
        if (found := inf.definition(path, 0, number)) and not has_redis(found):
            return True
    return False
