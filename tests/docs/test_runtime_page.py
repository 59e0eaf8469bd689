"""The page on the runtime: its examples run, and the permissions it names are enough and none is too many."""

import re
from collections.abc import Iterator
from inspect import isclass
from itertools import islice
from pathlib import Path

import pytest
import redis

from redis_guard import runtime
from redis_guard.registry import Registry
from redis_guard.runtime import Coordination
from redis_guard.testing import Server
from tests.docs.snippets import run_page
from tests.runtime.until import until
from tests.runtime.worlds import registry

PAGE = Path(__file__).parents[2] / "docs" / "runtime.md"
RIGHTS = re.search(r"^ACL SETUSER app on >secret (.+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
UNSEEN = {"+unsubscribe": "five seconds after the last listener", "+ping": "after fifteen seconds of silence"}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as server:
        yield server


@pytest.fixture
def client(server: Server) -> Iterator[redis.Redis]:
    with server.connect() as client:
        client.flushall()
        client.acl_log_reset()
        yield client


@pytest.fixture(scope="module")
def everything() -> Registry:
    return registry(
        fenced_lock={"primitive": "lock", "fencing": True, "ttl": "100ms", "renew": True, "max_hold": "1m"},
        any_claim={"primitive": "claim"},
        any_counter={"primitive": "counter"},
        any_signal={"primitive": "signal", "failure": "closed"},
    )


def words() -> list[str]:
    assert RIGHTS is not None
    return RIGHTS[1].split()


def do_everything(server: Server, client: redis.Redis, registry: Registry, rights: list[str]) -> None:
    """All that the runtime sends to one server, by a user with these rights alone."""
    client.execute_command("ACL", "SETUSER", "app", "reset", "on", ">secret", *rights)
    with Coordination(registry, url=f"redis://app:secret@{server.host}:{server.port}") as coordination:
        coordination.start()
        client.script_flush()
        client.set("coordination:fenced_lock:%7Btenant%7D", "another", px=50)
        with coordination.lock("fenced_lock", "{tenant}", wait=10) as lease:
            left = lease.remaining
            while lease.remaining <= left:
                left = lease.remaining
                assert not lease.lost.wait(0.01), "it cannot be renewed"
            text = lease.export()
        coordination.adopt(text).release()
        wakes = coordination.signal("any_signal").listen()
        assert next(wakes).reason == "start"
        until(lambda: dict(client.pubsub_numsub("coordination:any_signal")).popitem()[1], "a subscription")
        coordination.signal("any_signal").send("marker")
        # The subscription is a wake of its own, unless it came before the first was taken.
        assert any(wake.marker == b"marker" for wake in islice(wakes, 2))
        assert coordination.claim("any_claim", 1)
        counter = coordination.counter("any_counter", 1)
        assert counter.increment().value == counter.value()
        assert counter.reset()


def test_what_the_page_shows_happens(server: Server, client: redis.Redis, tmp_path: Path) -> None:
    run_page(PAGE, tmp_path, redis_url=server.url)


def test_the_rights_are_enough(server: Server, client: redis.Redis, everything: Registry) -> None:
    do_everything(server, client, everything, [*words(), "+client|setinfo"])

    assert client.acl_log() == []


@pytest.mark.parametrize("right", [word for word in words() if word not in UNSEEN])
def test_no_right_is_too_many(server: Server, client: redis.Redis, everything: Registry, right: str) -> None:
    rest = [word for word in words() if word != right]

    with pytest.raises(Exception):  # noqa: B017 -- each fails in a way of its own, and the log says why
        do_everything(server, client, everything, rest)

    refused = {entry["object"] for entry in client.acl_log()} - {"client|setinfo"}
    assert any(right.removeprefix("+") == each or right[0] in "~&" for each in refused)


def test_every_error_a_user_may_catch_has_its_row() -> None:
    public = {name: getattr(runtime, name) for name in runtime.__all__}
    errors = {name for name, each in public.items() if isclass(each) and issubclass(each, Exception)}
    table = PAGE.read_text(encoding="utf-8").partition("\n## Errors\n")[2].partition("\n## ")[0]
    described = {
        name for row in table.splitlines() for name in re.findall(r"`(\w+)`", row.partition(" | ")[0])
    }

    assert errors - {"CoordinationError"} == described - {"CoordinationError"}
