"""Control-C: whenever it strikes, it goes on, and nothing is left behind.

In the world of threads it is an exception that may come from anywhere; asyncio makes a cancellation of it.
"""

from collections.abc import Callable, Iterator

import pytest
import redis

from redis_guard.runtime import Coordination, Lease
from redis_guard.runtime.sync.link import Link
from redis_guard.testing import Server
from tests.runtime.faults.child import Child
from tests.runtime.faults.heard import until
from tests.runtime.faults.interrupting import interrupted
from tests.runtime.faults.registered import registry
from tests.runtime.proxy import Proxy
from tests.runtime.worlds import World

LOCK = "coordination:lock_closed:1"
CLAIM = "coordination:claim_closed:1"
# What is inside an exchange is one moment for those around it, and has its tests below.
EXCHANGES = ("sync/link.py", "sync/pool.py", "core/requests.py", "clock.py")


def every_moment(
    act: Callable[[], object], before: Callable[[], object], after: Callable[[], object]
) -> None:
    """Interrupt `act` at each of its moments; `after` asserts. A machine that dawdles gets other chances at each."""
    for moment in range(1, 1000):
        for left in (2, 1, 0):
            before()
            where = interrupted(act, moment, EXCHANGES)
            try:
                after()
            except AssertionError as error:
                if not left:
                    raise AssertionError(f"interrupted at {where}") from error
            else:
                break
        if not where:
            # It was interrupted at all, and at more than a few moments.
            assert moment > 20
            return
    pytest.fail("it never came to its end")


@pytest.fixture
def coordination(server: Server) -> Iterator[Coordination]:
    with Coordination(registry(deadline=0.15), url=server.url) as made:
        yield made.start()


def test_an_interrupt_at_any_moment_of_an_acquire_leaves_no_lock(
    coordination: Coordination, client: redis.Redis
) -> None:
    def act() -> None:
        with coordination.lock("lock_closed", 1) as lease:
            lease.check()

    def after() -> None:
        assert not client.exists(LOCK)
        # Nor does the thread think that it has it.
        lease = coordination.lock("lock_closed", 1).try_acquire()
        assert lease is not None
        lease.release()

    every_moment(act, client.flushall, after)


def test_an_interrupt_at_any_moment_of_a_claim_leaves_no_claim(
    coordination: Coordination, client: redis.Redis
) -> None:
    answered: list[bool] = []

    def act() -> None:
        answered.clear()
        answered.append(bool(coordination.claim("claim_closed", 1)))

    every_moment(act, client.flushall, lambda: _equal(client.exists(CLAIM), len(answered)))


def _equal(one: object, other: object) -> None:
    assert one == other


def test_an_interrupt_at_any_moment_of_a_take_over_leaves_the_lock_to_nobody_or_to_the_next(
    coordination: Coordination, client: redis.Redis
) -> None:
    texts: list[str] = []

    def before() -> None:
        client.flushall()
        lease = coordination.lock("lock_closed", 1).try_acquire()
        assert lease is not None
        texts.append(lease.export())

    def after() -> None:
        if client.exists(LOCK):
            coordination.adopt(texts[-1]).release()
        assert not client.exists(LOCK)

    every_moment(lambda: coordination.adopt(texts[-1]).release(), before, after)


def test_an_interrupt_at_any_moment_of_a_wait_keeps_nobody_else_waiting(
    coordination: Coordination, client: redis.Redis
) -> None:
    def before() -> None:
        client.set(LOCK, "another", px=300_000)

    def after() -> None:
        client.delete(LOCK)
        lease = coordination.lock("lock_closed", 1, wait=1).try_acquire()
        assert lease is not None
        lease.release()

    every_moment(lambda: coordination.lock("lock_closed", 1, wait=0.01).try_acquire(), before, after)


def test_an_interrupt_at_any_moment_of_a_release_gives_the_lock_back(
    coordination: Coordination, client: redis.Redis
) -> None:
    taken: list[Lease] = []

    def before() -> None:
        client.flushall()
        lease = coordination.lock("lock_closed", 1).try_acquire()
        assert lease is not None
        taken.append(lease)

    every_moment(lambda: taken[-1].release(), before, lambda: _equal(client.exists(LOCK), 0))


