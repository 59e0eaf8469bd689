"""Credentials and permissions: told at once, under any policy, and never tried again."""

from collections.abc import Callable, Iterator

import pytest
import redis

from redis_guard.runtime import CoordinationMistake
from redis_guard.testing import Server
from tests.runtime.faults.conftest import Coordinate
from tests.runtime.faults.heard import Heard
from tests.runtime.faults.listening import listening
from tests.runtime.proxy import Proxy
from tests.runtime.worlds import AnyCoordination

Act = Callable[[AnyCoordination], object]

OPEN: dict[str, Act] = {
    "lock_closed": lambda c: c.lock("lock_closed", 1).try_acquire(),
    "lock_open": lambda c: c.lock("lock_open", 1).try_acquire(),
    "claim_open": lambda c: c.claim("claim_open", 1),
    "counter_open": lambda c: c.counter("counter_open", 1).increment(),
    "counter_fallback": lambda c: c.counter("counter_fallback", 1).increment(),
    "signal_open": lambda c: c.signal("signal_open").send("marker"),
}
"""What an outage would let pass, and one that it would not."""

EACH = pytest.mark.parametrize("name", list(OPEN))

MINIMAL = (
    "on >secret ~coordination:* ~{coordination:* &coordination:* -@all +hello +auth +select +time "
    "+ping +evalsha +eval +script|load +get +set +del +pttl +pexpire +incrby +publish +subscribe +unsubscribe"
).split()
"""All that the runtime needs, but for `client|setinfo`, by which redis-py introduces itself."""


@pytest.fixture
def user(client: redis.Redis) -> Iterator[Callable[..., None]]:
    """Give the user `app` these rights, anew."""
    # Redis 6.2 knows no SETINFO, and so none that could be permitted; redis-py does not mind.
    known = () if client.info("server")["redis_version"].startswith("6.") else ("+client|setinfo",)
    yield lambda *rules: client.execute_command(
        "ACL", "SETUSER", "app", "reset", "resetchannels", *known, *rules
    )
    client.execute_command("ACL", "DELUSER", "app")


def url_of(server: Server | Proxy, login: str) -> str:
    return f"redis://{login}@{server.host}:{server.port}"


@EACH
def test_a_wrong_password_is_raised_at_once_under_any_policy(
    coordinate: Coordinate, proxy: Proxy, user: Callable[..., None], heard: Heard, name: str
) -> None:
    user(*MINIMAL)
    coordination = coordinate(url_of(proxy, "app:wrong"), start=False)

    with pytest.raises(CoordinationMistake) as raised:
        OPEN[name](coordination)

    assert raised.value.error_class == "auth"
    assert heard.outcomes(name) == ["error"]
    assert "wrong" not in str(raised.value).replace("WRONGPASS", "")
    assert proxy.connections == 1
    assert proxy.count("evalsha") == proxy.count("publish") == 0


def test_a_wrong_password_shows_when_the_program_starts(
    coordinate: Coordinate, proxy: Proxy, user: Callable[..., None]
) -> None:
    user(*MINIMAL)

    with pytest.raises(CoordinationMistake, match="auth"):
        coordinate(url_of(proxy, "app:wrong"))

    assert proxy.connections == 1


@EACH
def test_a_missing_password_is_raised_at_once_under_any_policy(
    coordinate: Coordinate, start_server: Callable[..., Server], heard: Heard, name: str
) -> None:
    server = start_server(config={"requirepass": "secret"})
    with Proxy(server.host, server.port) as proxy:
        coordination = coordinate(proxy.url, start=False)

        with pytest.raises(CoordinationMistake) as raised:
            OPEN[name](coordination)

        assert raised.value.error_class == "auth"
        assert heard.outcomes(name) == ["error"]
        assert proxy.connections == 1


@EACH
def test_a_command_that_is_not_permitted_is_raised_at_once_under_any_policy(
    coordinate: Coordinate, proxy: Proxy, user: Callable[..., None], heard: Heard, name: str
) -> None:
    user(*MINIMAL, "-evalsha", "-eval", "-publish")
    coordination = coordinate(url_of(proxy, "app:secret"), start=False)

    with pytest.raises(CoordinationMistake) as raised:
        OPEN[name](coordination)

    assert raised.value.error_class == "noperm"
    assert heard.outcomes(name) == ["error"]
    assert proxy.count("evalsha") + proxy.count("eval") + proxy.count("publish") == 1


