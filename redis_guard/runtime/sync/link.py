"""One connection to one server, and what it knows of the server's clock.

Law of this file: an exchange ends within its budget; a connection on which anything went wrong is never used again.
"""

import os
import select
from collections.abc import Sequence
from contextlib import suppress
from socket import SHUT_RDWR
from typing import Any, TypeVar

from redis.connection import Connection, SSLConnection, UnixDomainSocketConnection
from redis.exceptions import NoScriptError
from redis.retry import Retry

from redis_guard.runtime.clock import ahead, closer, now
from redis_guard.runtime.core.opening import Kinds, unopened
from redis_guard.runtime.core.requests import by_hash, in_full
from redis_guard.runtime.core.slots import Moved
from redis_guard.runtime.core.talks import Talk, all_at_once, broken, refused, with_replicas
from redis_guard.runtime.faults import ANSWERS, Fault, classify, told
from redis_guard.runtime.origin import Server
from redis_guard.runtime.steps import Answer, Send

T = TypeVar("T")

KINDS = Kinds(Connection, SSLConnection, UnixDomainSocketConnection, Retry)

TAKES_TIMEOUT = "timeout" in (Connection.read_response.__kwdefaults__ or {})
"""redis-py 8 bounds a read itself; before it, the wait for the first byte is bounded here."""


class Link:
    """A connection that is open."""

    __slots__ = ("_poller", "address", "connection", "offset", "pid", "place")

    def __init__(self, connection: Any, address: tuple[str, int], offset: float) -> None:
        self.connection = connection
        self.address = address
        self.offset = offset
        """Seconds that the server's clock is ahead of ours, at least: late requests are refused a little early."""
        self.pid = os.getpid()
        self.place: object = None
        """Its place among those that may be open; free again when nothing refers to it."""
        self._poller = _poller(connection)

    @classmethod
    def open(cls, server: Server, seconds: float, *, timed: bool = True) -> "Link":
        """Connect, log in and, where `timed`, ask for the time (sentinels have none). Raises `Fault`, opening."""
        until = now() + seconds
        connection = unopened(server, KINDS, seconds)
        try:
            connection.connect()
            # Reading has its own bound from here on; a reply that has begun to arrive is short.
            values = _command(connection, until, b"TIME") if timed else None
        except Fault as fault:
            connection.disconnect()
            raise Fault(fault.error_class, fault.detail, opening=True) from fault
        except BaseException as error:
            connection.disconnect()
            if not isinstance(error, Exception):
                raise
            raise Fault(classify(error), told(error), opening=True) from error
        return cls(connection, (server.host, server.port), ahead(values))

    @property
    def stale(self) -> bool:
        """The server has closed it, or something arrived that nobody asked for."""
        if self._poller is not None:
            return bool(self._poller.poll(0))
        try:
            return bool(self.connection.can_read(0))
        except Exception:
            return True

    def exchange(self, send: Send, budget: float) -> Answer:
        """Call the script once. Raises `Fault`, `MovedError` and `AskError`."""
        sent_at = now()
        until = sent_at + budget
        not_after = int((until + self.offset) * 1_000_000)
        try:
            try:
                values = self._call(by_hash(send, not_after), send.replicas, until)
            except NoScriptError:
                # The server was restarted or flushed, or is a new one: sent whole, it knows the script from now on.
                values = self._call(in_full(send, not_after), send.replicas, until)
        except ANSWERS as error:
            raise refused(error) from error
        except Exception as error:
            self.connection.disconnect()
            raise broken(error, sent_at, until) from error
        except BaseException:
            self.connection.disconnect()
            raise
        replicas = values.pop() if send.replicas else 0
        self.learn(values[-1], sent_at)
        return Answer(values, sent_at, replicas)

    def exchange_all(self, sends: Sequence[Send], budget: float) -> tuple[list[Answer | Fault], list[Moved]]:
        """Call several scripts in one round trip; what came of each, and slots that have moved."""
        sent_at = now()
        until = sent_at + budget
        not_after = int((until + self.offset) * 1_000_000)
        talk = all_at_once(sends, not_after, sent_at, until, self.address)
        answers, moved = self._talk(talk, until)
        for answer in answers:
            if isinstance(answer, Answer):
                self.learn(answer.values[-1], sent_at)
        return answers, moved

    def learn(self, server_us: int, sent_at: float) -> None:
        """The server read its clock after `sent_at`, and the reply has just arrived; 0 where it did not say."""
        if server_us:
            self.offset = closer(self.offset, server_us / 1_000_000, sent_at, now())

    def command(self, budget: float, *words: Any) -> Any:
        """Any other command. Raises `Fault`."""
        sent_at = now()
        try:
            return _command(self.connection, sent_at + budget, *words)
        except ANSWERS as error:
            raise Fault(classify(error), told(error)) from error
        except Exception as error:
            self.connection.disconnect()
            raise broken(error, sent_at) from error
        except BaseException:
            self.connection.disconnect()
            raise

    def write(self, *words: Any) -> None:
        """Send a command whose reply `read` will bring. Raises `Fault`."""
        try:
            self.connection.send_packed_command(self.connection.pack_command(*words), check_health=False)
        except Exception as error:
            raise broken(error, now()) from error

    def readable(self, seconds: float) -> bool:
        """Something has arrived, or arrives in time. Raises `Fault`."""
        try:
            return bool(self.connection.can_read(seconds))
        except Exception as error:
            raise broken(error, now()) from error

    def read(self) -> Any:
        """What has arrived. Raises `Fault`."""
        try:
            return self.connection.read_response()
        except Exception as error:
            raise broken(error, now()) from error

    def shut(self) -> None:
        """Have whoever reads it in another thread come back; the reader closes it."""
        sock = self.connection._sock  # redis-py offers no way to shut a connection from another thread
        if sock is not None:
            with suppress(OSError):
                sock.shutdown(SHUT_RDWR)

    def close(self) -> None:
        """Close it; never fails."""
        self.connection.disconnect()

    def _call(self, request: bytes, replicas: int, until: float) -> list[Any]:
        connection = self.connection
        if not replicas:
            connection.send_packed_command((request,), check_health=False)
            values: list[Any] = _reply(connection, until)
            return values
        return self._talk(with_replicas(request, replicas, until - now()), until)

    def _talk(self, talk: Talk[T], until: float) -> T:
        reply: Any = None
        error: BaseException | None = None
        while True:
            try:
                request = talk.send(reply) if error is None else talk.throw(error)
            except StopIteration as done:
                result: T = done.value
                return result
            try:
                if request:
                    self.connection.send_packed_command((request,), check_health=False)
                reply, error = _reply(self.connection, until), None
            except ANSWERS as answered:
                error = answered
            except BaseException as raised:
                self.connection.disconnect()
                error = raised


def _command(connection: Any, until: float, *words: Any) -> Any:
    connection.send_packed_command(connection.pack_command(*words), check_health=False)
    return _reply(connection, until)


def _reply(connection: Any, until: float) -> Any:
    left = max(0.001, until - now())
    if TAKES_TIMEOUT:
        return connection.read_response(timeout=left)
    if not connection.can_read(left):
        raise TimeoutError("no reply in time")
    return connection.read_response()


def _poller(connection: Any) -> "select.poll | None":
    """What tells in one system call whether anything has arrived, where the system has it."""
    if not hasattr(select, "poll"):
        return None
    poller = select.poll()
    poller.register(connection._sock, select.POLLIN)
    return poller
