"""What a method of a Redis object gives back, where that is a Redis object again."""

from dataclasses import replace

from redis_guard.facts.model import Call, Const
from redis_guard.project import built_with, runtime
from redis_guard.project.library import CLASSES
from redis_guard.project.values import (
    NOTHING,
    Plain,
    RedisObject,
    Value,
    Values,
    Wrapped,
    one,
)

_MODULES = {
    "json": "json",
    "ft": "ft",
    "ts": "ts",
    "bf": "bf",
    "cf": "cf",
    "cms": "cms",
    "topk": "topk",
    "tdigest": "tdigest",
    "vset": "vset",
    "graph": "graph",
}
_SELF = frozenset({"__enter__", "__aenter__", "client", "initialize", "execution_context"})
_TYPES = {
    "json": "redis.commands.json.JSON",
    "ft": "redis.commands.search.Search",
    "ts": "redis.commands.timeseries.TimeSeries",
}


def argument(call: Call, position: int, name: str) -> object:
    """The constant given for an argument, `...` where it is not constant, None where it is not given."""
    for number, arg in enumerate(call.args):
        if arg.star:
            return ...
        if arg.keyword == name or (arg.keyword is None and number == position):
            return arg.value.value if isinstance(arg.value, Const) else ...
    return None


def given(owner: RedisObject, name: str, call: Call | None, via: Value) -> Values:
    """What `owner.name(…)` gives."""
    asynchronous, root = owner.asynchronous, _root(owner)

    def redis(thing: RedisObject, how: str = "") -> Values:
        return one(thing, via.grade, how or via.how)

    if owner.kind == runtime.COORDINATION:
        if name in runtime.STARTERS:
            return redis(owner)
        built = name in runtime.FACTORIES
        return redis(owner, f"{owner.type}.{name}()") if built else one(Plain(f"coordination.{name}"))
    if name in ("from_url", "from_pool", "from_settings"):
        return redis(owner, f"{owner.type}.{name}()")
    if owner.kind == "pipeline" and name not in (
        "execute",
        "watch",
        "unwatch",
        "reset",
        "close",
        "aclose",
        "discard",
    ):
        return redis(owner) if name not in ("__len__", "multi") else NOTHING
    if name in _SELF:
        return redis(owner)
    if owner.kind in ("client", "json", "ft", "ts", "bf") and name == "pipeline":
        kind = "pipeline" if owner.kind == "client" else owner.kind
        cluster = "ClusterPipeline" if owner.cluster else "Pipeline"
        module = f"{root}.cluster" if owner.cluster else f"{root}.client"
        return redis(
            RedisObject(
                kind,
                asynchronous,
                f"{module}.{cluster}",
                owner.cluster,
                _transaction(owner, call),
                options=built_with.handed_on(owner),
            ),
            via.how,
        )
    if owner.kind == "client":
        if name == "pubsub":
            pubsub = f"{root}.client.PubSub"
            return redis(
                RedisObject("pubsub", asynchronous, pubsub, options=built_with.handed_on(owner)), via.how
            )
        if name == "lock":
            return redis(RedisObject("lock", asynchronous, f"{root}.lock.Lock"), via.how)
        if name == "register_script":
            text = argument(call, 0, "script") if call is not None else None
            options = (("script", text),) if isinstance(text, str) else ()
            script = "AsyncScript" if asynchronous else "Script"
            base = root.removesuffix(".asyncio")
            return redis(
                RedisObject(
                    "script", asynchronous, f"{base}.commands.core.{script}", owner.cluster, options=options
                ),
                via.how,
            )
        if name in _MODULES:
            kind = _MODULES[name]
            return redis(RedisObject(kind, asynchronous, _TYPES.get(kind, f"redis.commands.{kind}")), via.how)
        if name in ("get_redis_connection", "get_default_node") and owner.cluster:
            return redis(replace(owner, cluster=False, type=f"{root}.client.Redis"))
        if name == "monitor":
            return redis(RedisObject("monitor", asynchronous, f"{root}.client.Monitor"))
    if owner.kind == "sentinel" and name in ("master_for", "slave_for", "replica_for"):
        client = CLASSES.get(f"{root}.Redis") or CLASSES["redis.Redis"]
        return redis(replace(client, options=built_with.of_sentinel(owner, call)), f"{name}() of a Sentinel")
    if asynchronous:
        return one(Wrapped("awaitable", one(Plain("reply"))))
    return one(Plain("reply"))


def _root(owner: RedisObject) -> str:
    base = "valkey" if owner.type.startswith("valkey") else "redis"
    return f"{base}.asyncio" if owner.asynchronous else base


def _transaction(owner: RedisObject, call: Call | None) -> bool | None:
    if call is None:
        return None
    told = argument(call, 0, "transaction")
    if told is None:
        return not owner.cluster
    return bool(told) if told is not ... else None
