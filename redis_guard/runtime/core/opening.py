"""A redis-py connection that is not open yet, of either world.

Law of this file: it speaks RESP 2, hands out bytes and retries nothing; only then are deadlines the runtime's own.
"""

from typing import Any, Final, NamedTuple

from redis.backoff import NoBackoff

from redis_guard.runtime.origin import Server


class Kinds(NamedTuple):
    """A world's connection classes, and its way to retry."""

    tcp: type[Any]
    tls: type[Any]
    unix: type[Any]
    retry: type[Any]


ALWAYS: Final = {"health_check_interval": 0, "decode_responses": False, "protocol": 2}


def unopened(server: Server, kinds: Kinds, seconds: float | None) -> Any:
    """A connection to `server`; `seconds` bounds connecting, writing and each read, None does not."""
    where: dict[str, Any] = {"host": server.host, "port": server.port}
    kind = server.kind
    if kind is None and server.path is not None:
        kind, where = kinds.unix, {}
    elif kind is None:
        kind = kinds.tls if server.tls else kinds.tcp
    connection = kind(
        **where,
        **server.options,
        **ALWAYS,
        retry=kinds.retry(NoBackoff(), 0),
        socket_timeout=seconds,
        socket_connect_timeout=seconds,
    )
    # redis-py would announce its name before it reads anything; of a server that has closed the connection with a
    # reason, it then sees the failed write instead. (The attributes are those of newer and of older versions.)
    connection.driver_info = connection.lib_name = connection.lib_version = None
    return connection
