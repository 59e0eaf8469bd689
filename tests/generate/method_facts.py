"""Facts about methods that no call shows: those that send nothing, several commands, or what they are given.

Law of this file: everything else a method is known by comes from the command it was seen to send.
"""

from dataclasses import dataclass

from tests.generate.receivers import Receiver


@dataclass(frozen=True, slots=True)
class MethodFact:
    """What replaces or completes what was seen of a method. None means: as the first command has it."""

    family: str
    commands: tuple[str, ...] = ()
    keys: tuple[tuple[str, str, str], ...] = ()
    """Parameter, shape and access of each key."""
    access: str | None = None
    creates: bool | None = None
    value_type: str | None = None
    lifetime: str | None = None
    expiry: tuple[tuple[str, str], ...] = ()
    """Parameter and unit."""
    returns: str = "value"
    awaitable: bool = False
    """On asyncio's kinds an awaitable comes back, though neither the function nor its annotation says so."""


def _all(names: str, fact: MethodFact) -> dict[str, MethodFact]:
    return dict.fromkeys(names.split(), fact)


_LOCAL = MethodFact("local")
_SELF = MethodFact("local", returns="self")
_NAME = (("name", "one", "write"),)

_CLIENT = {
    **_all(
        """
        get_encoder get_connection_kwargs get_retry set_retry set_response_callback load_external_module
        get_cache digest_local parse_response flush_cache delete_command_from_cache
        invalidate_key_from_cache himport_discard himport_discard_all himport_prepare annotate_exception
        raise_first_error load_scripts determine_slot keyslot on_connect get_default_node get_node
        get_node_from_key get_nodes get_nodes_from_slot get_primaries get_replicas get_random_node
        get_random_primary_node get_random_primary_or_all_nodes get_special_nodes set_default_node
        replace_default_node script_load_for_pipeline send_cluster_commands
        """,
        _LOCAL,
    ),
    **_all("from_url from_pool client initialize __enter__ __aenter__", MethodFact("client", returns="self")),
    **_all("close aclose disconnect_connection_pools", MethodFact("client")),
    **_all("get_redis_connection get_valkey_connection", MethodFact("client", returns="client")),
    **{
        name: MethodFact("module", returns=name)
        for name in ["json", "ft", "ts", "bf", "cf", "cms", "topk", "tdigest", "vset"]
    },
    "graph": MethodFact("module"),
    "pipeline": MethodFact("pipeline", returns="pipeline"),
    "execute": MethodFact("pipeline", ("EXEC",)),
    "reset": MethodFact("connection", ("RESET",), awaitable=True),
    "multi": MethodFact("transaction", ("MULTI",)),
    "discard": MethodFact("transaction", ("DISCARD",)),
    "watch": MethodFact("transaction", ("WATCH",), (("names", "many", "read"),)),
    "unwatch": MethodFact("transaction", ("UNWATCH",)),
    "transaction": MethodFact("transaction", ("WATCH", "MULTI", "EXEC"), (("watches", "many", "read"),)),
    "pubsub": MethodFact("pubsub", returns="pubsub"),
    "keyspace_notifications": MethodFact("pubsub"),
    "monitor": MethodFact("admin", ("MONITOR",), returns="monitor"),
    "register_script": MethodFact("script", returns="script"),
    "lock": MethodFact(
        "lock",
        (),
        (("name", "one", "none"),),
        value_type="string",
        expiry=(("timeout", "s"),),
        returns="lock",
    ),
    "bitfield": MethodFact("local", (), (("key", "one", "none"),), value_type="bitmap", returns="bitfield"),
    "execute_command": MethodFact("raw", access="both", lifetime="unknown"),
    "immediate_execute_command": MethodFact("raw", access="both", lifetime="unknown"),
    "pipeline_execute_command": MethodFact("raw", access="both", lifetime="unknown"),
    "mget_nonatomic": MethodFact("read", ("MGET",), (("keys", "list", "read"), ("args", "many", "read"))),
    "mset_nonatomic": MethodFact("set", ("MSET",), (("mapping", "mapping", "write"),)),
    "sentinel": MethodFact("admin", ("SENTINEL",)),
    "cluster": MethodFact("admin"),
    "script": MethodFact("admin"),
    "config": MethodFact("admin"),
    "slowlog": MethodFact("admin"),
}

_QUEUE = {
    **_all("reset close aclose", MethodFact("pipeline")),
    **_all("__enter__ __aenter__", MethodFact("pipeline", returns="self")),
}
"""What differs on pipelines."""

_PUBSUB = {
    **_all(
        """
        check_health clean_health_check_responses close aclose disconnect connect get_pubsub_node
        set_pubsub_node handle_message is_health_check_response on_connect on_slots_changed parse_response
        reset reinitialize_shard_subscriptions
        """,
        _LOCAL,
    ),
    **_all("__enter__ __aenter__", _SELF),
    **_all("get_redis_connection get_valkey_connection", MethodFact("client")),
    **_all("get_message get_sharded_message run run_in_thread listen", MethodFact("pubsub")),
    **{
        name: MethodFact("subscribe", (name.upper(),))
        for name in ["subscribe", "unsubscribe", "psubscribe", "punsubscribe", "ssubscribe", "sunsubscribe"]
    },
    "ping": MethodFact("connection", ("PING",)),
    "execute_command": MethodFact("raw", access="none", lifetime="none"),
}

