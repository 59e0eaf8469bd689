"""Which commands count, as what, and for whom."""

from collections.abc import Iterator
from typing import Any

import pytest
import redis

from redis_guard.registry import Registry
from redis_guard.runtime.observing import observe
from redis_guard.runtime.observing.observer import LONGEST_REMEMBERED


@pytest.fixture(params=[False, True], ids=["bytes", "str"])
def client(
    request: pytest.FixtureRequest, socket: str, registry: Registry, told: Any
) -> Iterator[redis.Redis]:
    with redis.Redis(unix_socket_path=socket, decode_responses=request.param) as plain:
        yield observe(plain, registry, told)


def test_set_nx_on_the_key_of_a_lock_takes_it_or_meets_another(client: redis.Redis, told: Any) -> None:
    assert client.set("lock:mail:7", "me", nx=True, ex=30) is True
    assert client.set("lock:mail:7", "you", nx=True, px=30_000) is None

    assert told.lines == [
        ("lock", "batch_lock", "acquired", None, ("mail", "7")),
        ("lock", "batch_lock", "contended", None, ("mail", "7")),
    ]
    assert told.owners == {"billing"}
    assert all(0 < seconds < 5 for seconds in told.seconds)


def test_set_nx_on_the_key_of_a_claim_is_accepted_once(client: redis.Redis, told: Any) -> None:
    client.set("invoice:42", "a", nx=True, ex=30)
    client.set("invoice:42", "b", nx=True, ex=30)
    client.setnx("invoice:43", "c")
    client.setnx("invoice:43", "d")

    assert told.lines == [
        ("claim", "invoice_claim", "accepted", None, ("42",)),
        ("claim", "invoice_claim", "duplicate", None, ("42",)),
        ("claim", "invoice_claim", "accepted", None, ("43",)),
        ("claim", "invoice_claim", "duplicate", None, ("43",)),
    ]


@pytest.mark.parametrize("stored", ["a", ""])
def test_set_nx_get_answers_nothing_when_it_has_won(stored: str, client: redis.Redis, told: Any) -> None:
    client.set("invoice:42", stored, nx=True, get=True, ex=30)
    client.set("invoice:42", "b", nx=True, get=True, ex=30)

    assert told.short() == [("invoice_claim", "accepted"), ("invoice_claim", "duplicate")]


def test_a_counter_counts_until_its_limit_is_exceeded(client: redis.Redis, told: Any) -> None:
    for _ in range(3):
        client.incr("login:ann:tries")  # redis-guard: allow[RG202] old code, which is what is observed here
        client.expire("login:ann:tries", 600)
    client.incrby("login:bob:tries", 5)
    client.incr("visits", 100)
    client.incr("coordination:queries:ann")

    assert told.lines == [
        ("counter", "logins", "counted", None, ("ann",)),
        ("counter", "logins", "counted", None, ("ann",)),
        ("counter", "logins", "exceeded", None, ("ann",)),
        ("counter", "logins", "exceeded", None, ("bob",)),
        ("counter", "visits", "counted", None, ()),
        ("counter", "queries", "counted", None, ("ann",)),
    ]


def test_set_nx_that_opens_a_counters_window_counts_nothing(client: redis.Redis, told: Any) -> None:
    client.set("login:ann:tries", 0, nx=True, ex=600)
    client.incr("login:ann:tries")

    assert told.short() == [("logins", "counted")]


def test_incr_wins_a_lock_or_a_claim_by_being_the_first(client: redis.Redis, told: Any) -> None:
    client.incr("lock:mail:7")
    client.incr("lock:mail:7")
    client.execute_command("INCRBY", "invoice:42", b"3")
    client.execute_command("INCRBY", "invoice:42", "3")

    assert told.short() == [
        ("batch_lock", "acquired"),
        ("batch_lock", "contended"),
        ("invoice_claim", "accepted"),
        ("invoice_claim", "duplicate"),
    ]


def test_publishing_on_a_channel_sends_a_signal(client: redis.Redis, told: Any) -> None:
    client.publish("flags:shop", "changed")
    # A channel is no key, and a key is no channel.
    client.publish("invoice:42", "paid")
    client.set("flags:shop", "on", nx=True)

    assert told.lines == [
        ("signal", "flags", "sent", None, ("shop",)),
        ("signal", "unregistered", "sent", None, ("invoice:42",)),
        ("claim", "unregistered", "accepted", None, ("flags:shop",)),
    ]


def test_keys_that_nobody_has_registered_are_told_with_the_whole_key(client: redis.Redis, told: Any) -> None:
    client.set("mutex:9", "me", nx=True, ex=30)
    client.incr("hits:9")

    assert told.lines == [
        ("claim", "unregistered", "accepted", None, ("mutex:9",)),
        ("counter", "unregistered", "counted", None, ("hits:9",)),
    ]
    assert told.owners == {""}


