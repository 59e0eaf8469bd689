"""The server did what was asked, and the answer was lost: what the caller is told is what is the case."""

import pytest
import redis

from redis_guard.runtime import CoordinationUnavailable
from tests.runtime.faults.conftest import Coordinate
from tests.runtime.faults.heard import Heard, in_background, until
from tests.runtime.proxy import Proxy

# Half of it is waited for a reply that never comes.
DEADLINE = 0.6
CLOSED = pytest.mark.parametrize("close", [False, True], ids=["silence", "connection closed"])
LOCK = "coordination:lock_closed:1"


@CLOSED
def test_reply_lost_after_acquire_ends_in_acquired(
    coordinate: Coordinate, proxy: Proxy, client: redis.Redis, heard: Heard, close: bool
) -> None:
    coordination = coordinate(proxy.url, deadline=DEADLINE)
    proxy.drop_reply("evalsha", close=close)

    with coordination.lock("lock_closed", 1) as lease:
        assert client.get(LOCK) == lease.token.encode()
        lease.check()

    assert not client.exists(LOCK)
    assert heard.outcomes("lock_closed") == ["acquired", "released"]


def test_reply_lost_after_acquire_keeps_the_fence(
    coordinate: Coordinate, proxy: Proxy, client: redis.Redis
) -> None:
    coordination = coordinate(proxy.url, deadline=DEADLINE)
    proxy.drop_reply("evalsha")

    with coordination.lock("lock_fenced", 1) as lease:
        assert client.get("{coordination:lock_fenced:1}:fence") == b"%d" % (lease.fence or 0)


def test_validity_counts_from_the_first_try_when_its_reply_was_lost(
    coordinate: Coordinate, proxy: Proxy, client: redis.Redis
) -> None:
    coordination = coordinate(proxy.url, deadline=DEADLINE)
    proxy.drop_reply("evalsha")

    lease = coordination.lock("lock_closed", 1).try_acquire()

    assert lease is not None
    assert lease.remaining <= client.pttl(LOCK) / 1000


@CLOSED
def test_both_replies_lost_after_acquire_leave_no_orphan(
    coordinate: Coordinate, proxy: Proxy, client: redis.Redis, heard: Heard, close: bool
) -> None:
    coordination = coordinate(proxy.url, deadline=DEADLINE)
    for _ in range(2):
        proxy.drop_reply("evalsha", close=close)

    with pytest.raises(CoordinationUnavailable), coordination.lock("lock_closed", 1):
        pytest.fail("the body ran")

    assert not client.exists(LOCK)
    assert heard.outcomes("lock_closed") == ["unavailable"]


def test_an_acquire_that_arrives_after_its_caller_gave_up_does_nothing(
    coordinate: Coordinate, proxy: Proxy, client: redis.Redis
) -> None:
    coordination = coordinate(proxy.url, deadline=0.3)
    late = [proxy.hold("evalsha") for _ in range(3)]
    with pytest.raises(CoordinationUnavailable), coordination.lock("lock_closed", 1):
        pytest.fail("the body ran")

    for request in late:
        request.deliver()

    assert not client.exists(LOCK)


def test_a_counter_that_arrives_after_its_caller_gave_up_is_not_counted(
    coordinate: Coordinate, proxy: Proxy, client: redis.Redis
) -> None:
    coordination = coordinate(proxy.url, deadline=0.3)
    late = proxy.hold("evalsha")
    with pytest.raises(CoordinationUnavailable):
        coordination.counter("counter_closed", 1).increment()

    late.deliver()

    assert not client.exists("coordination:counter_closed:1")


def test_a_claim_that_arrives_after_its_caller_gave_up_claims_nothing(
    coordinate: Coordinate, proxy: Proxy, client: redis.Redis
) -> None:
    coordination = coordinate(proxy.url, deadline=0.3)
    late = [proxy.hold("evalsha") for _ in range(2)]
    with pytest.raises(CoordinationUnavailable):
        coordination.claim("claim_closed", 1, by="job")

    for request in late:
        request.deliver()

    assert not client.exists("coordination:claim_closed:1")


@CLOSED
def test_reply_lost_after_release_ends_in_released(
    coordinate: Coordinate, proxy: Proxy, client: redis.Redis, heard: Heard, close: bool
) -> None:
    coordination = coordinate(proxy.url, deadline=DEADLINE)
    with coordination.lock("lock_closed", 1):
        proxy.drop_reply("evalsha", close=close)

    assert not client.exists(LOCK)
    assert heard.outcomes("lock_closed") == ["acquired", "released"]


def test_reply_lost_after_release_is_no_false_lost_though_another_holds_it_by_now(
    coordinate: Coordinate, proxy: Proxy, client: redis.Redis, heard: Heard
) -> None:
    coordination = coordinate(proxy.url, deadline=DEADLINE)
    lease = coordination.lock("lock_closed", 1).try_acquire()
    assert lease is not None
    lost = proxy.drop_reply("evalsha")

    with in_background(lease.release):
        lost.wait()
        assert client.set(LOCK, "another", nx=True, px=30_000)

    assert client.get(LOCK) == b"another"
    assert heard.outcomes("lock_closed") == ["acquired", "released"]


def test_a_release_that_did_not_arrive_is_told_and_may_be_repeated(
    coordinate: Coordinate, proxy: Proxy, client: redis.Redis
) -> None:
    coordination = coordinate(proxy.url, deadline=0.3)
    lease = coordination.lock("lock_closed", 1).try_acquire()
    assert lease is not None
    for _ in range(2):
        proxy.lose("evalsha")
    with pytest.raises(CoordinationUnavailable):
        lease.release()

    lease.release()

    assert not client.exists(LOCK)


