"""Every connection that a program opens, led to the test server, recorded, and cut off where a death says so.

Law of this file: redis-py sends, retries, parses and pools as it always does; only the socket is another one.
"""

import asyncio
import contextlib
import os
import socket
from collections.abc import Callable, Coroutine, Iterable, Iterator
from typing import Any
from unittest import mock

import redis
import redis.asyncio.connection
import redis.connection

from redis_guard.testing import Server
from tests.proof.death import Crash, Death, Manner
from tests.proof.wire import Command, Cutter

HOUSEKEEPING = frozenset((b"HELLO", b"AUTH", b"SELECT", b"CLIENT", b"READONLY", b"CLUSTER", b"COMMAND"))
"""What a client says of itself when it connects, or asks of a cluster: no step of the program."""
_ANSWER_SECONDS = 10.0


class Tap:
    """The connections of one run."""

    def __init__(self, server: Server, death: Death | None = None) -> None:
        self._server = server
        self._death = death
        self._links: list[Link] = []
        self._connections: list[Any] = []
        self._asynchronous: list[Any] = []
        self.commands: list[Command] = []
        """In the order in which the server got them."""
        self.databases: list[int] = []
        """Where each of them went."""
        self.dead = False
        """Killed: nothing that the program does is to have an effect any more."""
        self.crashed = False

    @contextlib.contextmanager
    def opened(self) -> Iterator[None]:
        """While inside, whatever connects through redis-py is this tap's."""
        sync, aio = redis.connection, redis.asyncio.connection
        with contextlib.ExitStack() as stack:
            for owner in (sync.Connection, sync.SSLConnection, sync.UnixDomainSocketConnection):
                stack.enter_context(mock.patch.object(owner, "_connect", self._to_socket()))
            for owner in (aio.Connection, aio.UnixDomainSocketConnection):
                stack.enter_context(mock.patch.object(owner, "_connect", self._to_streams()))
            yield

    def close(self) -> None:
        """Let the server finish what it was sent, and close what the program left open."""
        self._finish()
        for connection in self._connections:
            # What is only found by the garbage collector later is to reach nobody, least of all another server.
            connection.send_packed_command = _too_late

    def _finish(self) -> None:
        for link in self._links:
            link.finish()

    async def hang_up(self) -> None:
        """Close asyncio's connections while their event loop still runs."""
        for connection in self._asynchronous:
            await connection.disconnect(nowait=True)

    def _to_socket(self) -> Callable[[Any], socket.socket]:
        def connect(connection: Any) -> socket.socket:
            self._admit(connection)
            tapped = TappedSocket(socket.AF_INET, socket.SOCK_STREAM)
            tapped.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            tapped.connect((self._server.host, self._server.port))
            tapped.settimeout(connection.socket_timeout)
            tapped.link = self._link(tapped.fileno())
            return tapped

        return connect

    def _to_streams(self) -> Callable[[Any], Coroutine[None, None, None]]:
        async def connect(connection: Any) -> None:
            self._admit(connection)
            reader, writer = await asyncio.open_connection(self._server.host, self._server.port)
            fileno = writer.get_extra_info("socket").fileno()
            connection._reader = reader
            connection._writer = TappedWriter(writer, self._link(fileno))
            self._asynchronous.append(connection)

        return connect

    def _admit(self, connection: Any) -> None:
        self._check_alive()
        self._connections.append(connection)
        # The test server has no password; redis-py would say one that the program's client was given.
        connection.username = connection.password = connection.credential_provider = None

    def _check_alive(self) -> None:
        if self.dead:
            raise Crash("a killed program speaks to nobody")

    def _link(self, fileno: int) -> "Link":
        link = Link(self, fileno)
        self._links.append(link)
        return link

    def let_through(self, link: "Link", data: bytes) -> Iterator[bytes]:
        """The pieces of `data` that are to be sent; raises Crash where the program ends."""
        self._check_alive()
        ready = bytearray()
        for piece, command in link.cutter.feed(data):
            if command is None or command[0].upper() in HOUSEKEEPING:
                if command is not None and command[0].upper() == b"SELECT":
                    link.database = int(command[1])
                ready += piece
                continue
            ends = not self.crashed and self._death is not None and self._death.at == len(self.commands) + 1
            if ends and self._death is not None and self._death.unsent:
                yield bytes(ready)
                self._end(self._death)
            ready += piece
            self.commands.append(command)
            self.databases.append(link.database)
            if ends and self._death is not None:
                yield bytes(ready)
                self._end(self._death)
        yield bytes(ready)

    def _end(self, death: Death) -> None:
        self.crashed = True
        self.dead = death.manner is Manner.KILLED
        # Bytes that lie in the kernel when a connection is reset may be lost; these were to arrive.
        self._finish()
        raise Crash(str(death))


class Link:
    """One connection, seen from below."""

    def __init__(self, tap: Tap, fileno: int) -> None:
        self._tap = tap
        self.cutter = Cutter()
        self.database = 0
        # A descriptor of our own: the program may close its one at any time.
        self._own = socket.socket(fileno=os.dup(fileno))

    def let_through(self, data: bytes) -> Iterator[bytes]:
        return self._tap.let_through(self, data)

    def finish(self) -> None:
        """Back when the server has done all that was sent and has closed its end."""
        if self._own.fileno() < 0:
            return
        with self._own, contextlib.suppress(OSError):
            self._own.settimeout(_ANSWER_SECONDS)
            self._own.shutdown(socket.SHUT_WR)
            while self._own.recv(65536):
                pass


class TappedSocket(socket.socket):
    """What redis-py's blocking connections write to."""

    link: Link

    def sendall(self, data: Any, flags: int = 0) -> None:
        for piece in self.link.let_through(bytes(data)):
            super().sendall(piece, flags)


class TappedWriter:
    """What redis-py's asyncio connections write to; all but writing is the real writer's."""

    def __init__(self, writer: asyncio.StreamWriter, link: Link) -> None:
        self._writer = writer
        self._link = link

    def __getattr__(self, name: str) -> Any:
        return getattr(self._writer, name)

    def write(self, data: bytes) -> None:
        for piece in self._link.let_through(data):
            self._writer.write(piece)

    def writelines(self, pieces: Iterable[bytes]) -> None:
        self.write(b"".join(pieces))


def _too_late(*_: object, **__: object) -> None:
    raise redis.ConnectionError("the run is over")
