"""What a look-up answers, on facts that are known from the servers' and redis-py's documentation."""

import subprocess
import sys

import pytest

from redis_guard.commands import (
    REDIS_ONLY_METHODS,
    Expiry,
    KeySource,
    Kind,
    Method,
    Parameter,
    command,
    command_names,
    is_method,
    lookup,
    method_names,
    sources,
)


def known(kind: Kind, name: str) -> Method:
    method = lookup(kind, name)
    assert method is not None
    return method


def test_set_is_described_in_full() -> None:
    method = known("client", "set")
    assert method.commands == ("SET",)
    assert method.parameters[:3] == (
        Parameter("name", "positional", None),
        Parameter("value", "positional", None),
        Parameter("ex", "positional", "None"),
    )
    assert method.keys == (KeySource("name", "one", "write"),)
    assert (method.family, method.access, method.creates, method.value_type) == (
        "set",
        "write",
        True,
        "string",
    )
    assert (method.lifetime, method.without_expiry) == ("may-set", "clears")
    assert method.expiry == (
        Expiry("ex", "s", "key"),
        Expiry("px", "ms", "key"),
        Expiry("exat", "s-at", "key"),
        Expiry("pxat", "ms-at", "key"),
    )
    assert {"nx", "xx", "keepttl", "get"} <= set(method.flags)
    assert (method.returns, method.async_returns) == ("value", "plain")
    assert (method.since, method.valkey_since, method.deprecated) == ("1.0.0", "1.0.0", "")


def test_a_name_that_is_no_method_is_unknown() -> None:
    assert lookup("client", "frobnicate") is None
    assert not is_method("client", "frobnicate")
    assert not is_method("client", "_execute_command")
    assert not is_method("async-client", "__enter__")


def test_an_attribute_that_is_no_method_is_unknown() -> None:
    assert not is_method("pubsub", "subscribed")
    assert not is_method("lock", "LUA_RELEASE_SCRIPT")


@pytest.mark.parametrize(
    ("kind", "name", "keys"),
    [
        ("client", "delete", [("names", "many", "write")]),
        ("client", "mget", [("keys", "list", "read"), ("args", "many", "read")]),
        ("client", "mset", [("mapping", "mapping", "write")]),
        ("client", "xread", [("streams", "mapping", "read")]),
        ("client", "blpop", [("keys", "list", "both")]),
        ("client", "eval", [("keys_and_args", "counted", "both")]),
        ("client", "zunionstore", [("dest", "one", "write"), ("keys", "list", "read")]),
        ("client", "smove", [("src", "one", "both"), ("dst", "one", "write")]),
        ("client", "sort", [("name", "one", "read"), ("store", "one", "write")]),
        ("client", "hget", [("name", "one", "read")]),
        ("client", "__setitem__", [("name", "one", "write")]),
        ("client", "__contains__", [("names", "many", "read")]),
        ("client", "publish", []),
        ("client", "sentinel_set", []),
        ("client", "lock", [("name", "one", "none")]),
        ("client", "transaction", [("watches", "many", "read")]),
        ("script", "__call__", [("keys", "list", "both")]),
        ("json", "set", [("name", "one", "write")]),
        ("json", "mset", [("triplets", "tuples", "write")]),
        ("ts", "madd", [("ktv_tuples", "tuples", "write")]),
        ("cms", "merge", [("destKey", "one", "write"), ("srcKeys", "list", "read")]),
        ("ft", "search", []),
    ],
)
def test_keys_are_found_in_the_parameters(kind: Kind, name: str, keys: list[tuple[str, str, str]]) -> None:
    assert [(key.parameter, key.shape, key.access) for key in known(kind, name).keys] == keys