def test_a_block_that_was_good_to_its_end_is_not_spoilt_by_a_release_that_did_not_arrive(
    coordinate: Coordinate, proxy: Proxy, client: redis.Redis, heard: Heard
) -> None:
    coordination = coordinate(proxy.url, deadline=0.3)

    with coordination.lock("lock_closed", 1):
        for _ in range(2):
            proxy.lose("evalsha")

    assert 0 < client.pttl(LOCK) <= 30_000
    assert heard.outcomes("lock_closed") == ["acquired", "unavailable"]


@CLOSED
def test_reply_lost_after_count_counts_once_and_is_ambiguous(
    coordinate: Coordinate, proxy: Proxy, client: redis.Redis, heard: Heard, close: bool
) -> None:
    coordination = coordinate(proxy.url, deadline=0.3)
    proxy.drop_reply("evalsha", close=close)

    with pytest.raises(CoordinationUnavailable, match="ambiguous"):
        coordination.counter("counter_closed", 1).increment()

    assert client.get("coordination:counter_closed:1") == b"1"
    assert heard.classes("counter_closed") == ["ambiguous"]


def test_reply_lost_after_count_gives_the_declared_value_under_fallback(
    coordinate: Coordinate, proxy: Proxy, client: redis.Redis
) -> None:
    coordination = coordinate(proxy.url, deadline=0.3)
    proxy.drop_reply("evalsha")

    count = coordination.counter("counter_fallback", 1).increment()

    assert (count.value, count.degraded, count.exceeded) == (6, True, True)
    assert client.get("coordination:counter_fallback:1") == b"1"


@CLOSED
def test_reply_lost_after_claim_ends_in_accepted(
    coordinate: Coordinate, proxy: Proxy, client: redis.Redis, heard: Heard, close: bool
) -> None:
    coordination = coordinate(proxy.url, deadline=DEADLINE)
    proxy.drop_reply("evalsha", close=close)

    claim = coordination.claim("claim_closed", 1)

    assert claim
    assert client.get("coordination:claim_closed:1") == claim.token.encode()
    assert heard.outcomes("claim_closed") == ["accepted"]


def test_both_replies_lost_after_claim_shut_nobody_out(
    coordinate: Coordinate, proxy: Proxy, client: redis.Redis
) -> None:
    coordination = coordinate(proxy.url, deadline=0.3)
    for _ in range(2):
        proxy.drop_reply("evalsha")

    with pytest.raises(CoordinationUnavailable):
        coordination.claim("claim_closed", 1)

    assert not client.exists("coordination:claim_closed:1")
    assert coordination.claim("claim_closed", 1)


def test_both_replies_lost_after_a_named_claim_are_made_good_by_the_redelivery(
    coordinate: Coordinate, proxy: Proxy
) -> None:
    coordination = coordinate(proxy.url, deadline=0.3)
    for _ in range(2):
        proxy.drop_reply("evalsha")
    with pytest.raises(CoordinationUnavailable):
        coordination.claim("claim_closed", 1, by="job:7")

    assert coordination.claim("claim_closed", 1, by="job:7")
    other = coordination.claim("claim_closed", 1, by="job:8")
    assert (other.accepted, other.holder) == (False, "job:7")


@CLOSED
def test_reply_lost_after_renewal_leaves_the_lease_to_its_holder(
    coordinate: Coordinate, proxy: Proxy, heard: Heard, close: bool
) -> None:
    coordination = coordinate(proxy.url)
    with coordination.lock("lock_renewed", 1) as lease:
        proxy.drop_reply("evalsha", close=close).wait()
        heard.wait_for("lock_renewed", "renewed")
        lease.check()
        assert not lease.lost

    assert "lost" not in heard.outcomes("lock_renewed")


@CLOSED
def test_reply_lost_after_adopt_ends_in_adopted(
    coordinate: Coordinate, proxy: Proxy, client: redis.Redis, close: bool
) -> None:
    coordination = coordinate(proxy.url, deadline=DEADLINE)
    lease = coordination.lock("lock_closed", 1).try_acquire()
    assert lease is not None
    text = lease.export()
    proxy.drop_reply("evalsha", close=close)

    with coordination.adopt(text) as adopted:
        assert client.get(LOCK) == adopted.token.encode()
        assert adopted.remaining <= client.pttl(LOCK) / 1000

    assert not client.exists(LOCK)


@CLOSED
def test_reply_lost_after_reset_is_a_window_that_was_reset(
    coordinate: Coordinate, proxy: Proxy, client: redis.Redis, close: bool
) -> None:
    coordination = coordinate(proxy.url, deadline=DEADLINE)
    counter = coordination.counter("counter_closed", 1)
    counter.increment()
    proxy.drop_reply("evalsha", close=close)

    assert counter.reset()

    assert counter.value() == 0


def test_reply_lost_after_a_signal_is_not_sent_twice(
    coordinate: Coordinate, proxy: Proxy, client: redis.Redis
) -> None:
    coordination = coordinate(proxy.url, deadline=0.3)
    with client.pubsub(ignore_subscribe_messages=True) as pubsub:
        pubsub.subscribe("coordination:signal_closed")
        until(lambda: client.pubsub_numsub("coordination:signal_closed")[0][1] == 1)
        proxy.drop_reply("publish")

        with pytest.raises(CoordinationUnavailable):
            coordination.signal("signal_closed").send("once")

        client.publish("coordination:signal_closed", "end")
        messages = (message["data"] for message in pubsub.listen())
        assert list(iter(lambda: next(messages), b"end")) == [b"once"]
