"""Clients known by nothing but their name and the commands asked of them.

Law of this file: only where nothing else is known, and `guess = false` turns all of it off.
"""

from redis_guard.project.kinds import is_method
from redis_guard.facts.model import Attr, Name
from redis_guard.project.inference import Inference
from redis_guard.project.naming import async_like, client_like
from redis_guard.project.values import (
    GUESSED,
    ClassObject,
    Function,
    Instance,
    Library,
    LibraryInstance,
    ModuleObject,
    RedisObject,
    Value,
    Values,
)
from redis_guard.project.walk import last_name, text


def guessed(inf: Inference, path: str, scope: int, func: Attr, base: Values) -> Value | None:
    """A guessed client for `func.value`, where its name and the method speak for one."""
    name = last_name(func.value)
    if name is None or not client_like(name) or not is_method("client", func.name):
        return None
    for value in base:
        match value.object:
            case Instance() | ModuleObject() | ClassObject() | Function():
                return None
            case Library(name=library) | LibraryInstance(name=library):
                if library in ("redis", "valkey", "redis.asyncio", "aioredis") or library.startswith(
                    ("redis.", "valkey.", "aioredis.", "django.core.cache")
                ):
                    return None
    written = text(func.value)
    client = RedisObject("client", async_like(name), "redis.client.Redis")
    return Value(client, GUESSED, f"{written} is named like a client")


__all__ = ["Name", "guessed"]
