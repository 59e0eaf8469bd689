"""One connection through the proxy: a client's socket, a server's, and what passes between them.

Law of this file: order is kept, and a request that has arrived reaches the server even if its client has gone, unless
it is planned otherwise.
"""

import contextlib
import socket
from collections import deque
from typing import TYPE_CHECKING

from tests.runtime.frames import PUSHES, Splitter, pushed, words
from tests.runtime.plan import Plan

if TYPE_CHECKING:
    from tests.runtime.proxy import Proxy


class Link:
    def __init__(self, proxy: "Proxy", client: socket.socket, server: socket.socket) -> None:
        self._proxy = proxy
        self._client = client
        self._server = server
        self._black = False
        # Commands that the server has yet to answer, each with the plan that waits for it.
        self._asked: deque[tuple[bytes, Plan | None]] = deque()
        for side in (client, server):
            side.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def cut(self) -> None:
        for side in (self._client, self._server):
            _end(side, socket.SHUT_RDWR)

    def close(self) -> None:
        """When both directions have ended."""
        self._client.close()
        self._server.close()

    def half_close(self) -> None:
        _end(self._client, socket.SHUT_WR)

    def blackhole(self) -> None:
        self._black = True

    def upwards(self) -> None:
        """Until the client has gone; then the server is told, behind all that was sent."""
        splitter = Splitter()
        while received := _receive(self._client):
            if self._black:
                continue
            if self._proxy.raw:
                _send(self._server, received)
                continue
            for request in splitter.feed(received):
                self._request(request)
        # In a black hole the end of a connection is not told either.
        if not self._black:
            _end(self._server, socket.SHUT_WR)

    def downwards(self) -> None:
        """Until the server has gone; then the client is told."""
        splitter = Splitter()
        while received := _receive(self._server):
            if self._black:
                continue
            for reply in (received,) if self._proxy.raw else splitter.feed(received):
                self._reply(reply)
        if not self._black:
            _end(self._client, socket.SHUT_RDWR)

    def _request(self, request: bytes) -> None:
        command = words(request)
        name = command[0].lower()
        self._proxy.commands.append(command)
        plan = self._proxy.planned(name, "lose", "hold", "answer")
        if plan and plan.act == "hold":
            plan.held()
        if not plan or plan.act == "hold":
            # What a subscription is answered with is told apart by its kind, and may be several messages.
            if name not in PUSHES:
                self._asked.append((name, plan))
            _send(self._server, request)
            if plan and name in PUSHES:
                plan.finished()
        elif plan.act == "answer":
            _send(self._client, plan.answer)
        elif plan.close:
            self.cut()

    def _reply(self, reply: bytes) -> None:
        if self._proxy.raw:
            _send(self._client, reply)
            return
        kind = pushed(reply)
        name, waiting = (kind, None) if kind or not self._asked else self._asked.popleft()
        plan = self._proxy.planned(name, "drop", "hold_reply")
        if plan and plan.act == "hold_reply":
            plan.held()
        if not plan or plan.act == "hold_reply":
            _send(self._client, reply)
        elif plan.close:
            self.cut()
        for served in (waiting, plan):
            if served:
                served.finished()


def _receive(side: socket.socket) -> bytes:
    try:
        return side.recv(65_536)
    except OSError:
        return b""


def _send(side: socket.socket, content: bytes) -> None:
    # Who is not there any more is not told.
    with contextlib.suppress(OSError):
        side.sendall(content)


def _end(side: socket.socket, way: int) -> None:
    with contextlib.suppress(OSError):
        side.shutdown(way)
