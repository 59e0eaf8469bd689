"""Code before and after its fix does the same on a server; and the fixed code never leaves a key without a lifetime."""

import contextlib
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import redis

from redis_guard.testing import Server
from tests.repairs.conftest import CLIENT, Mended

Mend = Callable[..., Mended]

SAFE = [
    ("RG201", "r.set(k, v)\nr.expire(k, 60)"),
    ("RG201", "ok = r.set(k, v)\nr.expire(k, 24 * 61)\nreturn ok"),
    ("RG201", "r[k] = v\nr.pexpire(k, 60_000)\nreturn r.get(k)"),
    ("RG201", "if r.set(k, v):\n    r.expire(k, 60)\n    return x"),
    ("RG201", "return r.set(k, v) and r.expire(k, 60)"),
    ("RG201", "r.set(k, v)\nr.expire(k, timedelta(minutes=1))"),
    ("RG201", "r.set(k, v)\nr.expire(k, 60, nx=True)"),
    ("RG201", "if x:\n    r.set(k, v)\nr.expire(k, 60)\nreturn r.get(k)"),
    ("RG203", "if r.setnx(k, v):\n    r.expire(k, 60)\n    return True\nreturn False"),
    ("RG203", "if not r.setnx(k, v):\n    return False\nr.expire(k, 60)\nreturn True"),
    ("RG203", "if r.setnx(k, v):\n    r.expire(k, 60)\nelse:\n    return 'lost'"),
    ("RG203", "if not r.setnx(k, v):\n    return 'lost'\nelse:\n    r.expire(k, 60)"),
    ("RG203", "if x and r.setnx(k, v):\n    r.expire(k, 60)\n    return 1\nreturn 2"),
    ("RG203", "if x or not r.setnx(k, v):\n    return 1\nr.expire(k, 60)\nreturn 2"),
    ("RG203", "won = r.setnx(k, v)\nif won:\n    r.expire(k, 60)\n    return 1\nreturn 1 if won else 2"),
    ("RG203", "won = r.set(k, v, nx=True)\nif won is not None:\n    r.expire(k, 60)\nreturn won"),
    (
        "RG203",
        "if r.setnx(k, v) == 1:\n    r.expire(k, 60)\n    return x",
    ),
    ("RG203", "if r.setnx(k, v) and r.expire(k, 60) and x:\n    return 1\nreturn 2"),
    ("RG405", "if r.expire(k, 0):\n    return 1\nreturn 2"),
    ("RG405", "r.expire(k, -1)"),
]
UNSAFE = [
    ("RG201", "r.set(k, v)\nx = str(x)\nr.expire(k, 60)\nreturn x"),
    ("RG201", "old = r.getset(k, v)\nr.expire(k, 60)\nreturn old"),
    ("RG201", "r.set(k, v)\nr.expire(k, 45 if x else 65)"),
    ("RG201", "r.set(k, v)\nr.expireat(k, int(time.time()) + 60)"),
    ("RG201", "try:\n    r.set(k, v)\nexcept ValueError:\n    return x\nr.expire(k, 60)"),
    ("RG201", "r.set(k, v)\ntry:\n    r.expire(k, 60)\n    x = 1\nexcept ValueError:\n    return x"),
    ("RG201", "r.set(k, v)\nif x:\n    r.expire(k, 45)\nelse:\n    r.expire(k, v and 85)"),
    ("RG201", "r.execute_command('SET', k, v)\nr.execute_command('EXPIRE', k, 60)"),
    ("RG203", "won = r.setnx(k, v)\nif won:\n    r.expire(k, 60)\nreturn won"),
    ("RG203", "return r.setnx(k, v) and r.expire(k, 60)"),
    ("RG203", "if won := r.setnx(k, v):\n    r.expire(k, 60)\nreturn won"),
    ("RG203", "won = r.setnx(k, v)\nx = not x\nif not won:\n    return won\nr.expire(k, 60)\nreturn won"),
    ("RG405", "return r.expire(k, -1)"),
]
HEAD = f"import time\nfrom datetime import timedelta\n\n{CLIENT}"
GRAIN = 20
"""Seconds: lifetimes that differ by less are one to the eye. All in use here are far from where one rounds."""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as server:
        yield server


class Dying(redis.Redis):
    """A client whose process dies before it sends its nth command."""

    left = 1_000_000

    def execute_command(self, *args: Any, **options: Any) -> Any:
        self.left -= 1
        if self.left < 0:
            raise SystemExit
        return super().execute_command(*args, **options)


def function(text: str, client: redis.Redis) -> Callable[..., object]:
    names: dict[str, Any] = {}
    exec(compile(text, "main.py", "exec"), names)
    names["r"] = client
    f = names["f"]
    assert callable(f)
    return f


def program(body: str) -> str:
    return f"def f(k, v, x):\n{textwrap.indent(body, '    ')}\n"


def states(client: redis.Redis) -> Iterator[None]:
    """No key, one without a lifetime, one with, one of another type."""
    client.flushdb()
    yield
    client.flushdb()
    client.set("k", "old")
    yield
    client.flushdb()
    client.set("k", "old", ex=1000)
    yield
    client.flushdb()
    client.rpush("k", "old")
    yield


def seen(client: redis.Redis, f: Callable[..., object], x: object) -> list[object]:
    """What a call answers and leaves behind, from every state."""
    found: list[object] = []
    for _ in states(client):
        try:
            answer: object = f("k", "new", x)
        except redis.RedisError as error:
            answer = type(error)
        ttl = client.ttl("k")
        found.append((type(answer), answer, client.type("k"), ttl if ttl < 0 else round(ttl / GRAIN)))
    return found


@pytest.mark.parametrize(
    ("rule", "body", "safety"),
    [(*each, "safe") for each in SAFE] + [(*each, "unsafe") for each in UNSAFE],
)
@pytest.mark.parametrize("x", [True, False])
def test_a_fix_keeps_what_is_answered_and_left_behind(
    mend: Mend, server: Server, rule: str, body: str, safety: str, x: bool
) -> None:
    mended = mend(program(body), rule, head=HEAD)
    assert mended.safety == [safety]
    client = server.connect()
    before = seen(client, function(mended.before, client), x)
    assert seen(client, function(HEAD + mended.text, client), x) == before


@pytest.mark.parametrize(("rule", "body"), [each for each in SAFE + UNSAFE if each[0] in ("RG201", "RG203")])
def test_whoever_dies_in_fixed_code_leaves_no_key_for_ever(
    mend: Mend, server: Server, rule: str, body: str
) -> None:
    mended = mend(program(body), rule, head=HEAD)
    client = server.connect()
    dying = Dying.from_url(server.url)
    for commands in range(4):
        client.flushdb()
        dying.left = commands
        with contextlib.suppress(SystemExit):
            function(HEAD + mended.text, dying)("k", "new", True)
        assert client.ttl("k") != -1


def test_code_that_is_not_fixed_leaves_one(server: Server) -> None:
    client, dying = server.connect(), Dying.from_url(server.url)
    client.flushdb()
    dying.left = 1
    with pytest.raises(SystemExit):
        function(HEAD + program(SAFE[0][1]), dying)("k", "new", True)
    assert client.ttl("k") == -1