@pytest.mark.parametrize(
    ("kind", "name", "returns", "async_returns"),
    [
        ("client", "get", "value", "plain"),
        ("client", "pipeline", "pipeline", "plain"),
        ("client", "scan_iter", "iterator", "plain"),
        ("client", "from_url", "self", "plain"),
        ("client", "__enter__", "self", "plain"),
        ("client", "hello", "refused", "plain"),
        ("async-client", "get", "value", "awaitable"),
        ("async-client", "incr", "value", "awaitable"),
        ("async-client", "pipeline", "async-pipeline", "plain"),
        ("async-client", "pubsub", "async-pubsub", "plain"),
        ("async-client", "lock", "async-lock", "plain"),
        ("async-client", "register_script", "async-script", "plain"),
        ("async-client", "json", "async-json", "plain"),
        ("async-client", "ft", "async-ft", "plain"),
        ("async-client", "from_url", "self", "plain"),
        ("async-client", "scan_iter", "iterator", "async-iterator"),
        ("async-client", "bitfield", "async-bitfield", "plain"),
        ("async-client", "aclose", "value", "awaitable"),
        ("async-client", "__getitem__", "refused", "plain"),
        ("async-client", "get_encoder", "value", "plain"),
        ("cluster", "pipeline", "cluster-pipeline", "plain"),
        ("cluster", "swapdb", "refused", "plain"),
        ("async-cluster", "pipeline", "async-cluster-pipeline", "plain"),
        ("async-cluster", "delete", "value", "awaitable"),
        ("pipeline", "set", "self", "plain"),
        ("pipeline", "execute", "value", "plain"),
        ("pipeline", "json", "json", "plain"),
        ("async-pipeline", "set", "self", "plain"),
        ("async-pipeline", "execute", "value", "awaitable"),
        ("async-pipeline", "watch", "value", "awaitable"),
        ("async-pipeline", "multi", "value", "plain"),
        ("async-pipeline", "json", "json", "plain"),
        ("cluster-pipeline", "mset", "refused", "plain"),
        ("cluster-pipeline", "set", "self", "plain"),
        ("pubsub", "listen", "iterator", "plain"),
        ("async-pubsub", "listen", "iterator", "async-iterator"),
        ("async-pubsub", "subscribe", "value", "awaitable"),
        ("lock", "__enter__", "self", "plain"),
        ("async-lock", "acquire", "value", "awaitable"),
        ("async-lock", "extend", "value", "awaitable"),
        ("async-lock", "reacquire", "value", "awaitable"),
        ("async-script", "__call__", "value", "awaitable"),
        ("sentinel", "master_for", "client", "plain"),
        ("async-sentinel", "master_for", "async-client", "plain"),
        ("async-json", "set", "value", "awaitable"),
        ("async-json", "pipeline", "async-pipeline", "plain"),
        ("async-bitfield", "set", "self", "plain"),
        ("async-bitfield", "execute", "value", "awaitable"),
    ],
)
def test_what_a_call_hands_back(kind: Kind, name: str, returns: str, async_returns: str) -> None:
    method = known(kind, name)
    assert (method.returns, method.async_returns) == (returns, async_returns)


@pytest.mark.parametrize(
    ("kind", "name", "family"),
    [
        ("client", "setnx", "setnx"),
        ("client", "__setitem__", "set"),
        ("client", "incr", "counter"),
        ("client", "hincrby", "counter"),
        ("client", "xadd", "collection-write"),
        ("client", "lpop", "pop"),
        ("client", "getdel", "get-delete"),
        ("client", "unlink", "delete"),
        ("client", "pexpireat", "expire"),
        ("client", "hexpire", "field-expire"),
        ("client", "keys", "keys"),
        ("client", "flushdb", "flush"),
        ("client", "evalsha", "script"),
        ("client", "config_set", "admin"),
        ("client", "execute_command", "raw"),
        ("client", "get_encoder", "local"),
        ("pipeline", "watch", "transaction"),
        ("pipeline", "reset", "pipeline"),
        ("pubsub", "psubscribe", "subscribe"),
        ("lock", "release", "lock-release"),
        ("lock", "locked", "read"),
    ],
)
def test_families(kind: Kind, name: str, family: str) -> None:
    assert known(kind, name).family == family


def test_a_hash_field_expires_without_its_key() -> None:
    assert known("client", "hsetex").expiry[0] == Expiry("ex", "s", "field")
    assert known("client", "hsetex").lifetime == "keeps"


