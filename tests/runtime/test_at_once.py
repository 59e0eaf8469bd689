"""What two do at the same moment, and what may come at any moment."""

import gc
import threading
import time

import pytest
import redis

from redis_guard.runtime import Coordination, CoordinationUnavailable
from redis_guard.runtime.core.board import Board
from redis_guard.runtime.core.limits import MOST_CONNECTIONS
from redis_guard.runtime.sync.engine import Engine
from redis_guard.runtime.sync.link import Link
from redis_guard.runtime.sync.pool import Pool
from redis_guard.testing import Server
from tests.runtime.proxy import Proxy
from tests.runtime.worlds import World, registry

REGISTRY = registry(
    {"deadline": "2s"},
    job_lock={"primitive": "lock"},
    hits={"primitive": "counter"},
    news={"primitive": "signal"},
    kept_lock={"primitive": "lock", "ttl": "1s", "renew": True, "max_hold": "1m"},
)


def test_two_who_give_the_same_lease_back_do_no_harm(world: World, proxy: Proxy, client: redis.Redis) -> None:
    coordination = world.coordination(REGISTRY, url=proxy.url)
    lease = coordination.lock("job_lock", 1).try_acquire()
    assert lease is not None
    held = proxy.hold("evalsha")
    wrong: list[BaseException] = []

    def release() -> None:
        try:
            lease.release()
        except BaseException as error:
            wrong.append(error)

    first, second = threading.Thread(target=release), threading.Thread(target=release)
    first.start()
    held.wait()
    second.start()
    second.join()
    held.deliver()
    first.join()

    assert not wrong
    assert not client.exists("coordination:job_lock:1")


class TimeLimit(Exception):
    """As the handler of a signal raises it, between any two steps of the interpreter."""


def test_an_exception_from_a_signal_handler_costs_no_place_for_a_connection(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    take = Pool.take

    def cut_short(pool: Pool, budget: float, *, patient: bool) -> Link:
        take(pool, budget, patient=patient)
        raise TimeLimit

    with Coordination(REGISTRY, url=server.url) as coordination:
        with monkeypatch.context() as patched:
            patched.setattr(Pool, "take", cut_short)
            for _ in range(MOST_CONNECTIONS + 1):
                with pytest.raises(TimeLimit):
                    coordination.counter("hits", 1).increment()
        assert coordination.counter("hits", 1).increment().value == 1


@pytest.mark.parametrize("moment", ["_adopted", "give_back"])
def test_an_exception_from_a_signal_handler_leaves_no_lock_behind(
    server: Server, client: redis.Redis, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    def cut_short(*_: object, **__: object) -> None:
        raise TimeLimit

    with Coordination(REGISTRY, url=server.url) as coordination:
        if moment == "_adopted":
            monkeypatch.setattr(Engine, moment, cut_short)
        else:
            monkeypatch.setattr(type(coordination._engine.locking), moment, cut_short)
        with pytest.raises(TimeLimit), coordination.lock("job_lock", 1):
            pass

    assert not client.exists("coordination:job_lock:1")


@pytest.mark.parametrize("badly", ["slowly", "with an exit"])
def test_a_callback_keeps_no_other_lease_from_being_renewed(
    server: Server, client: redis.Redis, badly: str
) -> None:
    end = threading.Event()
    called = threading.Event()

    def on_lost(reason: str) -> None:
        called.set()
        if badly == "slowly":
            end.wait(30)
        else:
            raise SystemExit(1)

    with Coordination(REGISTRY, url=server.url) as coordination:
        lost = coordination.lock("kept_lock", 1, on_lost=on_lost).try_acquire()
        kept = coordination.lock("kept_lock", 2).try_acquire()
        assert lost is not None
        assert kept is not None
        client.delete("coordination:kept_lock:1")
        assert called.wait(10)
        time.sleep(1.5)
        kept.check()
        end.set()


def test_a_listener_that_the_garbage_collector_ends_keeps_nobody_waiting(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = Board.heard

    def collecting(board: Board[threading.Event], message: object) -> None:
        gc.collect()
        heard(board, message)

    class Circle:
        pass

    with Coordination(REGISTRY, url=server.url) as coordination:
        signal = coordination.signal("news")
        listening = signal.listen()
        next(listening)
        forgotten = Circle()
        forgotten.wakes = signal.listen()  # type: ignore[attr-defined]
        next(forgotten.wakes)  # type: ignore[attr-defined]
        forgotten.itself = forgotten  # type: ignore[attr-defined]
        time.sleep(0.5)
        monkeypatch.setattr(Board, "heard", collecting)
        gc.disable()
        del forgotten
        try:
            coordination.signal("news").send("now")
            ended = threading.Thread(target=next, args=(listening,), daemon=True)
            ended.start()
            ended.join(10)
            assert not ended.is_alive()
        finally:
            gc.enable()


def test_closing_ends_the_waiting_for_a_lock(world: World, server: Server) -> None:
    holder, other = (world.coordination(REGISTRY, url=server.url) for _ in range(2))
    ends: list[BaseException] = []

    def wait() -> None:
        try:
            with other.lock("job_lock", 1, wait=60):
                pass
        except BaseException as error:
            ends.append(error)

    with holder.lock("job_lock", 1):
        waiting = [threading.Thread(target=wait, daemon=True) for _ in range(3)]
        for thread in waiting:
            thread.start()
        time.sleep(0.5)
        other.close()
        for thread in waiting:
            thread.join(10)

    assert [type(error) for error in ends] == [CoordinationUnavailable] * 3
