"""Holders that are stopped, killed or forked: what is not theirs any more they are told is not."""

import pytest
import redis

from redis_guard.testing import Server
from tests.runtime.faults.child import Child
from tests.runtime.faults.conftest import Coordinate
from tests.runtime.faults.heard import until
from tests.runtime.proxy import Proxy
from tests.runtime.worlds import World

# Takes a lock, and before the next step of its work asks whether it still has it.
WORKER = """
from redis_guard.runtime import LockLost
lease = coordination.lock("{name}", 1).try_acquire()
say(lease.token, lease.fence)
heard()
try:
    lease.check()
except LockLost:
    say("lost", lease.remaining, bool(lease.lost))
else:
    say("still mine")
heard()
"""


@pytest.mark.parametrize("name", ["lock_fenced_brief", "lock_renewed"])
def test_a_holder_stopped_past_its_ttl_is_told_before_the_next_step(
    world: World, coordinate: Coordinate, server: Server, client: redis.Redis, name: str
) -> None:
    coordination = coordinate(server.url)
    with Child.coordinating(WORKER.format(name=name), world.name, server.url) as child:
        token, fence = child.says().split()
        assert client.get(f"coordination:{name}:1") == token.encode()
        child.stop()
        with coordination.lock(name, 1, wait=10) as lease:
            child.resume()
            child.tell()

            assert child.says() == "lost 0.0 True"

            if lease.fence is not None:
                # What the first one writes later carries a number that a store can refuse.
                assert lease.fence > int(fence)
            assert client.get(f"coordination:{name}:1") == lease.token.encode()


def test_a_holder_stopped_for_less_than_its_ttl_goes_on(world: World, server: Server) -> None:
    with Child.coordinating(WORKER.format(name="lock_renewed_long"), world.name, server.url) as child:
        child.says()
        child.stop()
        child.resume()
        child.tell()

        assert child.says() == "still mine"


def test_a_waiter_gets_in_when_the_ttl_of_a_killed_holder_is_over(
    world: World, coordinate: Coordinate, proxy: Proxy, server: Server, client: redis.Redis
) -> None:
    coordination = coordinate(proxy.url)
    with Child.coordinating(WORKER.format(name="lock_renewed"), world.name, server.url) as child:
        child.says()
        child.kill()
        child.ended()
        with coordination.lock("lock_renewed", 1, wait=10) as lease:
            lease.check()

    # Try, subscribe, try again, and once or twice when the key is due; no polling.
    assert proxy.count("evalsha") <= 8


def test_a_waiter_of_another_process_is_woken_by_the_release(
    world: World, coordinate: Coordinate, server: Server, client: redis.Redis
) -> None:
    coordination = coordinate(server.url)
    body = 'with coordination.lock("lock_closed", 1, wait=60) as lease:\n    say(lease.token)'
    with coordination.lock("lock_closed", 1):
        child = Child.coordinating(body, world.name, server.url)
        until(lambda: client.pubsub_numsub("coordination:lock_closed:1:wake")[0][1])

    # The key would have lived for half a minute.
    with child:
        assert child.says()


FORK = """
from redis_guard.runtime import ForeignProcess
lease = coordination.lock("lock_renewed_long", 1).try_acquire()
if os.fork() == 0:
    for act in (lease.check, {acts}):
        try:
            act()
        except ForeignProcess:
            say("not mine")
        else:
            say("mine")
    del lease
    os._exit(0)
os.wait()
say(lease.token)
lease.check()
heard()
lease.release()
say("released")
"""


def test_a_forked_child_does_not_have_its_parents_lease(
    world: World, server: Server, client: redis.Redis
) -> None:
    # A loop does not outlive a fork, so that asyncio has the plain calls alone.
    acts = "lease.release, lease.export" if world.name == "sync" else "lease.inner.export"
    with Child.coordinating(FORK.format(acts=acts), world.name, server.url) as child:
        for _ in range(3 if world.name == "sync" else 2):
            assert child.says() == "not mine"

        assert client.get("coordination:lock_renewed_long:1") == child.says().encode()
        child.tell()
        assert child.says() == "released"


FORKED_WORKER = """
import threading
from redis_guard.runtime import AlreadyHeld
lease = coordination.lock("lock_renewed_long", 1).try_acquire()
with coordination.lock("lock_brief", 9), coordination.lock("lock_renewed", 9):
    waiting = threading.Thread(target=lambda: coordination.lock("lock_brief", 9, wait=5).try_acquire())
    waiting.start()
    waiting.join(0.01)
    if os.fork() == 0:
        say(threading.active_count(), coordination.lock("lock_renewed_long", 1).try_acquire())
        say(coordination.counter("counter_closed", 1).increment().value)
        wakes = coordination.signal("signal_closed").listen()
        say(next(wakes).reason)
        while not coordination.signal("signal_closed").send("marker").receivers:
            pass
        say(next(wake for wake in wakes if wake.reason == "message").marker)
        with coordination.lock("lock_renewed", 1) as mine:
            say(mine.token)
            heard()
            mine.check()
        with coordination.lock("lock_renewed_long", 1, wait=60) as mine:
            say(mine.token)
        os._exit(0)
say(os.getpid())
os.wait()
"""


def test_a_forked_child_coordinates_with_connections_and_threads_of_its_own(
    server: Server, client: redis.Redis
) -> None:
    with Child.coordinating(FORKED_WORKER, "sync", server.url) as child:
        said = [child.says() for _ in range(6)]
        parent = next(line for line in said if line.isdigit() and int(line) > 10)
        said.remove(parent)

        assert said[:4] == ["1 None", "1", "start", "b'marker'"]
        assert not said[4].endswith(f":{parent}")
        # The child's own watchdog keeps the lock past its ttl.
        key = "coordination:lock_renewed:1"
        before = client.pttl(key)
        until(lambda: client.pttl(key) > before)
        assert client.get(key) == said[4].encode()
        held = client.get("coordination:lock_renewed_long:1") or b""
        assert held.endswith(f":{parent}".encode())
        child.tell()
        # As the parent would have released it.
        until(lambda: client.pubsub_numsub("coordination:lock_renewed_long:1:wake")[0][1])
        client.delete("coordination:lock_renewed_long:1")
        client.publish("coordination:lock_renewed_long:1:wake", "")
        token = child.says()
        assert token
        assert not token.endswith(f":{parent}")
