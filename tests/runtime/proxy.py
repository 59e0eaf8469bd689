"""A proxy before a server that loses, holds and forges what passes through, at the test's word.

Law of this file: nothing depends on time. A plan is for one message (`plan.Plan`); cutting and the like happens to the
connections that there are.
"""

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Self

from redis_guard.testing.server import free_port
from tests.runtime.link import Link
from tests.runtime.plan import Act, Plan


class Proxy:
    """Listens on `port` of 127.0.0.1, from `with` on; made for a client of `host` and `upstream`.

    With `raw=True` what passes is not taken for commands (replication, say): it can only be cut or lost as a whole.
    A plan that did not happen by the end of the `with` block fails the test.
    """

    host = "127.0.0.1"

    def __init__(self, host: str, upstream: int, *, raw: bool = False) -> None:
        self.port = free_port()
        self.raw = raw
        self.commands: list[tuple[bytes, ...]] = []
        """What clients have sent, in the order of arrival."""
        self.connections = 0
        """Accepted since the start."""
        self._upstream = (host, upstream)
        self._plans: list[Plan] = []
        self._links: list[Link] = []
        self._lock = threading.Lock()
        self._listener: socket.socket | None = None
        self._serving: threading.Thread | None = None
        self._threads: list[threading.Thread] = []
        self._black = False

    def __enter__(self) -> Self:
        self.accept()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.refuse()
        for plan in self._plans:
            plan.end()
        self.cut()
        for thread in self._threads:
            thread.join()
        self._each(Link.close)
        idle = [f"{plan.act} {plan.name.decode()}" for plan in self._plans if not plan.happened]
        assert kind or not idle, f"planned, but it never came to it: {', '.join(idle)}"

    @property
    def url(self) -> str:
        return f"redis://{self.host}:{self.port}"

    def count(self, name: str) -> int:
        """How many commands of that name have arrived."""
        return sum(command[0].lower() == name.lower().encode() for command in tuple(self.commands))

    def lose(self, name: str, *, nth: int = 1, close: bool = False) -> Plan:
        """The request never reaches the server; `close` ends the client's connection in its place."""
        return self._plan(name, "lose", nth, close)

    def hold(self, name: str, *, nth: int = 1) -> Plan:
        """The request, and what follows it on its connection, waits for `deliver()`, even if the client has gone."""
        return self._plan(name, "hold", nth)

    def drop_reply(self, name: str, *, nth: int = 1, close: bool = False) -> Plan:
        """The server does it, and nobody is told; `close` ends the client's connection then.

        The name may be that of a message without a command of its own: `subscribe` (the acknowledgement), `message`.
        """
        return self._plan(name, "drop", nth, close)

    def hold_reply(self, name: str, *, nth: int = 1) -> Plan:
        """The server does it; the reply, and what follows it, waits for `deliver()`."""
        return self._plan(name, "hold_reply", nth)

    def answer(self, name: str, reply: bytes, *, nth: int = 1) -> Plan:
        """The proxy answers in the server's place, `reply` being a whole message (`b"-BUSY busy\\r\\n"`).

        Not for a connection on which other answers are still to come.
        """
        return self._plan(name, "answer", nth, answer=reply)

    def refuse(self) -> None:
        """No new connections: the port is closed, and those accepted until now are known, for `cut()` to end."""
        if self._listener and self._serving:
            # A blocked accept() notices a shutdown, not a close.
            with contextlib.suppress(OSError):
                self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            self._serving.join()
            self._listener = self._serving = None

    def accept(self) -> None:
        """Listen (again), at the same port."""
        listener = socket.create_server((self.host, self.port))
        self._listener = listener
        self._serving = self._start(lambda: self._serve(listener))

    def cut(self) -> None:
        """End all connections, on both sides."""
        self._each(Link.cut)

    def half_close(self) -> None:
        """Clients find the end of what the server sends; what they send still reaches the server."""
        self._each(Link.half_close)

    def blackhole(self) -> None:
        """Nothing passes any more, in either direction, and connections stay open; new ones too, until `heal()`."""
        self._black = True
        self._each(Link.blackhole)

    def heal(self) -> None:
        """New connections work again; what went into the hole is lost, and so are the connections it was on."""
        self._black = False

    def planned(self, name: bytes, *acts: Act) -> Plan | None:
        """For a link: what shall happen to this message."""
        with self._lock:
            return next((plan for plan in self._plans if plan.act in acts and plan.takes(name)), None)

    def _plan(self, name: str, act: Act, nth: int, close: bool = False, answer: bytes = b"") -> Plan:
        plan = Plan(name.lower().encode(), act, nth, close, answer)
        with self._lock:
            self._plans.append(plan)
        return plan

    def _each(self, deed: Callable[[Link], None]) -> None:
        with self._lock:
            links = tuple(self._links)
        for link in links:
            deed(link)

    def _serve(self, listener: socket.socket) -> None:
        for client in _accepted(listener):
            try:
                server = socket.create_connection(self._upstream)
            except OSError:
                client.close()
                continue
            link = Link(self, client, server)
            with self._lock:
                self.connections += 1
                self._links.append(link)
            if self._black:
                link.blackhole()
            self._start(link.upwards)
            self._start(link.downwards)

    def _start(self, work: Callable[[], None]) -> threading.Thread:
        thread = threading.Thread(target=work, daemon=True)
        self._threads.append(thread)
        thread.start()
        return thread


def _accepted(listener: socket.socket) -> Iterator[socket.socket]:
    while True:
        try:
            client, _ = listener.accept()
        except OSError:
            return
        yield client
