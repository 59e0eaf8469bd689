"""Clients known by nothing but their name and the commands asked of them.

Law of this file: only where nothing else is known, and `guess = false` turns all of it off.
"""

from redis_guard.facts.model import Attr, Name
from redis_guard.project.inference import Inference
from redis_guard.project.kinds import is_method
from redis_guard.project.naming import async_like, client_like
from redis_guard.project.values import GUESSED, RedisObject, Value, Values, has_redis
from redis_guard.project.walk import last_name, text

_PLACES = 20


def guessed(inf: Inference, path: str, scope: int, func: Attr, base: Values) -> Value | None:
    """A guessed client for `func.value`, where its name and the method speak for one."""
    name = last_name(func.value)
    if base or name is None or not isinstance(func.value, (Name, Attr)):
        return None
    if not client_like(name) or not is_method("client", func.name) or _known_otherwise(inf, name):
        return None
    client = RedisObject("client", async_like(name), "redis.client.Redis")
    return Value(client, GUESSED, f"{text(func.value)} is named like a client")


def _known_otherwise(inf: Inference, name: str) -> bool:
    """Whether the project itself gives the name, at the top of a module, to something that is no client."""
    for path, number in inf.index.top_level.get(name, ())[:_PLACES]:
        if (found := inf.definition(path, 0, number)) and not has_redis(found):
            return True
    return False
