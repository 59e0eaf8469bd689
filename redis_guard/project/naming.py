"""What a name alone says about being a client.

Law of this file: names speak last, and only for what nobody knows anything else about.
"""

import re

from redis_guard.project.kinds import is_method

_COMMON = frozenset(
    [
        "append",
        "close",
        "copy",
        "decr",
        "delete",
        "dump",
        "echo",
        "exists",
        "expire",
        "flushall",
        "flushdb",
        "get",
        "info",
        "keys",
        "lock",
        "mget",
        "monitor",
        "move",
        "mset",
        "ping",
        "pipeline",
        "publish",
        "reset",
        "save",
        "scan",
        "set",
        "shutdown",
        "sort",
        "subscribe",
        "time",
        "touch",
        "transaction",
        "type",
        "unlink",
        "wait",
        "watch",
        "incr",
        "rename",
        "client",
        "json",
        "graph",
        "role",
        "select",
        "auth",
        "execute_command",
        "restore",
        "config_get",
        "getset",
        "initialize",
        "aclose",
        "pubsub",
        "persist",
        "sync",
        "command",
        "from_url",
        "from_pool",
        "get_connection_kwargs",
        "get_encoder",
        "load_external_module",
        "migrate",
    ]
)
"""Methods of clients that other objects have too."""

_CLIENT = re.compile(
    r"(?:^|_)(?:a?redis|valkey|rds)(?:_?(?:client|clients|conn|connection|con|cli|db|server|instance|master|slave|replica|store|cache|pool|async|sync|r|c))*\d*$",
    re.IGNORECASE,
)
_MAKING = re.compile(r"^(?:get|create|make|build|new)_(?:or_create_)?")
_NOUN = re.compile(r"(?:(?:async|sync|shared|default|global|cached|my)_)*(?:a?redis|valkey|rds)")
_WRAPPER = re.compile(r"(?:pool|store|cache|db|server)s?$")
_PIPELINE = re.compile(r"(?:^|_)(?:redis_?)?pipe(?:line)?$", re.IGNORECASE)
_NOT = re.compile(
    r"(?:url|uri|host|port|key|keys|prefix|config|settings|options|name|ttl|dsn|params|kwargs|info|lib|module|error|enabled)s?$",
    re.IGNORECASE,
)
_ASYNC = re.compile(r"(?:^|_)(?:aredis|aioredis|async)", re.IGNORECASE)


def client_like(name: str) -> bool:
    """`redis`, `redis_client`, `_redis_conn`, `valkey_db`; not `redis_url`, not `Redis`."""
    plain = name.strip("_")
    if plain != plain.lower() and plain != plain.upper():
        return False  # a class
    return bool(_CLIENT.search(plain)) and not _NOT.search(plain)


def hands_out_client(function: str) -> bool:
    """`get_redis`, `create_redis_client`, `redis_connection`; not `ping_redis`, not `get_redis_pool`."""
    plain = function.strip("_")
    noun = _MAKING.sub("", plain)
    return bool(_NOUN.match(noun)) and client_like(noun) and not _WRAPPER.search(noun)


def handed_out(name: str) -> bool:
    """A name under which a package hands out a client of its own; stores and caches wrap one."""
    return client_like(name) and not _WRAPPER.search(name) and not _MAKING.match(name.strip("_"))


def pipeline_like(name: str) -> bool:
    return bool(_PIPELINE.search(name.strip("_")))


def async_like(name: str) -> bool:
    return bool(_ASYNC.search(name))


def distinctive(method: str) -> bool:
    """A method that hardly anything but a Redis client has: `hset`, `zadd`, `lpush`."""
    return method not in _COMMON and not method.startswith("_") and is_method("client", method)
