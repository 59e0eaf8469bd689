"""Processes of both versions on one key: no worse than two old ones, and the new one is told what it lost."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from redis_guard.runtime import Coordination, LockLost
from redis_guard.testing import Server
from tests.migrate.conftest import REGISTRY, loaded_registry
from tests.migrate.programs import CLAIMS, COUNTERS, LOCKS, Program

Space = dict[str, Any]

EACH = 10
"""Rounds of each of four workers."""


@contextmanager
def version(text: str, server: Server, registry: str = REGISTRY, **given: object) -> Iterator[Space]:
    """One process' worth of a program: its own client, its own coordination."""
    with server.connect() as client, Coordination(loaded_registry(registry), url=server.url) as coordination:
        space: Space = {"r": client, "coordination": coordination, "done": [], **given}
        exec(compile(text, "program.py", "exec"), space)
        yield space


def four(server: Server, program: Program, round_: Callable[[Space], None], **given: object) -> None:
    """Two workers of each version, at once."""
    failed: list[BaseException] = []

    def worker(space: Space, gate: threading.Barrier) -> None:
        try:
            gate.wait()
            for _ in range(EACH):
                round_(space)
        except BaseException as error:
            failed.append(error)

    gate = threading.Barrier(4)
    with ExitStack() as stack:
        spaces = [
            stack.enter_context(version(text, server, **given))
            for text in (program.before, program.after) * 2
        ]
        threads = [threading.Thread(target=worker, args=(space, gate)) for space in spaces]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert failed == []


def named(programs: tuple[Program, ...], *names: str) -> list[Program]:
    return [program for program in programs if program.name in names]


@pytest.mark.parametrize(
    "program",
    named(LOCKS, "guard, try and finally", "within an if", "redis-py's lock by its methods"),
    ids=lambda program: program.name,
)
def test_locks_exclude_each_other(server: Server, program: Program) -> None:
    inside: list[object] = []
    most: list[int] = []

    def work(order: object) -> str:
        inside.append(order)
        most.append(len(inside))
        inside.pop()
        return "done"

    def until_done(space: Space) -> None:
        while space["settle"](7) != "done":
            pass

    four(server, program, until_done, work=work)

    assert most == [1] * 4 * EACH
    with server.connect() as client:
        assert client.keys() == []


def test_locks_that_wait_exclude_each_other(server: Server) -> None:
    [program] = named(LOCKS, "redis-py's lock in a with")
    inside: list[object] = []
    most: list[int] = []

    def work(order: object) -> None:
        inside.append(order)
        most.append(len(inside))
        inside.pop()

    # The text says 5 s, as the registry does; a busy machine is given longer to wait.
    patient = REGISTRY.replace("wait: 5s", "wait: 60s")
    before = program.before.replace("blocking_timeout=5", "blocking_timeout=60, sleep=0.001")
    four(
        server,
        Program(program.name, program.use_case, before, program.after, ()),
        lambda space: space["settle"](7),
        work=work,
        registry=patient,
    )

    assert most == [1] * 4 * EACH


def test_the_new_one_is_told_when_an_old_one_deletes_its_lease(server: Server) -> None:
    [program] = named(LOCKS, "guard, try and finally")
    with server.connect() as outside:

        def work(order: object) -> str:
            # an old worker whose own lock ran out gives back whatever is there
            outside.delete(f"settle:{order}")
            return "done"

        with version(program.after, server, work=work) as new, pytest.raises(LockLost):
            new["settle"](7)
        with version(program.before, server, work=work) as old:
            assert old["settle"](7) == "done"  # nobody tells it


def test_a_late_release_of_the_new_one_leaves_an_old_holder_alone(server: Server) -> None:
    [program] = named(LOCKS, "guard, try and finally")
    brief = REGISTRY.replace("ttl: 30s\n    wait: 5s", "ttl: 300ms\n    wait: 5s")
    with server.connect() as outside:

        def work(order: object) -> str:
            while not outside.set(f"settle:{order}", "old", nx=True, ex=30):
                pass
            return "done"

        with version(program.after, server, registry=brief, work=work) as new, pytest.raises(LockLost):
            new["settle"](7)

        assert outside.get("settle:7") == b"old"


@pytest.mark.parametrize("program", CLAIMS, ids=lambda program: program.name)
def test_one_of_all_wins_a_claim(server: Server, program: Program) -> None:
    won: Counter[int] = Counter()
    turns: dict[int, int] = {}

    def one(space: Space) -> None:
        batch = turns[id(space)] = turns.get(id(space), 0) + 1
        answer = space["export"](batch)
        if answer not in (None, False, "again"):
            won[batch] += 1

    four(server, program, one, work=lambda batch: "worked")

    assert won == dict.fromkeys(range(1, EACH + 1), 1)
    with server.connect() as client:
        assert all(0 < client.ttl(key) <= 60 for key in client.scan_iter())


@pytest.mark.parametrize(
    "program",
    named(COUNTERS, "counted by more, with a window for what has none", "a pipeline and its answers"),
    ids=lambda program: program.name,
)
def test_counts_add_up(server: Server, program: Program) -> None:
    counts: list[int] = []

    four(server, program, lambda space: counts.append(space["hit"](7)))

    step = min(counts)
    assert sorted(counts) == [step * number for number in range(1, 4 * EACH + 1)]
    with server.connect() as client:
        assert 0 < client.ttl("login:7:attempts") <= 60


LISTENER = """\
def listen():
    for _wake in coordination.signal("flags").listen():
        heard.append(_wake.reason)
        if _wake.reason == "message":
            return
        ready.set()
"""


def test_a_new_listener_hears_an_old_sender(server: Server) -> None:
    heard: list[str] = []
    ready = threading.Event()
    with version(LISTENER, server, heard=heard, ready=ready) as new, server.connect() as old:
        thread = threading.Thread(target=new["listen"])
        thread.start()
        while not old.publish("flags", "changed"):
            pass
        thread.join()

    assert heard[-1] == "message"


def test_an_old_listener_hears_a_new_sender(server: Server) -> None:
    with version("", server) as new, server.connect() as old:
        subscription = old.pubsub(ignore_subscribe_messages=True)
        subscription.subscribe("flags")
        while not new["coordination"].signal("flags").send("changed").receivers:
            pass
        message = next(subscription.listen())
        subscription.close()

    assert message["data"] == b"changed"
