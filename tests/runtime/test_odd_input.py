"""Clients of another library, URLs with a slip, and values that no one should pass."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from enum import Enum

import pytest
import redis

from redis_guard.runtime import Coordination, CoordinationMistake
from redis_guard.runtime.origin import Server as Origin
from redis_guard.runtime.origin import origin_of
from redis_guard.testing import Server
from tests.runtime.worlds import World, registry

REGISTRY = registry(
    batch_claim={"primitive": "claim"},
    hits={"primitive": "counter"},
    kept_lock={"primitive": "lock", "renew": True, "max_hold": "1m"},
)


def test_a_client_of_valkey_py_may_be_handed_in(server: Server) -> None:
    valkey = pytest.importorskip("valkey")

    with Coordination(REGISTRY, valkey.Valkey(port=server.port)) as coordination:
        assert coordination.claim("batch_claim", 1)


def test_tls_of_a_client_of_valkey_py_is_kept() -> None:
    valkey = pytest.importorskip("valkey")

    for client in (valkey.Valkey(ssl=True), valkey.Valkey.from_url("valkeys://localhost")):
        origin = origin_of(client)
        assert isinstance(origin, Origin)
        assert origin.tls


@pytest.mark.parametrize("url", ["redis://localhost?sslcert=x", "redis://localhost?ssl_cert_reqs=none"])
def test_an_unknown_option_in_a_url_is_told_before_any_traffic(world: World, url: str) -> None:
    with pytest.raises(ValueError, match="takes no"):
        world.coordination(REGISTRY, url=url)


def test_a_reset_deletes_nothing_but_a_count(world: World, server: Server, client: redis.Redis) -> None:
    client.rpush("coordination:hits:1", "somebody's")

    with pytest.raises(CoordinationMistake, match="wrongtype"):
        world.coordination(REGISTRY, url=server.url).counter("hits", 1).reset()

    assert client.exists("coordination:hits:1")


@pytest.mark.parametrize("path", ["/abc", "/0/1", "/-1"])
def test_a_database_that_is_no_number_is_told_before_any_traffic(world: World, path: str) -> None:
    with pytest.raises(ValueError, match=f'not "{path}"'):
        world.coordination(REGISTRY, url=f"redis://localhost{path}")


def test_what_hears_of_a_lost_lease_can_be_called(world: World, server: Server) -> None:
    coordination = world.coordination(REGISTRY, url=server.url)
    text = exported(world, server)

    with pytest.raises(TypeError, match="on_lost="):
        coordination.lock("kept_lock", 2, on_lost="print")
    with pytest.raises(TypeError, match="on_lost="):
        coordination.adopt(text, on_lost="print")


def test_a_wait_beyond_all_numbers_is_told_in_short(world: World, server: Server) -> None:
    with pytest.raises(ValueError, match="from 0 to") as raised:
        world.coordination(REGISTRY, url=server.url).lock("kept_lock", 1, wait=10**400)

    assert len(str(raised.value)) < 100


def test_a_count_is_exact_as_far_as_redis_counts(world: World, server: Server, client: redis.Redis) -> None:
    counter = world.coordination(REGISTRY, url=server.url).counter("hits", 1)
    client.set("coordination:hits:1", 2**63 - 2, px=60_000)

    assert counter.increment().value == 2**63 - 1
    assert counter.value() == 2**63 - 1


@pytest.mark.parametrize("text", ["1_0", " 7", "+7", "07", ""])
def test_a_text_that_redis_does_not_count_is_no_count(
    world: World, server: Server, client: redis.Redis, text: str
) -> None:
    client.set("coordination:hits:1", text)

    with pytest.raises(CoordinationMistake, match="wrongtype"):
        world.coordination(REGISTRY, url=server.url).counter("hits", 1).value()


class Step(int, Enum):
    ONE = 1


def test_a_step_is_a_number_however_it_is_written(world: World, server: Server) -> None:
    assert world.coordination(REGISTRY, url=server.url).counter("hits", 1).increment(Step.ONE).value == 1


def test_a_claimant_that_no_encoding_can_write(world: World, server: Server) -> None:
    with pytest.raises(ValueError, match="surrogate"):
        world.coordination(REGISTRY, url=server.url).claim("batch_claim", 1, by="\ud800")


@pytest.mark.parametrize(("field", "value"), [(3, "\ud800"), (5, 10**400)])
def test_a_changed_hand_over_is_no_lease(world: World, server: Server, field: int, value: object) -> None:
    coordination = world.coordination(REGISTRY, url=server.url)

    with pytest.raises(ValueError, match="exported lease"):
        coordination.adopt(changed(exported(world, server), field, value))


def test_a_changed_hand_over_is_held_no_longer_than_the_registry_says(server: Server) -> None:
    with Coordination(REGISTRY, url=server.url) as one, Coordination(REGISTRY, url=server.url) as other:
        lease = one.lock("kept_lock", 1).try_acquire()
        assert lease is not None
        adopted = other.adopt(changed(lease.export(), 5, None))
        assert adopted.hold_until <= adopted.acquired_at + 60


def exported(world: World, server: Server) -> str:
    lease = world.coordination(REGISTRY, url=server.url).lock("kept_lock", 1).try_acquire()
    assert lease is not None
    return lease.export()


def changed(text: str, field: int, value: object) -> str:
    fields = json.loads(urlsafe_b64decode(text))
    fields[field] = value
    return urlsafe_b64encode(json.dumps(fields).encode()).decode()