def test_other_commands_and_raw_keys_are_no_coordination(client: redis.Redis, told: Any) -> None:
    client.set("lock:mail:7", "NX", ex=30)
    client.set("lock:mail:7", "me", xx=True, ex=30)
    client.get("lock:mail:7")
    client.pexpire("lock:mail:7", 5)
    client.delete("lock:mail:7")
    client.decr("login:ann:tries")
    client.eval("return redis.call('SET', KEYS[1], 1, 'NX')", 1, "lock:mail:7")
    client.set("session:1", "x", nx=True, ex=30)
    client.incr("session:2")
    client.incr("{lock:mail:7}:fence")

    assert told.lines == []


@pytest.mark.parametrize(
    "key", ["lock:mail:7", b"lock:mail:7", bytearray(b"lock:mail:7"), memoryview(b"lock:mail:7")]
)
def test_a_key_is_known_in_every_form_it_may_be_given_in(key: Any, client: redis.Redis, told: Any) -> None:
    client.setnx(key, 1)

    assert told.lines == [("lock", "batch_lock", "acquired", None, ("mail", "7"))]


def test_a_number_is_a_key_and_what_is_no_utf_8_is_escaped(client: redis.Redis, told: Any) -> None:
    client.incr(7)
    client.setnx(b"invoice:\xff", 1)

    assert told.lines == [
        ("counter", "unregistered", "counted", None, ("7",)),
        ("claim", "invoice_claim", "accepted", None, ("\\xff",)),
    ]


def test_a_command_is_known_in_capitals_small_letters_and_bytes(client: redis.Redis, told: Any) -> None:
    client.execute_command("set", "invoice:1", "a", "ex", 5, "nx")
    client.execute_command(b"SET", "invoice:2", "a", b"NX")
    client.execute_command(b"incr", "visits")

    assert told.short() == [
        ("invoice_claim", "accepted"),
        ("invoice_claim", "accepted"),
        ("visits", "counted"),
    ]


def test_the_lock_of_redis_py_is_seen_at_each_try(client: redis.Redis, told: Any) -> None:
    with client.lock("lock:mail:7", timeout=30):
        assert client.lock("lock:mail:7", timeout=30).acquire(blocking=False) is False

    assert told.short() == [("batch_lock", "acquired"), ("batch_lock", "contended")]
    assert client.exists("lock:mail:7") == 0


def test_a_reply_that_is_an_error_is_told_by_its_class_and_raised(client: redis.Redis, told: Any) -> None:
    client.hset("login:ann:tries", "a", "b")

    with pytest.raises(redis.ResponseError, match="WRONGTYPE"):
        client.incr("login:ann:tries")

    assert told.lines == [("counter", "logins", "error", "wrongtype", ("ann",))]


def test_a_server_that_is_away_is_told_and_raised(registry: Registry, told: Any, tmp_path: Any) -> None:
    nowhere = redis.Redis(unix_socket_path=str(tmp_path / "none"), retry=None)

    with pytest.raises(redis.ConnectionError):
        observe(nowhere, registry, told).set("lock:mail:7", "me", nx=True, ex=30)

    assert told.lines == [("lock", "batch_lock", "unavailable", "connection", ("mail", "7"))]


@pytest.mark.parametrize("command", [("INCR",), ("SET", "k"), ("INCRBY", "k"), ("SET", "k", "v", "NX", "EX")])
def test_a_command_that_is_cut_short_fails_as_ever(
    command: tuple[str, ...], socket: str, client: redis.Redis
) -> None:
    with redis.Redis(unix_socket_path=socket) as plain:
        errors = []
        for each in (plain, client):
            with pytest.raises(redis.ResponseError) as caught:
                each.execute_command(*command)
            errors.append(str(caught.value))

    assert errors[0] == errors[1]


def test_use_cases_of_another_instance_are_not_this_clients(
    socket: str, registry: Registry, told: Any
) -> None:
    with redis.Redis(unix_socket_path=socket) as plain:
        observe(plain, registry, told, instance="cache").setnx("invoice:42", 1)

    assert told.lines == [("claim", "unregistered", "accepted", None, ("invoice:42",))]


def test_a_key_too_long_to_be_remembered_is_known_all_the_same(client: redis.Redis, told: Any) -> None:
    name = "x" * (LONGEST_REMEMBERED + 1)

    client.setnx(f"invoice:{name}", 1)

    assert told.lines == [("claim", "invoice_claim", "accepted", None, (name,))]