def test_a_method_without_expiry_parameters_has_the_lifetime_of_a_call_without() -> None:
    assert known("client", "__setitem__").lifetime == "clears"


def test_the_lock_names_its_key_and_timeout_where_it_is_built() -> None:
    method = known("client", "lock")
    assert method.expiry == (Expiry("timeout", "s", "key"),)
    assert method.parameter("timeout") == Parameter("timeout", "positional", "None")
    assert method.parameter("ttl") is None
    assert known("lock", "extend").expiry == (Expiry("additional_time", "s", "key"),)


def test_keyword_only_parameters_are_told_from_the_others() -> None:
    kinds = {parameter.name: parameter.kind for parameter in known("client", "increx").parameters}
    assert kinds == {"name": "positional"} | dict.fromkeys(list(kinds)[1:], "keyword_only")
    kinds = {parameter.name: parameter.kind for parameter in known("client", "pubsub_numsub").parameters}
    assert kinds == {"args": "var_positional", "kwargs": "var_keyword"}


def test_versions_and_deprecation() -> None:
    assert (known("client", "hexpire").since, known("client", "hexpire").valkey_since) == ("7.4.0", "9.0.0")
    assert (known("client", "delex").since, known("client", "delex").valkey_since) == ("8.4.0", "")
    assert known("client", "setex").deprecated == "Redis 2.6.12"
    assert known("async-client", "close").deprecated == "redis-py 5.0.1"


def test_valkey_py_methods_that_redis_py_lacks_are_known() -> None:
    assert is_method("client", "tfcall")


def test_the_type_the_server_keeps() -> None:
    assert known("client", "setbit").stored_as == "string"
    assert known("client", "geoadd").stored_as == "zset"
    assert known("client", "hset").stored_as == "hash"


def test_commands_are_found_by_name_in_any_case() -> None:
    incr = command("incr")
    assert incr is not None
    assert (incr.family, incr.creates, incr.lifetime, incr.first_key) == ("counter", True, "keeps", 1)
    assert command("CONFIG SET") is not None
    assert command("NO SUCH") is None
    assert "EXPIRE" in command_names()


def test_every_command_a_method_sends_is_a_known_command() -> None:
    for kind in ("client", "async-cluster", "pubsub", "lock", "json", "ft", "ts", "vset"):
        for name in method_names(kind):
            assert set(known(kind, name).commands) <= command_names()


def test_redis_only_names_are_methods() -> None:
    missing = {
        name for name in REDIS_ONLY_METHODS if not (is_method("client", name) or is_method("pubsub", name))
    }
    assert not missing


@pytest.mark.parametrize(
    "name", ["hset", "zadd", "setex", "sismember", "pexpire", "hgetall", "lpush", "brpop", "xadd"]
)
def test_names_that_speak_for_redis(name: str) -> None:
    assert name in REDIS_ONLY_METHODS


@pytest.mark.parametrize(
    "name",
    [
        *[
            "get",
            "set",
            "keys",
            "delete",
            "exists",
            "append",
            "close",
            "execute",
            "publish",
            "expire",
            "scan",
            "incr",
            "info",
            "lock",
            "zscore",
            "xrange",
            "mget",
            "ltrim",
            "execute_command",
        ]
    ],
)
def test_names_that_other_libraries_have_do_not_speak_for_redis(name: str) -> None:
    assert name not in REDIS_ONLY_METHODS


def test_the_table_says_what_it_was_made_from() -> None:
    assert sources().startswith("redis-py ")


def test_a_look_up_imports_neither_redis_nor_valkey() -> None:
    code = (
        "import sys; from redis_guard.commands import lookup; lookup('client', 'set');"
        "print(sorted({'redis', 'valkey', 'libcst'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_cluster_client_names_the_keys_it_deletes_in_its_own_way() -> None:
    for kind in ("client", "cluster"):
        method = lookup(kind, "delete")
        assert method is not None
        assert [source.parameter for source in method.keys] == [one.name for one in method.parameters]
