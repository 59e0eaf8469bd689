"""What is seen of a program: every client leads to the test server, and nothing that it does is missed."""

import pytest

from tests.proof.bench import Bench
from tests.proof.callbacks import Callback
from tests.proof.death import Death, Manner
from tests.proof.keyspace import Initial
from tests.proof.observe import observe
from tests.proof.program import Client, Program

SYNC = """
import redis
from redis import Redis, StrictRedis
from redis.cluster import RedisCluster

def f(**given):
    r = {client}
    r.set("k", "v")
    return r.get("k")
"""
ASYNC = """
import redis.asyncio as redis
from redis.asyncio import Redis

async def f(**given):
    r = {client}
    await r.set("k", "v")
    return await r.get("k")
"""
CLIENTS = [
    "redis.Redis()",
    "redis.Redis(host='cache.example', port=7000, db=3)",
    "redis.Redis(host='cache.example', username='app', password='secret')",
    "redis.Redis(unix_socket_path='/run/redis.sock')",
    "redis.Redis(ssl=True, host='cache.example')",
    "redis.Redis(protocol=3, decode_responses=False)",
    "Redis.from_url('rediss://:secret@cache.example:7000/3')",
    "redis.from_url('unix:///run/redis.sock?db=3')",
    "redis.Redis(connection_pool=redis.ConnectionPool(host='cache.example'))",
    "redis.Redis.from_pool(redis.BlockingConnectionPool.from_url('redis://cache.example'))",
    "redis.Redis(single_connection_client=True)",
]


@pytest.mark.parametrize("client", [*CLIENTS, "StrictRedis('cache.example')"])
def test_every_blocking_client_speaks_to_the_test_server(bench: Bench, client: str) -> None:
    seen = observe(bench, Program(SYNC.format(client=client), "f"), {})
    assert seen.outcome.what == ("bytes", b"v")
    assert [command[0] for command in seen.commands] == [b"SET", b"GET"]
    assert {key for _, key in seen.after} == {b"k"}


@pytest.mark.parametrize("client", [client for client in CLIENTS if "single" not in client])
def test_every_asyncio_client_speaks_to_the_test_server(bench: Bench, client: str) -> None:
    seen = observe(bench, Program(ASYNC.format(client=client), "f"), {})
    assert seen.outcome.what == ("bytes", b"v")
    assert [command[0] for command in seen.commands] == [b"SET", b"GET"]


def test_entries_of_every_type_and_database_are_seen(bench: Bench) -> None:
    text = """
import redis

def f():
    r = redis.Redis(db=5)
    r.set("string", b"\\xff", ex=60)
    r.rpush("list", "b", "a")
    r.sadd("set", "b", "a")
    r.zadd("zset", {"b": 1, "a": 2})
    r.hset("hash", mapping={"b": 1, "a": 2})
    r.xadd("stream", {"f": 1})
    redis.Redis().set("string", "0")
"""
    after = observe(bench, Program(text, "f"), {}).after
    assert {key: entry.content for (_, key), entry in after.items() if _ == 5} == {
        b"string": ("string", b"\xff"),
        b"list": ("list", (b"b", b"a")),
        b"set": ("set", (b"a", b"b")),
        b"zset": ("zset", ((b"b", 1.0), (b"a", 2.0))),
        b"hash": ("hash", ((b"a", b"2", None), (b"b", b"1", None))),
        b"stream": ("stream", (((b"f", b"1"),),)),
    }
    assert after[(0, b"string")].value == b"0"
    assert after[(5, b"string")].deadline
    assert after[(0, b"string")].deadline is None


def test_what_lay_there_before_is_there_for_the_program_and_nothing_else(bench: Bench) -> None:
    program = Program("import redis\ndef f():\n    return redis.Redis(db=2).ttl('a')", "f")
    observe(bench, Program("import redis\ndef f():\n    redis.Redis().set('left', 1)", "f"), {})
    seen = observe(bench, program, {}, {(2, b"a"): Initial("list", ["x"], 9000)})
    assert seen.outcome.what == ("int", 9)
    assert {place: entry.content for place, entry in seen.before.items()} == {(2, b"a"): ("list", (b"x",))}
    assert seen.after == seen.before


