"""Where a Redis is and how to log in, as a client or a URL says it.

Law of this file: of a client its address, credentials and TLS are used, never its retries, timeouts, decoding or
connections; those are the runtime's own.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from inspect import iscoroutinefunction, signature
from typing import Any, Final
from urllib.parse import urlsplit

import redis.asyncio.connection
import redis.connection

Options = Mapping[str, Any]
"""Keyword arguments of a redis-py connection."""

NOT_OURS: Final = frozenset(
    (
        *("retry", "retry_on_timeout", "retry_on_error", "health_check_interval"),
        *("socket_timeout", "socket_connect_timeout", "socket_read_size", "single_connection_client"),
        *("encoding", "encoding_errors", "decode_responses", "legacy_responses", "protocol", "parser_class"),
        *("maint_notifications_config", "maint_notifications_pool_handler", "maintenance_state"),
        *("maintenance_notification_hash", "orig_host_address", "orig_socket_timeout"),
        *("orig_socket_connect_timeout", "oss_cluster_maint_notifications_handler", "himport_registry"),
        *(
            "redis_connect_func",
            "event_dispatcher",
            "command_packer",
            "connection_pool",
            "cache",
            "cache_config",
        ),
        *(
            "response_callbacks",
            "connection_class",
            "ssl",
            "max_connections",
            "timeout",
            "queue_class",
            "host",
            "port",
        ),
        *(
            "cluster_error_retry_attempts",
            "read_from_replicas",
            "load_balancing_strategy",
            "lib_name",
            "lib_version",
        ),
    )
)

NOT_OURS_BEGIN: Final = ("cache_", "client_cache", "valkey_connect_func")
"""What valkey-py adds for itself."""

LIBRARIES: Final = ("redis.", "valkey.")


@dataclass(frozen=True, slots=True)
class Server:
    """One server; `path` of a unix socket stands instead of host and port."""

    host: str
    port: int
    path: str | None
    tls: bool
    options: Options
    kind: type[Any] | None = None
    """A connection class of the application's own."""

    def at(self, host: str, port: int) -> "Server":
        """The same way in, at another address."""
        return Server(host, port, None, self.tls, self.options, self.kind)

    def __repr__(self) -> str:
        where = self.path or f"{self.host}:{self.port}"
        return f"<Server {where}{' over TLS' if self.tls else ''}>"  # never the credentials


@dataclass(frozen=True, slots=True)
class Sentinels:
    """A master that sentinels know by name."""

    service: str
    sentinels: tuple[Server, ...]
    master: Server
    """Credentials and TLS of the master; its address is what the sentinels say."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """A cluster, known by some of its nodes."""

    seeds: tuple[Server, ...]


Origin = Server | Sentinels | Cluster


def origin_of_url(url: str) -> Origin:
    """The server that a `redis://`, `rediss://` or `unix://` URL names. Raises `ValueError`."""
    try:
        parsed = dict(redis.connection.parse_url(url))  # type: ignore[no-untyped-call]  # redis-py has no types here
    except (ValueError, TypeError, AttributeError) as error:
        raise ValueError(f"not the URL of a Redis, such as redis://host:6379/0: {error}") from None
    # redis-py takes a path that is no number for database 0.
    database = urlsplit(url).path.strip("/")
    if not url.startswith("unix:") and not re.fullmatch(r"[0-9]*", database):
        raise ValueError(
            f'the path of a redis:// URL is the number of a database, such as /0, not "/{database}"'
        )
    kind = parsed.pop("connection_class", redis.connection.Connection)
    taken = {name for base in kind.__mro__ for name in signature(base.__init__).parameters}
    unknown = [name for name in parsed if name not in taken and name not in NOT_OURS]
    if unknown:
        scheme = url.partition(":")[0]
        raise ValueError(f'a {scheme}:// URL takes no "{unknown[0]}"')
    return _server(kind, parsed)


def origin_of(client: object) -> Origin:
    """Where a redis-py client goes: `Redis`, one that sentinels manage, `RedisCluster`; sync or asyncio.

    Raises `TypeError` for anything else.
    """
    manager = getattr(client, "nodes_manager", None)
    if manager is not None:
        return _cluster(client, manager)
    pool = getattr(client, "connection_pool", None)
    options = getattr(pool, "connection_kwargs", None)
    if pool is None or options is None:
        raise TypeError(f"client must be a redis-py client, not {type(client).__name__}")
    manager = getattr(pool, "sentinel_manager", None)
    if manager is not None:
        return _sentinels(pool, manager)
    return _server(pool.connection_class, options)


def _server(kind: type[Any] | None, options: Options) -> Server:
    own = kind is not None and not kind.__module__.startswith(LIBRARIES)
    return Server(
        host=options.get("host", "localhost"),
        port=int(options.get("port", 6379)),
        path=options.get("path"),
        tls=bool(options.get("ssl")) or (kind is not None and _over_tls(kind)),
        options={name: value for name, value in options.items() if _ours(name)},
        kind=kind if own else None,
    )


def _ours(name: str) -> bool:
    return name not in NOT_OURS and not name.startswith(NOT_OURS_BEGIN)


def _over_tls(kind: type[Any]) -> bool:
    """By name: valkey-py need not be there, and its classes are not redis-py's."""
    return any(
        base.__name__ == "SSLConnection" and base.__module__.startswith(LIBRARIES) for base in kind.__mro__
    )


def _sentinels(pool: Any, manager: Any) -> Sentinels:
    sentinels = [one.connection_pool for one in manager.sentinels]
    return Sentinels(
        service=pool.service_name,
        sentinels=tuple(_server(one.connection_class, one.connection_kwargs) for one in sentinels),
        master=_server(pool.connection_class, pool.connection_kwargs),
    )


def _cluster(client: Any, manager: Any) -> Cluster:
    options = getattr(client, "connection_kwargs", None) or manager.connection_kwargs
    tls = bool(options.get("ssl")) or _over_tls(options.get("connection_class", object))
    way_in = _server(None, {**options, "ssl": tls})
    known = {**manager.startup_nodes, **manager.nodes_cache}
    seeds = [way_in.at(node.host, int(node.port)) for node in known.values()]
    if not seeds:
        raise TypeError("the cluster client knows no node; give it a host and port, or startup nodes")
    return Cluster(tuple(seeds))


def check_world(origin: Origin, *, asynchronous: bool) -> None:
    """Raise `TypeError` for a connection class of the application's own that belongs to the other world."""
    match origin:
        case Server():
            servers: tuple[Server, ...] = (origin,)
        case Sentinels(master=master, sentinels=sentinels):
            servers = (master, *sentinels)
        case Cluster(seeds=seeds):
            servers = seeds
    for kind in {server.kind for server in servers if server.kind is not None}:
        if iscoroutinefunction(kind.connect) is not asynchronous:
            wanted = "an asyncio" if asynchronous else "a synchronous"
            raise TypeError(f"{kind.__qualname__} cannot be used here: hand in {wanted} client")