@EACH
def test_a_key_or_channel_that_is_not_permitted_is_raised_at_once_under_any_policy(
    coordinate: Coordinate, proxy: Proxy, user: Callable[..., None], client: redis.Redis, name: str
) -> None:
    user(*MINIMAL, "resetkeys", "~other:*", "resetchannels")
    coordination = coordinate(url_of(proxy, "app:secret"))

    with pytest.raises(CoordinationMistake, match="noperm"):
        OPEN[name](coordination)

    assert proxy.count("evalsha") + proxy.count("publish") == 1
    assert not client.dbsize()


@EACH
def test_a_command_inside_a_script_that_is_not_permitted_is_a_mistake_too(
    coordinate: Coordinate, server: Server, user: Callable[..., None], name: str
) -> None:
    user(*MINIMAL, "-set", "-incrby", "-publish")
    coordination = coordinate(url_of(server, "app:secret"))

    with pytest.raises(CoordinationMistake, match="noperm"):
        OPEN[name](coordination)


def test_rights_that_are_taken_away_are_noticed_by_the_next_call(
    coordinate: Coordinate, server: Server, user: Callable[..., None]
) -> None:
    user(*MINIMAL)
    coordination = coordinate(url_of(server, "app:secret"))
    assert coordination.claim("claim_open", 1)

    user(*MINIMAL, "-evalsha")

    with pytest.raises(CoordinationMistake):
        coordination.claim("claim_open", 2)


def test_a_mistake_at_release_is_raised_unless_another_error_is_on_its_way(
    coordinate: Coordinate, proxy: Proxy
) -> None:
    coordination = coordinate(proxy.url)
    denied = b"-NOPERM this user has no permissions to run the 'evalsha' command\r\n"
    with pytest.raises(CoordinationMistake, match="noperm"), coordination.lock("lock_open", 1):
        proxy.answer("evalsha", denied)

    with pytest.raises(ZeroDivisionError), coordination.lock("lock_open", 2):
        proxy.answer("evalsha", denied)
        raise ZeroDivisionError


def test_a_listener_who_may_not_subscribe_is_told(
    coordinate: Coordinate, server: Server, user: Callable[..., None]
) -> None:
    user(*MINIMAL, "-subscribe")
    coordination = coordinate(url_of(server, "app:secret"))
    wakes = coordination.signal("signal_open").listen()
    assert next(wakes).reason == "start"

    with pytest.raises(CoordinationMistake, match="noperm"):
        next(wakes)


def test_a_waiter_who_may_not_subscribe_is_told(
    coordinate: Coordinate, server: Server, user: Callable[..., None], client: redis.Redis
) -> None:
    user(*MINIMAL, "resetchannels")
    client.set("coordination:lock_open:1", "another", px=300_000)
    coordination = coordinate(url_of(server, "app:secret"))

    with pytest.raises(CoordinationMistake, match="noperm"):
        coordination.lock("lock_open", 1, wait=60).try_acquire()


def test_a_holder_who_may_not_publish_frees_the_lock_all_the_same(
    coordinate: Coordinate, server: Server, user: Callable[..., None], client: redis.Redis
) -> None:
    user(*MINIMAL, "resetchannels")
    coordination = coordinate(url_of(server, "app:secret"))

    with coordination.lock("lock_closed", 1) as lease:
        lease.check()

    assert not client.exists("coordination:lock_closed:1")


def test_these_rights_are_enough_for_everything(
    coordinate: Coordinate, server: Server, user: Callable[..., None], client: redis.Redis, heard: Heard
) -> None:
    user(*MINIMAL)
    client.acl_log_reset()
    coordination = coordinate(url_of(server, "app:secret"))
    signal = coordination.signal("signal_closed")
    wakes = listening(signal)
    wakes.close()  # type: ignore[attr-defined]  # an iterator to those who iterate
    with coordination.lock("lock_fenced", 1) as lease:
        assert lease.fence
    with coordination.lock("lock_renewed", 1):
        heard.wait_for("lock_renewed", "renewed")
    client.set("coordination:lock_closed:1", "another", px=50)
    with coordination.lock("lock_closed", 1, wait=60) as lease:
        text = lease.export()
    coordination.adopt(text).release()
    counter = coordination.counter("counter_closed", 1)
    assert counter.increment().value == counter.value() == 1
    assert counter.reset()
    assert coordination.claim("claim_closed", 1)

    assert client.acl_log() == []