_ACQUIRE = MethodFact("lock-acquire", ("SET",), lifetime="may-set")
_RELEASE = MethodFact("lock-release", ("EVALSHA",), value_type="string", lifetime="ends")
_REACQUIRE = MethodFact("lock-extend", ("EVALSHA",), value_type="string", lifetime="sets")
_EXTEND = MethodFact(
    "lock-extend", ("EVALSHA",), value_type="string", lifetime="sets", expiry=(("additional_time", "s"),)
)
_LOCK = {
    **_all("acquire do_acquire", _ACQUIRE),
    **_all("__enter__ __aenter__", MethodFact("lock-acquire", ("SET",), lifetime="may-set", returns="self")),
    **_all("release do_release", _RELEASE),
    **_all("extend do_extend", _EXTEND),
    **_all("reacquire do_reacquire", _REACQUIRE),
    **_all("locked owned", MethodFact("read", ("GET",))),
    "register_scripts": _LOCAL,
}

_SENTINEL = {
    **_all("check_master_state filter_replicas filter_slaves close aclose", _LOCAL),
    **_all("__enter__ __aenter__", _SELF),
    "discover_master": MethodFact("admin", ("SENTINEL MASTERS",)),
    **_all("discover_replicas discover_slaves", MethodFact("admin", ("SENTINEL SLAVES",))),
    **_all("master_for replica_for slave_for", MethodFact("client", returns="client")),
    "sentinel": MethodFact("admin", ("SENTINEL",)),
    "execute_command": MethodFact("raw", access="none", lifetime="none"),
}

_BLOOM_INTERNALS = """
    append_bucket_size append_capacity append_error append_expansion append_items
    append_items_and_increments append_max_iterations append_no_create append_no_scale
    append_values_and_weights append_weights
"""

METHODS: dict[str, dict[str, MethodFact]] = {
    "client": _CLIENT,
    "pubsub": _PUBSUB,
    "lock": _LOCK,
    "script": {
        "__call__": MethodFact("script", ("EVALSHA",), (("keys", "list", "both"),)),
        "get_encoder": _LOCAL,
    },
    "sentinel": _SENTINEL,
    "monitor": {
        **_all("__enter__ __aenter__", _SELF),
        **_all("connect listen next_command", MethodFact("admin", ("MONITOR",))),
    },
    "bitfield": {
        **_all("get set incrby overflow", _SELF),
        "reset": _LOCAL,
        "execute": MethodFact("string-edit", ("BITFIELD",), awaitable=True),
    },
    "json": {
        "pipeline": MethodFact("pipeline", returns="pipeline"),
        "set_path": MethodFact("collection-write", ("JSON.SET",)),
        "set_file": MethodFact("collection-write", ("JSON.SET",), _NAME),
        "jsonset": MethodFact("collection-write", ("JSON.SET",), awaitable=True),
        "jsonget": MethodFact("read", ("JSON.GET",), awaitable=True),
        "jsonmget": MethodFact("read", ("JSON.MGET",), awaitable=True),
    },
    "ft": {
        "pipeline": MethodFact("pipeline", returns="pipeline"),
        **_all("get_params_args batch_indexer", _LOCAL),
        **{
            name: MethodFact("index", (command,), awaitable=True)
            for name, command in (("create_index", "FT.CREATE"), ("alter_schema_add", "FT.ALTER"))
        },
        **{
            name: MethodFact("read", (command,), awaitable=True)
            for name, command in (
                ("aggregate", "FT.AGGREGATE"),
                ("hybrid_search", "FT.HYBRID"),
                ("profile", "FT.PROFILE"),
            )
        },
        "sugadd": MethodFact("collection-write", ("FT.SUGADD",), (("key", "one", "write"),)),
    },
    "ts": {"pipeline": MethodFact("pipeline", returns="pipeline")},
    **{kind: _all(_BLOOM_INTERNALS, _LOCAL) for kind in ("bf", "cf", "cms", "topk", "tdigest")},
    "vset": {
        "execute_command": MethodFact("raw", access="both", lifetime="unknown", awaitable=True),
    },
}
"""By what kinds have in common (`Receiver.subject`) and name; a sentinel's commands are the client's."""

EXPIRY = {
    "setex": (("time", "s", "key"),),
    "psetex": (("time_ms", "ms", "key"),),
    "expire": (("time", "s", "key"),),
    "pexpire": (("time", "ms", "key"),),
    "expireat": (("when", "s-at", "key"),),
    "pexpireat": (("when", "ms-at", "key"),),
    "restore": (("ttl", "ms", "key"),),
    "hexpire": (("seconds", "s", "field"),),
    "hpexpire": (("milliseconds", "ms", "field"),),
    "hexpireat": (("unix_time_seconds", "s-at", "field"),),
    "hpexpireat": (("unix_time_milliseconds", "ms-at", "field"),),
}
"""Parameter, unit and what expires, for client methods whose parameters are not named as below."""

EXPIRY_NAMES = {"ex": "s", "px": "ms", "exat": "s-at", "pxat": "ms-at"}
FLAG_NAMES = (
    "nx", "xx", "gt", "lt", "keepttl", "persist", "enx", "ifeq", "ifne", "ifdeq", "ifdne",
    "data_persist_option", "nomkstream", "mkstream", "replace", "absttl",
)  # fmt: skip
FIELD_EXPIRING = ("hsetex", "hgetex")


def fact_of(receiver: Receiver, name: str) -> MethodFact | None:
    """What is known of a method by hand."""
    queued = _QUEUE.get(name) if receiver.queues else None
    return queued or METHODS.get(receiver.subject, {}).get(name)