def test_messages_and_calls_are_heard_in_order(bench: Bench) -> None:
    text = """
def f(r, job):
    r.publish("a", "1")
    job(1, x=[2])
    r.publish("b", "2")
"""
    job = Callback(commands=(("SET", "seen", 1), ("PUBLISH", "c", "3")))
    seen = observe(bench, Program(text, "f"), {"r": Client(), "job": job})
    assert seen.published == ((b"a", b"1"), (b"c", b"3"), (b"b", b"2"))
    assert len(seen.calls) == 1
    assert (0, b"seen") in seen.after
    assert [command[0] for command in seen.commands] == [b"PUBLISH", b"PUBLISH"]


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("return {b'a': [1, True]}", ("dict", ((("bytes", b"a"), ("list", (("int", 1), ("bool", True)))),))),
        ("yield 1\n    yield None", ("iterator", (("int", 1), ("NoneType", None)))),
        ("return 1.0", ("float", "1.0")),
        ("return {'b', 'a'}", ("set", (("str", "a"), ("str", "b")))),
        ("raise KeyError", ("builtins.KeyError", "")),
        ("redis.Redis().incr('list')", ("redis.exceptions.ResponseError", "WRONGTYPE")),
        ("redis.Redis().pipeline().incr('list').execute()", ("redis.exceptions.ResponseError", "WRONGTYPE")),
        ("redis.Redis().set('a', 1, ex=0)", ("redis.exceptions.ResponseError", "ERR")),
        ("redis.Redis().set('a', None)", ("redis.exceptions.DataError", "")),
    ],
)
def test_outcomes_are_told_with_their_types(bench: Bench, body: str, what: object) -> None:
    program = Program(f"import redis\ndef f():\n    {body}", "f")
    assert observe(bench, program, {}, {(0, b"list"): Initial("list", ["x"])}).outcome.what == what


def test_tokens_and_the_time_are_the_same_in_every_run(bench: Bench) -> None:
    text = (
        "import secrets, time, uuid\ndef f():\n    return uuid.uuid4().hex, secrets.token_hex(4), time.time()"
    )
    first, second = (observe(bench, Program(text, "f"), {}, clock=1e9) for _ in range(2))
    assert first.outcome == second.outcome
    assert first.outcome.what[1][2] == ("float", "1000000000.0")


LOCKED = """
import redis

r = redis.Redis()

def f(job):
    try:
        r.set("lock", 1)
        job()
    except Exception:
        r.set("caught", 1)
    finally:
        r.delete("lock")
"""


def keys_after(bench: Bench, death: Death) -> set[bytes]:
    seen = observe(
        bench, Program(LOCKED, "f"), {"job": Callback(commands=(("SET", "worked", 1),))}, death=death
    )
    assert seen.struck
    return {key for _, key in seen.after}


def test_a_killed_program_cleans_nothing_up(bench: Bench) -> None:
    assert keys_after(bench, Death(Manner.KILLED, 1)) == {b"lock"}
    assert keys_after(bench, Death(Manner.KILLED, 2)) == {b"worked"}


def test_an_interrupted_program_cleans_up_and_does_not_go_on(bench: Bench) -> None:
    assert keys_after(bench, Death(Manner.INTERRUPTED, 1)) == set()
    assert keys_after(bench, Death(Manner.INTERRUPTED, 1, unsent=True)) == set()
    assert keys_after(bench, Death(Manner.INTERRUPTED, 2, unsent=True)) == {b"lock", b"worked"}


@pytest.mark.parametrize(
    ("transaction", "there"), [(True, [0, 0, 0, 2]), (False, [1, 2])], ids=["MULTI", "no MULTI"]
)
def test_a_packet_is_torn_after_each_of_its_commands(
    bench: Bench, transaction: bool, there: list[int]
) -> None:
    text = f"""
async def f(r):
    pipe = r.pipeline(transaction={transaction})
    pipe.set("a", 1)
    pipe.set("b", 1)
    await pipe.execute()
"""
    program, inputs = Program(text, "f"), {"r": Client(asynchronous=True)}
    seen = [
        observe(bench, program, inputs, death=Death(Manner.KILLED, at)) for at in range(1, len(there) + 2)
    ]
    assert [len(one.after) for one in seen[:-1]] == there
    assert all(one.outcome.how == "crashed" for one in seen[:-1])
    assert not seen[-1].struck
