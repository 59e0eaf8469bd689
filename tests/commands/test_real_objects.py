"""What the table says a call hands back, against the objects redis-py makes. No call here sends anything."""

import inspect
from typing import Any

import pytest
import redis
import redis.asyncio

from redis_guard.commands import Kind, lookup
from tests.generate.receivers import receivers

CLASSES = {receiver.kind: receiver.classes for receiver in receivers()}
GIVEN: dict[str, tuple[str, ...]] = {"lock": ("k",), "register_script": ("return 1",), "bitfield": ("k",)}


def makers(kind: Kind) -> list[tuple[Kind, str]]:
    """The methods that hand out another object, without those that connect for it."""
    names = [
        *GIVEN,
        *["pipeline", "pubsub", "json", "ft", "ts", "bf", "cf", "cms", "topk", "tdigest", "vset"],
    ]
    return [(kind, name) for name in names]


def plain_and_async() -> dict[Kind, Any]:
    return {"client": redis.Redis(), "async-client": redis.asyncio.Redis()}


@pytest.mark.parametrize(("kind", "name"), [*makers("client"), *makers("async-client")])
def test_a_call_hands_out_an_object_of_the_kind_named(kind: Kind, name: str) -> None:
    made = getattr(plain_and_async()[kind], name)(*GIVEN.get(name, ()))
    method = lookup(kind, name)
    assert method is not None
    assert method.returns.startswith("async-") == kind.startswith("async-")
    assert isinstance(made, CLASSES[method.returns])


@pytest.mark.parametrize("kind", ["client", "async-client"])
@pytest.mark.parametrize(
    ("name", "args"), [("set", ("k", "v")), ("incr", ("k",)), ("xadd", ("k", {"f": "v"}))]
)
def test_a_pipeline_queues_a_command_and_hands_back_itself(
    kind: Kind, name: str, args: tuple[Any, ...]
) -> None:
    pipe = plain_and_async()[kind].pipeline()
    assert getattr(pipe, name)(*args) is pipe
    method = lookup("async-pipeline" if kind == "async-client" else "pipeline", name)
    assert method is not None
    assert (method.returns, method.async_returns) == ("self", "plain")


def test_an_asyncio_command_hands_back_what_must_be_awaited_though_it_is_a_plain_function() -> None:
    client = redis.asyncio.Redis()
    pending = client.get("k")
    pending.close()
    method = lookup("async-client", "get")
    assert method is not None
    assert inspect.isawaitable(pending)
    assert not inspect.iscoroutinefunction(client.get)
    assert method.async_returns == "awaitable"


def test_an_asyncio_client_refuses_operators() -> None:
    with pytest.raises(TypeError):
        redis.asyncio.Redis()["k"]
    method = lookup("async-client", "__getitem__")
    assert method is not None
    assert method.returns == "refused"
