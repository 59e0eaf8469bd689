"""Pipelines: each deciding command is told of when it is executed, with its own reply."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import redis
from redis.backoff import NoBackoff
from redis.client import Pipeline
from redis.retry import Retry

from redis_guard.registry import Registry
from redis_guard.runtime.observing import observe


@pytest.fixture
def client(socket: str, registry: Registry, told: Any) -> Iterator[redis.Redis]:
    with redis.Redis(unix_socket_path=socket) as plain:
        yield observe(plain, registry, told)


@pytest.fixture(params=[True, False], ids=["transaction", "batch"])
def pipe(request: pytest.FixtureRequest, client: redis.Redis) -> Iterator[Pipeline]:
    with client.pipeline(transaction=request.param) as made:
        yield made


def test_it_is_a_pipeline_and_answers_as_one(pipe: Pipeline) -> None:
    assert isinstance(pipe, Pipeline)
    assert pipe.set("lock:mail:7", "me", nx=True, ex=30) is pipe
    assert pipe.incr("visits").get("lock:mail:7").setnx("lock:mail:7", 1).execute() == [True, 1, b"me", False]


def test_nothing_is_told_before_it_is_executed(pipe: Pipeline, told: Any) -> None:
    pipe.incr("visits").expire("visits", 600)
    assert told.lines == []

    pipe.execute()
    assert told.short() == [("visits", "counted")]


def test_each_command_is_told_with_its_own_reply(pipe: Pipeline, told: Any) -> None:
    pipe.get("session:1")
    pipe.set("lock:mail:7", "me", nx=True, ex=30)
    pipe.set("lock:mail:7", "you", nx=True, ex=30)
    pipe.get("session:2")
    pipe.set("invoice:42", "a", nx=True, get=True)
    for _ in range(3):
        pipe.incr("login:ann:tries")
    pipe.publish("flags:shop", "x")
    pipe.execute()

    assert told.lines == [
        ("lock", "batch_lock", "acquired", None, ("mail", "7")),
        ("lock", "batch_lock", "contended", None, ("mail", "7")),
        ("claim", "invoice_claim", "accepted", None, ("42",)),
        ("counter", "logins", "counted", None, ("ann",)),
        ("counter", "logins", "counted", None, ("ann",)),
        ("counter", "logins", "exceeded", None, ("ann",)),
        ("signal", "flags", "sent", None, ("shop",)),
    ]


@pytest.mark.parametrize(
    "leave", [Pipeline.reset, Pipeline.discard, lambda pipe: pipe.__exit__(None, None, None)]
)
def test_what_was_never_executed_is_never_told(
    leave: Callable[[Pipeline], object], client: redis.Redis, told: Any
) -> None:
    pipe = client.pipeline()
    pipe.incr("visits")
    leave(pipe)
    pipe.reset()
    pipe.get("session:1")
    pipe.incr("login:ann:tries")
    pipe.execute()

    assert told.short() == [("logins", "counted")]


def test_it_can_be_used_again(pipe: Pipeline, told: Any) -> None:
    for _ in range(3):
        pipe.incr("login:ann:tries")
        pipe.execute()

    assert told.short() == [("logins", "counted"), ("logins", "counted"), ("logins", "exceeded")]


def test_an_error_that_is_handed_over_is_told_at_its_place(
    pipe: Pipeline, client: redis.Redis, told: Any
) -> None:
    client.hset("login:ann:tries", "a", "b")

    replies = pipe.incr("visits").incr("login:ann:tries").setnx("invoice:42", 1).execute(raise_on_error=False)

    assert [isinstance(reply, redis.ResponseError) for reply in replies] == [False, True, False]
    assert told.lines == [
        ("counter", "visits", "counted", None, ()),
        ("counter", "logins", "error", "wrongtype", ("ann",)),
        ("claim", "invoice_claim", "accepted", None, ("42",)),
    ]


def test_an_error_that_is_raised_hides_no_other_reply(pipe: Pipeline, client: redis.Redis, told: Any) -> None:
    client.hset("login:ann:tries", "a", "b")
    pipe.incr("visits").incr("login:ann:tries").setnx("invoice:42", 1).set("lock:a:1", "me", nx=True)

    with pytest.raises(redis.ResponseError, match=r"Command # 2 \(INCRBY login:ann:tries 1\) of pipeline"):
        pipe.execute()

    assert told.short() == [
        ("visits", "counted"),
        ("logins", "error"),
        ("invoice_claim", "accepted"),
        ("batch_lock", "acquired"),
    ]


def test_a_transaction_that_the_server_refuses_fails_as_a_whole(client: redis.Redis, told: Any) -> None:
    pipe = client.pipeline(transaction=True).incr("visits").setnx("invoice:42", 1).execute_command("NOSUCH")

    with pytest.raises(redis.ResponseError):
        pipe.execute()

    assert [(line[1], line[2], line[3]) for line in told.lines] == [
        ("visits", "error", "other"),
        ("invoice_claim", "error", "other"),
    ]


def test_a_server_that_is_away_fails_every_command(registry: Registry, told: Any, tmp_path: Any) -> None:
    nowhere = redis.Redis(unix_socket_path=str(tmp_path / "none"), retry=Retry(NoBackoff(), 0))
    pipe = observe(nowhere, registry, told).pipeline().incr("visits").get("session:1").setnx("invoice:42", 1)

    with pytest.raises(redis.ConnectionError):
        pipe.execute()

    assert told.lines == [
        ("counter", "visits", "unavailable", "connection", ()),
        ("claim", "invoice_claim", "unavailable", "connection", ("42",)),
    ]


def test_after_a_watch_commands_are_told_at_once_and_after_multi_when_executed(
    client: redis.Redis, told: Any
) -> None:
    with client.pipeline() as pipe:
        pipe.watch("login:ann:tries")
        assert pipe.incr("visits") == 1
        assert told.short() == [("visits", "counted")]
        pipe.multi()
        pipe.setnx("invoice:42", 1)
        assert told.short() == [("visits", "counted")]
        assert pipe.execute() == [True]

    assert told.short() == [("visits", "counted"), ("invoice_claim", "accepted")]


def test_a_transaction_that_was_overtaken_is_told_when_it_succeeds(client: redis.Redis, told: Any) -> None:
    meddle = iter([True, False])

    def work(pipe: Pipeline) -> None:
        if next(meddle):
            client.set("seen", "x")
        pipe.multi()
        pipe.setnx("invoice:42", 1)

    assert client.transaction(work, "seen") == [True]
    assert told.short() == [("invoice_claim", "accepted")]


def test_scripts_in_a_pipeline_work_as_ever(pipe: Pipeline, client: redis.Redis, told: Any) -> None:
    script = client.register_script("return redis.call('INCR', KEYS[1])")
    script(keys=["login:ann:tries"], client=pipe)
    pipe.incr("visits")

    assert pipe.execute() == [1, 1]
    assert told.short() == [("visits", "counted")]


def test_replies_of_an_earlier_try_are_not_told(
    registry: Registry, told: Any, socket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    retrying = redis.Redis(
        unix_socket_path=socket, retry=Retry(NoBackoff(), 1), retry_on_error=[redis.ResponseError]
    )
    with observe(retrying, registry, told) as client:
        client.hset("login:ann:tries", "a", "b")
        pipe = client.pipeline(transaction=False).setnx("invoice:42", 1).incr("login:ann:tries")

        with pytest.raises(redis.ResponseError, match="WRONGTYPE"):
            pipe.execute()

    # The second try met the claim of the first.
    assert told.short() == [("invoice_claim", "duplicate"), ("logins", "error")]
