"""One connection to one server, and what it knows of the server's clock.

Law of this file: an exchange ends within its budget; a connection on which anything went wrong is never used again.
"""

import os
import select
from collections.abc import Sequence
from contextlib import suppress
from math import inf
from socket import SHUT_RDWR
from typing import Any

from redis.backoff import NoBackoff
from redis.connection import Connection, SSLConnection, UnixDomainSocketConnection
from redis.exceptions import AskError, MovedError, NoScriptError, ResponseError
from redis.exceptions import TimeoutError as TheirTimeout
from redis.retry import Retry

from redis_guard.runtime.clock import closer, now
from redis_guard.runtime.core.requests import by_hash, in_full, wait_request
from redis_guard.runtime.faults import ANSWERS, Fault, Unconfirmed, classify
from redis_guard.runtime.origin import Server
from redis_guard.runtime.steps import Answer, Send

REPLICA_SHARE = 0.8
"""Of a budget: how long the server may wait for its replicas before it answers with those that have it."""


Moved = tuple[int, tuple[str, int]]
"""A slot and who keeps it now."""

TAKES_TIMEOUT = "timeout" in (Connection.read_response.__kwdefaults__ or {})
"""redis-py 8 bounds a read itself; before it, the wait for the first byte is bounded here."""


class Link:
    """A connection that is open."""

    __slots__ = ("_poller", "address", "connection", "offset", "pid")

    def __init__(self, connection: Any, address: tuple[str, int], offset: float) -> None:
        self.connection = connection
        self.address = address
        self.offset = offset
        """Seconds that the server's clock is ahead of ours, at least: late requests are refused a little early."""
        self.pid = os.getpid()
        self._poller = _poller(connection)

    @classmethod
    def open(cls, server: Server, seconds: float) -> "Link":
        """Connect, log in and ask for the time. Raises `Fault`, opening."""
        until = now() + seconds
        connection = _connection(server, seconds)
        try:
            connection.connect()
            # Reading has its own bound from here on; a reply that has begun to arrive is short.
            values = _command(connection, until, b"TIME")
        except Fault as fault:
            connection.disconnect()
            raise Fault(fault.error_class, fault.detail, opening=True) from fault
        except BaseException as error:
            connection.disconnect()
            if not isinstance(error, Exception):
                raise
            raise Fault(classify(error), told(error), opening=True) from error
        # The server read its clock before we read ours again.
        offset = int(values[0]) + int(values[1]) / 1_000_000 - now()
        return cls(connection, (server.host, server.port), offset)

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
        except (MovedError, AskError):
            raise
        except ANSWERS as error:
            # An answer: nothing was done.
            raise Fault(classify(error), told(error)) from error
        except Exception as error:
            self.connection.disconnect()
            raise Fault(classify(error), told(error), sent_at=sent_at, until=until) from error
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
        answers: dict[int, Answer | Fault] = {}
        moved: list[Moved] = []
        lost = Fault("other")
        try:
            waiting = dict(enumerate(sends))
            for write in (by_hash, in_full):
                unknown: dict[int, Send] = {}
                request = b"".join([write(send, not_after) for send in waiting.values()])
                self.connection.send_packed_command((request,), check_health=False)
                for index, send in waiting.items():
                    try:
                        values = _reply(self.connection, until)
                        self.learn(values[-1], sent_at)
                        answers[index] = Answer(values, sent_at)
                    except NoScriptError:
                        unknown[index] = send
                    except MovedError as error:
                        moved.append((error.slot_id, (error.host or self.address[0], error.port)))
                        answers[index] = Fault("moved")
                    except ResponseError as error:
                        answers[index] = Fault(classify(error), told(error))
                waiting = unknown
                if not waiting:
                    break
        except Exception as error:
            self.connection.disconnect()
            lost = Fault(classify(error), told(error), sent_at=sent_at, until=until)
        except BaseException:
            self.connection.disconnect()
            raise
        # `lost` stands only where an exception has cut the replies short.
        return [answers.get(index, lost) for index in range(len(sends))], moved

    def learn(self, server_us: int, sent_at: float) -> None:
        """The server read its clock after `sent_at`, and the reply has just arrived."""
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
            raise Fault(classify(error), told(error), sent_at=sent_at, until=inf) from error
        except BaseException:
            self.connection.disconnect()
            raise

    def write(self, *words: Any) -> None:
        """Send a command whose reply `read` will bring. Raises `Fault`."""
        try:
            self.connection.send_packed_command(self.connection.pack_command(*words), check_health=False)
        except Exception as error:
            raise Fault(classify(error), told(error), sent_at=now(), until=inf) from error

    def readable(self, seconds: float) -> bool:
        """Something has arrived, or arrives in time. Raises `Fault`."""
        try:
            return bool(self.connection.can_read(seconds))
        except Exception as error:
            raise Fault(classify(error), told(error), sent_at=now(), until=inf) from error

    def read(self) -> Any:
        """What has arrived. Raises `Fault`."""
        try:
            return self.connection.read_response()
        except Exception as error:
            raise Fault(classify(error), told(error), sent_at=now(), until=inf) from error

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
        patience = max(1, int((until - now()) * REPLICA_SHARE * 1000))
        # WAIT counts what its own connection has written.
        connection.send_packed_command((request, wait_request(replicas, patience)), check_health=False)
        error: ResponseError | None = None
        try:
            values = _reply(connection, until)
        except ResponseError as caught:
            error = caught
        try:
            confirmed = _reply(connection, until)
        except (TimeoutError, TheirTimeout) as silence:
            # Servers look at their timeouts ten times a second.
            raise Unconfirmed("no replica has confirmed in time") from error or silence
        if error is not None:
            raise error
        return [*values, confirmed]


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


def _connection(server: Server, seconds: float) -> Any:
    kind: type[Any]
    where: dict[str, Any] = {"host": server.host, "port": server.port}
    if server.kind is not None:
        kind = server.kind
    elif server.path is not None:
        kind, where = UnixDomainSocketConnection, {}
    else:
        kind = SSLConnection if server.tls else Connection
    return kind(
        **where,
        **server.options,
        retry=Retry(NoBackoff(), 0),
        socket_timeout=seconds,
        socket_connect_timeout=seconds,
        health_check_interval=0,
        decode_responses=False,
        protocol=2,
    )


def told(error: BaseException) -> str:
    """The server's words, on one line."""
    return " ".join(str(error).split())[:200]
