"""What calls, constructions and comparisons say of the values that go through them."""

import pytest

from redis_guard.project.model import Call, ModuleUses
from tests.project.seen import module


def only(source: str, method: str = "get") -> Call:
    found = [call for call in module(source).calls if call.method == method]
    assert len(found) == 1
    return found[0]


def one_function(body: str, head: str = "k, tok") -> ModuleUses:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return module(f"import io, pickle\ndef f({head}):\n{lines}\n")


@pytest.mark.parametrize(
    ("client", "replies"),
    [
        ("redis.Redis()", "bytes"),
        ("redis.Redis(decode_responses=True)", "text"),
        ("redis.Redis(decode_responses=False)", "bytes"),
        ("redis.Redis(decode_responses=wanted)", ""),
        ("redis.Redis(**options)", ""),
        ("redis.Redis(**options, decode_responses=True)", "text"),
        ("redis.from_url('redis://a?decode_responses=true')", "text"),
        ("redis.Redis.from_url(url)", "bytes"),
        ("redis.Redis(connection_pool=redis.ConnectionPool())", "bytes"),
        ("redis.Redis(connection_pool=redis.ConnectionPool(), decode_responses=True)", "bytes"),
        ("redis.Redis(connection_pool=redis.ConnectionPool.from_url(url, decode_responses=True))", "text"),
        ("redis.Redis(connection_pool=pool)", ""),
        ("Sentinel([]).master_for('a')", "bytes"),
        ("Sentinel([], decode_responses=True).master_for('a')", "text"),
        ("redis.Redis() if wanted else redis.Redis(decode_responses=True)", ""),
        ("redis.Redis(decode_responses=True).pipeline()", "text"),
        ("django_redis.get_redis_connection()", ""),
    ],
)
def test_whether_a_client_hands_out_bytes_or_text(client: str, replies: str) -> None:
    source = (
        "import django_redis, redis\nfrom redis.sentinel import Sentinel\n"
        f"def f(wanted, options, url, pool):\n    client = {client}\n    client.get('a')\n"
    )

    assert only(source).replies == replies


def test_a_subclass_with_a_constructor_of_its_own_hides_what_it_passes() -> None:
    source = "import redis\nclass Mine(redis.Redis):\n{body}\nMine(decode_responses=True).get('a')\n"

    assert only(source.format(body="    pass")).replies == "text"
    assert only(source.format(body="    def __init__(self, **rest): super().__init__()")).replies == ""


def test_retries_of_its_own_go_from_the_client_to_its_subscriptions() -> None:
    source = "import redis\nr = redis.Redis(retry=3)\nfor m in r.pubsub().listen(): print(m)\n"

    assert only(source, "listen").retries
    assert not only(source.replace("retry=3", ""), "listen").retries


@pytest.mark.parametrize(
    ("body", "caught", "gives_back"),
    [
        ("for m in p.listen(): print(m)", set(), False),
        ("try:\n    for m in p.listen(): print(m)\nexcept (OSError, KeyError): pass", {"OSError", "KeyError"}, False),
        ("for m in p.listen():\n    try:\n        print(m)\n    except Exception: pass", set(), False),
        ("ms = p.listen()\ntry:\n    for m in ms: print(m)\nexcept Exception: pass", {"Exception"}, False),
        ("for m in p.listen():\n    if m: return m", set(), True),
        ("for m in p.listen():\n    if m: return", set(), False),
    ],
)  # fmt: skip
def test_who_catches_what_ends_a_loop(body: str, caught: set[str], gives_back: bool) -> None:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    loop = only(f"import redis\ndef f():\n    p = redis.Redis().pubsub()\n{lines}\n", "listen").loop

    assert loop is not None
    assert (loop.caught, loop.gives_back) == (caught, gives_back)


def test_callers_catch_what_ends_a_loop_unless_they_only_start_it() -> None:
    source = (
        "import redis, threading\ndef f():\n    for m in redis.Redis().pubsub().listen(): print(m)\n"
        "def g():\n    try:\n        {call}\n    except Exception: pass\n"
    )
    for call, caught in (("f()", {"Exception"}), ("threading.Thread(target=f).start()", set())):
        loop = only(source.format(call=call), "listen").loop
        assert loop is not None
        assert loop.caught == caught


def test_the_literal_urls_of_a_client() -> None:
    source = (
        "import os, redis\ndef f(host, url='redis://a'):\n"
        "    redis.from_url(url)\n    redis.from_url(f'redis://:p@{host}')\n"
        "    redis.from_url(os.environ.get('URL', 'redis://b'))\n    redis.Redis(host, password='p')\n"
        "f('x', 'redis://c')\n"
    )

    assert [built.urls for built in module(source).constructions][1:] == [
        ("redis://a", "redis://c"),
        ("redis://:p@\0",),
        ("redis://b",),
        (),
    ]


def test_a_function_that_is_handed_along_gets_the_result() -> None:
    found = one_function("return list(map(pickle.loads, r.mget(k)))").handed

    assert "pickle.loads" in {handed.callee for handed in found}


@pytest.mark.parametrize(
    ("right", "kinds"),
    [('("a", "b")', {"str"}), ('["a", b"b"]', {"str", "bytes"}), ("NAMES", {"str"}), ("tok", set())],
)
def test_the_kinds_of_what_is_looked_through(right: str, kinds: set[str]) -> None:
    source = f"import redis\nNAMES = ('a', 'b')\nr = redis.Redis()\ndef f(tok):\n    return r.get('a') in {right}\n"
    (comparison,) = module(source).comparisons

    assert comparison.right.kinds == kinds


@pytest.mark.parametrize(
    ("left", "item"), [('m["data"]', "data"), ('m.get("data")', "data"), ("m[tok]", ""), ("m", "")]
)
def test_the_name_that_an_item_was_taken_by(left: str, item: str) -> None:
    (comparison,) = one_function(f"m = r.hgetall(k)\nreturn {left} == tok").comparisons

    assert comparison.left.item == item


@pytest.mark.parametrize(
    ("value", "way"),
    [
        ("tok.get(r.get(k))", "changed"),
        ("r.hgetall(k).get('a')", "part"),
        ("list(r.smembers(k))", "part"),
        ("io.BytesIO(r.get(k))", "converted"),
    ],
)
def test_what_carries_a_result_and_what_looks_up_by_it(value: str, way: str) -> None:
    (written,) = [call for call in one_function(f"r.set('a', {value})").calls if call.method == "set"]
    given = written.argument("value")

    assert given is not None
    assert {taken.way for taken in given.takes} == {way}
