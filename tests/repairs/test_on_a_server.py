"""Fixed programs at work: whatever somebody else does between two of their commands, they keep their promise.

Law of this file: each program is run as it was and as it is, with an intruder before each of its commands in turn. As
it was, some intrusion breaks it; as it is, none does.
"""

from collections.abc import Callable, Iterator
from textwrap import dedent
from typing import Any

import pytest
import redis

from redis_guard.testing import Server
from tests.repairs.conftest import Mended

Mend = Callable[..., Mended]
Program = dict[str, Any]
HEAD = "import json\nimport uuid\n\nimport redis\n\nr = redis.Redis()\n\n\n"
COMMANDS = 6
"""More than any of the programs sends."""


@pytest.fixture(scope="module")
def session_server() -> Iterator[Server]:
    with Server() as server:
        yield server


@pytest.fixture
def client(session_server: Server) -> Iterator[redis.Redis]:
    session_server.flush()
    with session_server.connect() as client:
        yield client


class Intruder:
    """Does something once, before the command of a number."""

    def __init__(self, number: int, deed: Callable[[], object]) -> None:
        self.left, self.deed = number, deed

    def look(self) -> None:
        self.left -= 1
        if self.left == 0:
            self.deed()


def load(text: str, server: Server) -> Program:
    """A program with a client of the server."""
    program: Program = {"__name__": "program"}
    exec(
        compile(text.replace("redis.Redis()", f"redis.Redis(port={server.port})"), "program", "exec"), program
    )
    return program


def attempt(program: Program, name: str) -> object:
    """What a function of a program gives; None where it refuses."""
    try:
        return program[name]()
    except RuntimeError:
        return None


def watched(program: Program, name: str, intruder: Intruder) -> object:
    """As `attempt`, while the intruder looks at the commands of the program's client."""
    client = program["r"]
    send = client.execute_command

    def execute_command(*words: object, **options: object) -> object:
        intruder.look()
        return send(*words, **options)

    client.execute_command = execute_command
    return attempt(program, name)


ONE_WINS = {
    "a claim": (
        "RG209",
        """
        def take():
            if r.exists("k"):
                return False
            r.set("k", "me", ex=60)
            return True
        """,
    ),
    "a claim that does more": (
        "RG209",
        """
        def take():
            if "k" not in r:
                r["k"] = "me"
                return "taken"
            return None
        """,
    ),
    "a claim of a field": (
        "RG209",
        """
        def take():
            if r.hexists("k", "f"):
                return False
            r.hset("k", "f", "me")
            return True
        """,
    ),
    "a claim whose value is dear": (
        "RG209",
        """
        def take():
            if r.exists("k"):
                raise RuntimeError
            value = json.dumps(["me"])
            r.set("k", value, ex=60)
            return True
        """,
    ),
    "a one-time code": (
        "RG210",
        """
        def take():
            value = r.get("code")
            if value is None:
                return False
            r.delete("code")
            return True
        """,
    ),
    "a one-time code in a block": (
        "RG210",
        """
        def take():
            value = r.get("code")
            if value:
                r.delete("code")
            return value
        """,
    ),
}


@pytest.mark.parametrize(("rule", "code"), ONE_WINS.values(), ids=ONE_WINS.keys())
def test_one_of_two_wins(
    mend: Mend,
    session_server: Server,
    client: redis.Redis,
    rule: str,
    code: str,
) -> None:
    mended = mend(dedent(code), rule, head=HEAD)
    assert mended.fixes

    def winners(text: str) -> set[int]:
        counts = set()
        for number in range(1, COMMANDS):
            client.flushall()
            client.set("code", "secret")
            ours, theirs = load(text, session_server), load(text, session_server)
            second: list[object] = []
            intruder = Intruder(
                number, lambda theirs=theirs, second=second: second.append(attempt(theirs, "take"))
            )
            first = watched(ours, "take", intruder)
            if not second:
                second.append(attempt(theirs, "take"))
            counts.add(bool(first) + bool(second[0]))
        return counts

    assert winners(mended.before) == {1, 2}
    assert winners(HEAD + mended.text) == {1}


KEPT = {
    "a lock in a function": (
        ("RG302", "RG304"),
        """
        def once():
            if not r.set("lock:a", "1", nx=True, ex=30):
                return
            try:
                r.ping()
            finally:
                r.delete("lock:a")
        """,
    ),
    "a lock of a context manager": (
        ("RG302", "RG304"),
        """
        class Mutex:
            def __init__(self, client: redis.Redis):
                self.client = client

            def __enter__(self):
                if not self.client.set("lock:a", 1, nx=True, ex=30):
                    raise RuntimeError

            def __exit__(self, *error):
                self.client.delete("lock:a")


        def once():
            with Mutex(r):
                r.ping()
        """,
    ),
    "an owner that is compared": (
        ("RG303",),
        """
        def drop(token):
            held = r.get("lock:a")
            if held is not None and held.decode() == token:
                r.delete("lock:a")


        def once():
            token = uuid.uuid4().hex
            if r.set("lock:a", token, nx=True, ex=30):
                drop(token)
        """,
    ),
}


@pytest.mark.parametrize(("rules", "code"), KEPT.values(), ids=KEPT.keys())
def test_the_lock_of_the_next_holder_stays(
    mend: Mend,
    session_server: Server,
    client: redis.Redis,
    rules: tuple[str, ...],
    code: str,
) -> None:
    texts = [mend(dedent(code), rule, head=HEAD) for rule in rules]

    def lost(text: str) -> list[int]:
        """The intrusions after which the lock that somebody else took meanwhile is gone."""
        found = []
        for number in range(2, COMMANDS):
            client.flushall()
            program = load(text, session_server)
            intruder = Intruder(number, lambda: client.set("lock:a", "somebody else"))
            watched(program, "once", intruder)
            if intruder.left <= 0 and client.get("lock:a") != b"somebody else":
                found.append(number)
            if intruder.left > 0:
                assert client.get("lock:a") is None, "its own lock is given back"
        return found

    for mended in texts:
        whole = mended.text if "import redis" in mended.text else HEAD + mended.text
        assert lost(mended.before)
        assert not lost(whole)