def interrupt_next_exchange(patch: pytest.MonkeyPatch) -> None:
    """The next one is carried out by the server, and then Control-C strikes."""
    exchange = Link.exchange

    def struck(*arguments: object) -> object:
        patch.undo()
        exchange(*arguments)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    patch.setattr(Link, "exchange", struck)


def test_an_interrupt_while_the_reply_is_awaited_leaves_no_lock_and_no_claim(
    coordination: Coordination, client: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    for act in (
        lambda: coordination.lock("lock_closed", 1).try_acquire(),
        lambda: coordination.claim("claim_closed", 1),
    ):
        interrupt_next_exchange(monkeypatch)
        with pytest.raises(KeyboardInterrupt):
            act()

    assert not client.exists(LOCK, CLAIM)


def test_an_interrupt_leaves_a_named_claim_to_the_redelivery(
    coordination: Coordination, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt_next_exchange(monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        coordination.claim("claim_closed", 1, by="job:7")

    assert coordination.claim("claim_closed", 1, by="job:7")


def test_an_interrupt_in_the_block_is_not_hidden_by_a_lost_lock(
    coordination: Coordination, client: redis.Redis
) -> None:
    with pytest.raises(KeyboardInterrupt), coordination.lock("lock_closed", 1):
        client.delete(LOCK)
        raise KeyboardInterrupt


def test_an_interrupt_while_the_lock_is_given_back_gives_it_back(
    coordination: Coordination, client: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(KeyboardInterrupt), coordination.lock("lock_closed", 1):
        interrupt_next_exchange(monkeypatch)

    assert not client.exists(LOCK)


# As programs are run: the interrupt of a terminal, in the main thread.
PROGRAMS = {
    "sync": """
import sys
from redis_guard.runtime import Coordination, Lease
from tests.runtime.faults.registered import registry

with Coordination(registry(), url=sys.argv[1]).start() as coordination:
    print("ready", flush=True)
    try:
        {sync}
    except KeyboardInterrupt:
        print("interrupted", flush=True)
""",
    "aio": """
import asyncio, sys
from redis_guard.runtime.aio import Coordination, Lease
from tests.runtime.faults.registered import registry

async def main():
    async with Coordination(registry(), url=sys.argv[1]) as coordination:
        await coordination.start()
        print("ready", flush=True)
        {aio}

try:
    asyncio.run(main())
except KeyboardInterrupt:
    print("interrupted", flush=True)
""",
}
ACQUIRE = {
    "sync": 'coordination.lock("lock_closed", 1, wait=60).try_acquire()',
    "aio": 'await coordination.lock("lock_closed", 1, wait=60).try_acquire()',
}


def program(world: World, **parts: str) -> str:
    return PROGRAMS[world.name].format(**{world.name: parts[world.name]})


def test_control_c_while_the_reply_is_awaited_leaves_no_lock(
    world: World, proxy: Proxy, client: redis.Redis
) -> None:
    reply = proxy.hold_reply("evalsha")
    with Child(program(world, **ACQUIRE), proxy.url) as child:
        assert child.says() == "ready"
        reply.wait()
        assert client.exists(LOCK)

        child.interrupt()

        assert child.says() == "interrupted"
        assert child.ended() == 0
    assert not client.exists(LOCK)


def test_control_c_during_a_wait_ends_it(world: World, proxy: Proxy, client: redis.Redis) -> None:
    client.set(LOCK, "another", px=300_000)
    with Child(program(world, **ACQUIRE), proxy.url) as child:
        assert child.says() == "ready"
        until(lambda: client.pubsub_numsub(f"{LOCK}:wake")[0][1])

        child.interrupt()

        assert child.says() == "interrupted"
        assert child.ended() == 0
    assert client.get(LOCK) == b"another"


def test_control_c_in_a_block_gives_the_lock_back(world: World, proxy: Proxy, client: redis.Redis) -> None:
    body = {
        "sync": 'with coordination.lock("lock_closed", 1) as lease: lease.lost.wait()',
        "aio": 'async with coordination.lock("lock_closed", 1) as lease: await lease.lost.wait()',
    }
    with Child(program(world, **body), proxy.url) as child:
        assert child.says() == "ready"
        until(lambda: client.exists(LOCK))

        child.interrupt()

        assert child.says() == "interrupted"
        assert child.ended() == 0
    assert not client.exists(LOCK)
