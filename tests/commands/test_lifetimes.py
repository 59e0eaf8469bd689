"""The facts kept by hand, tried on a server: a key with 100 seconds to live, a call, and what is left."""

import time
from collections.abc import Collection

import pytest
import redis

from redis_guard.commands import Expiry, Method, command_names, lookup, method_names
from tests.commands.lifetime_cases import CASES, MAKE, UNTRIED, Case

pytestmark = pytest.mark.filterwarnings(
    "ignore:Call to deprecated:DeprecationWarning"
)  # setex is tried as well


def known(name: str) -> Method:
    method = lookup("client", name)
    assert method is not None
    return method


def call(client: redis.Redis, name: str, case: Case, **more: object) -> None:
    """Make the sources, fill in what is only known now, and call."""
    for key in case.sources:
        make(client, known(name), key)
    client.set("t", "1")
    filled = {
        "<now+50 s>": in_50_seconds("s-at"),
        "<now+50 ms>": in_50_seconds("ms-at"),
        "<dump>": client.dump("t"),
    }
    args = tuple(filled.get(arg, arg) if isinstance(arg, str) else arg for arg in case.args)
    getattr(client, name)(*args, **case.options, **more)


def in_50_seconds(unit: str) -> int:
    """What says "50 seconds from now" in a unit."""
    start = time.time() if unit.endswith("-at") else 0
    return int((start + 50) * (1000 if unit.startswith("ms") else 1))


def make(client: redis.Redis, method: Method, key: str) -> None:
    """A key of the type the method works on."""
    MAKE[method.value_type](client, key)


def outcome(client: redis.Redis, key: str = "k") -> str:
    """What became of a key that had 100 seconds to live."""
    left = client.ttl(key)
    if left == -2:
        return "ends"
    if left == -1:
        return "clears"
    return "keeps" if left > 90 else "sets"


def skip_unless_served(served: Collection[str], name: str) -> None:
    """Skip a method that this redis-py, or whose command this server, lacks."""
    if known(name).commands[0] not in served or not hasattr(redis.Redis, name):
        pytest.skip(f"the server has no {known(name).commands[0]}, or redis-py no {name}")


def test_every_method_that_writes_is_tried_or_named(served: Collection[str]) -> None:
    writing = {name for name in method_names("client") if known(name).lifetime not in ("none", "unknown")}
    assert CASES.keys() | UNTRIED.keys() <= writing
    assert {name for name in writing if known(name).commands[0] in served} <= CASES.keys() | UNTRIED.keys()


@pytest.mark.parametrize("name", sorted(name for name in CASES if not CASES[name].absent))
def test_what_becomes_of_the_lifetime(client: redis.Redis, served: Collection[str], name: str) -> None:
    skip_unless_served(served, name)
    method = known(name)
    make(client, method, "k")
    client.expire("k", 100)
    call(client, name, CASES[name])
    if method.lifetime == "moves":
        assert outcome(client, "k") in ("ends", "keeps")
        assert outcome(client, "d") == "keeps" or name == "move"
    else:
        assert outcome(client) == {"removes": "clears"}.get(method.lifetime, method.without_expiry)


@pytest.mark.parametrize("name", sorted(name for name in CASES if CASES[name].absent))
def test_a_call_that_needs_the_key_absent_leaves_it_without_lifetime(client: redis.Redis, name: str) -> None:
    call(client, name, CASES[name])
    assert (known(name).lifetime, outcome(client)) == ("clears", "clears")
    client.expire("k", 100)
    call(client, name, CASES[name])
    assert outcome(client) == "keeps", "a call that finds the key does nothing"


EXPIRIES = [(name, expiry) for name in sorted(CASES) for expiry in known(name).expiry]


@pytest.mark.parametrize(("name", "expiry"), EXPIRIES, ids=lambda value: getattr(value, "parameter", value))
def test_an_expiry_is_counted_in_its_unit(
    client: redis.Redis, served: Collection[str], name: str, expiry: Expiry
) -> None:
    skip_unless_served(served, name)
    make(client, known(name), "k")
    case = CASES[name]
    if any(parameter.name == expiry.parameter and parameter.default for parameter in known(name).parameters):
        case = Case(case.args, {expiry.parameter: in_50_seconds(expiry.unit)})
    call(client, name, case)
    left = (
        client.execute_command("HPTTL", "k", "FIELDS", 1, "f")[0]
        if expiry.of == "field"
        else client.pttl("k")
    )
    assert 48_000 < left <= 50_000


@pytest.mark.parametrize("name", sorted(CASES))
def test_whether_a_call_can_create_the_key(client: redis.Redis, served: Collection[str], name: str) -> None:
    skip_unless_served(served, name)
    method = known(name)
    written = "k"
    if method.lifetime == "moves":
        make(client, method, "k")
        written = "d"
    try:
        call(client, name, CASES[name])
    except redis.ResponseError:
        created = False  # as LSET, which wants the key to be there
    else:
        created = client.exists(written) == 1
    assert created == method.creates


def test_every_command_the_server_knows_is_in_the_table(served: Collection[str]) -> None:
    assert set(served) <= command_names()
