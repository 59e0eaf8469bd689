"""Signals over connections that are cut, slow or away: whatever may have been missed is a reason to look again."""

from collections.abc import Callable

import redis

from redis_guard.testing import Server
from tests.runtime.faults.conftest import Coordinate
from tests.runtime.faults.heard import Heard, in_background, until
from tests.runtime.faults.listening import listening, up_to
from tests.runtime.proxy import Proxy

CHANNEL = "coordination:signal_closed"
StartServer = Callable[..., Server]


def heard_by(client: redis.Redis, channel: str = CHANNEL) -> bool:
    return bool(client.pubsub_numsub(channel)[0][1])


def test_a_listener_is_woken_after_every_cut_of_his_connection(
    coordinate: Coordinate, server: Server, client: redis.Redis, heard: Heard
) -> None:
    coordination = coordinate(server.url)
    wakes = listening(coordination.signal("signal_closed"), lambda: heard_by(client))

    for times in (1, 2):
        assert client.client_kill_filter(_type="pubsub") == 1
        up_to(wakes, "subscribed")
        assert heard.outcomes("signal_closed").count("resubscribed") == times


def test_a_message_in_the_gap_is_made_good_by_the_wake_after_it(
    coordinate: Coordinate, proxy: Proxy, client: redis.Redis
) -> None:
    coordination = coordinate(proxy.url)
    wakes = listening(coordination.signal("signal_closed"), lambda: heard_by(client))
    proxy.refuse()
    proxy.cut()
    until(lambda: not heard_by(client))
    assert client.publish(CHANNEL, "lost") == 0

    proxy.accept()

    up_to(wakes, "subscribed")
    client.publish(CHANNEL, "heard")
    assert up_to(wakes, "message").marker == b"heard"


def test_a_listener_sits_out_an_outage(coordinate: Coordinate, start_server: StartServer) -> None:
    server = start_server()
    coordination = coordinate(server.url)
    signal = coordination.signal("signal_closed")
    with server.connect() as client:
        wakes = listening(signal, lambda: heard_by(client))

    server.kill()
    server.restart()

    up_to(wakes, "subscribed")
    signal.send("marker")
    assert up_to(wakes, "message").marker == b"marker"


def test_a_listener_may_come_before_the_server(coordinate: Coordinate, proxy: Proxy) -> None:
    proxy.refuse()
    coordination = coordinate(proxy.url, start=False)
    wakes = coordination.signal("signal_closed").listen()
    assert next(wakes).reason == "start"

    proxy.accept()

    up_to(wakes, "subscribed")


def test_a_lost_acknowledgement_is_no_subscription(
    coordinate: Coordinate, proxy: Proxy, client: redis.Redis
) -> None:
    coordination = coordinate(proxy.url)
    lost = proxy.drop_reply("subscribe", close=True)

    listening(
        coordination.signal("signal_closed"), lambda: proxy.count("subscribe") == 2 and heard_by(client)
    )

    assert lost.happened


def test_messages_for_a_slow_listener_become_one_wake_with_the_last_marker(
    coordinate: Coordinate, server: Server, client: redis.Redis
) -> None:
    coordination = coordinate(server.url)
    wakes = listening(coordination.signal("signal_closed"), lambda: heard_by(client))
    other = listening(
        coordination.signal("signal_open"), lambda: heard_by(client, "coordination:signal_open")
    )

    for number in range(400):
        client.publish(CHANNEL, str(number))
    # The connection is one: what it brings after the last of them is heard after the last of them.
    client.publish("coordination:signal_open", "end")
    up_to(other, "message")

    assert next(wakes).marker == b"399"


def test_a_listener_too_slow_for_the_server_is_woken_after_it_was_thrown_out(
    coordinate: Coordinate, start_server: StartServer, heard: Heard
) -> None:
    server = start_server(config={"client-output-buffer-limit": "pubsub 64kb 64kb 1"})
    with Proxy(server.host, server.port) as proxy, server.connect() as client:
        coordination = coordinate(proxy.url)
        wakes = listening(coordination.signal("signal_closed"), lambda: heard_by(client))
        # Nothing is read off the server's connection until then.
        held = proxy.hold_reply("message")
        client.publish(CHANNEL, "first")
        held.wait()
        marker = "x" * 60_000
        until(lambda: client.publish(CHANNEL, marker) == 0)

        held.deliver()

        heard.wait_for("signal_closed", "resubscribed")
        client.publish(CHANNEL, "heard")
        until(lambda: up_to(wakes, "message").marker == b"heard")


def test_a_waiter_whose_subscription_is_cut_looks_again(
    coordinate: Coordinate, proxy: Proxy, client: redis.Redis
) -> None:
    coordination = coordinate(proxy.url)
    key = "coordination:lock_closed:1"
    client.set(key, "another", px=300_000)
    with in_background(lambda: coordination.lock("lock_closed", 1, wait=60).try_acquire()):
        until(lambda: heard_by(client, f"{key}:wake"))
        tried = proxy.count("evalsha")
        # Freed, and nobody is told; without the cut he would look again after a second.
        client.delete(key)
        proxy.cut()
        until(lambda: client.exists(key))
        assert proxy.count("evalsha") > tried


def test_a_release_by_older_code_that_publishes_nothing_is_noticed(
    coordinate: Coordinate, server: Server, client: redis.Redis
) -> None:
    coordination = coordinate(server.url)
    key = "coordination:lock_closed:1"
    client.set(key, "older code", px=300_000)
    with in_background(lambda: coordination.lock("lock_closed", 1, wait=60).try_acquire()):
        until(lambda: heard_by(client, f"{key}:wake"))
        client.delete(key)
        until(lambda: client.exists(key))


def test_a_release_between_the_first_try_and_the_subscription_is_noticed(
    coordinate: Coordinate, proxy: Proxy, client: redis.Redis
) -> None:
    coordination = coordinate(proxy.url)
    key = "coordination:lock_closed:1"
    client.set(key, "another", px=300_000)
    subscribing = proxy.hold("subscribe")
    with in_background(lambda: coordination.lock("lock_closed", 1, wait=60).try_acquire()):
        subscribing.wait()
        client.delete(key)
        client.publish(f"{key}:wake", "")
        subscribing.end()
        until(lambda: client.exists(key))
