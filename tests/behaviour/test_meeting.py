"""What two calls that take a key for two types do to each other: what is said, and what a server does."""

from collections.abc import Iterator

import pytest
import redis

from redis_guard.project.model import ProjectUses
from redis_guard.registry import EMPTY_REGISTRY
from redis_guard.rules.rg606_type_clash import check
from redis_guard.testing import Server
from tests.project.seen import module

CALLS = {
    "r.set('box', 1, ex=9)": "the SET throws the hash away, and the HGET fails with WRONGTYPE afterwards",
    "r.set('box', 1, ex=9, xx=True)": "the SET throws the hash away",
    "r.psetex('box', 9000, 1)": "the PSETEX throws the hash away",
    "r['box'] = 1": "the SET throws the hash away",
    "r.setnx('box', 1)": "where the hash is there the SETNX does nothing",
    "r.set('box', 1, ex=9, nx=True)": "where the hash is there the SET does nothing",
    "r.set('box', 1, ex=9, get=True)": "whichever comes second fails with WRONGTYPE",
    "r.getset('box', 1)": "whichever comes second fails with WRONGTYPE",
    "r.append('box', 'x')": "whichever comes second fails with WRONGTYPE",
    "r.get('box')": "whichever comes second fails with WRONGTYPE",
}


@pytest.fixture(scope="module")
def client() -> Iterator[redis.Redis]:
    with Server() as server, redis.Redis.from_url(server.url) as client:
        yield client


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize(("call", "said"), CALLS.items())
def test_the_message_is_true_of_these_commands(call: str, said: str, swapped: bool) -> None:
    functions = [f"def f():\n    {call}", "def g():\n    r.hget('box', 'a')"]
    source = "\n".join(reversed(functions) if swapped else functions)
    (report,) = check(ProjectUses((module(source),)), EMPTY_REGISTRY)
    assert said in report.message


@pytest.mark.parametrize(("call", "said"), CALLS.items())
def test_a_server_does_what_is_said(client: redis.Redis, call: str, said: str) -> None:
    client.delete("box")
    client.hset("box", "a", "1")
    if "WRONGTYPE" in said and "whichever" in said:
        with pytest.raises(redis.ResponseError, match="WRONGTYPE"):
            exec(call, {"r": client})
    else:
        exec(call, {"r": client})
        assert client.type("box") == (b"string" if "throws" in said else b"hash")
