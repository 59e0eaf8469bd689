"""One connection to one server, and what it knows of the server's clock, in the world of asyncio.

Law of this file: an exchange ends within its budget; a connection on which anything went wrong, a cancellation
included, is closed at once and never used again.
"""

import asyncio
import select
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from redis.asyncio.connection import Connection, SSLConnection, UnixDomainSocketConnection
from redis.asyncio.retry import Retry
from redis.exceptions import NoScriptError

from redis_guard.runtime.clock import ahead, closer, now
from redis_guard.runtime.core.opening import Kinds, unopened
from redis_guard.runtime.core.requests import by_hash, in_full
from redis_guard.runtime.core.slots import Address, Moved
from redis_guard.runtime.core.talks import Talk, all_at_once, broken, refused, with_replicas
from redis_guard.runtime.faults import ANSWERS, Fault, classify, told
from redis_guard.runtime.origin import Server
from redis_guard.runtime.steps import Answer, Send

T = TypeVar("T")

KINDS = Kinds(Connection, SSLConnection, UnixDomainSocketConnection, Retry)


class Link:
    """A connection that is open."""

    __slots__ = ("_arrived", "_connection", "_reader", "_writer", "address", "offset")

    def __init__(self, connection: Any, address: Address, offset: float) -> None:
        self._connection = connection
        # redis-py offers no way to write without waiting, nor to close without a farewell.
        self._reader: asyncio.StreamReader = connection._reader
        self._writer: asyncio.StreamWriter = connection._writer
        self._arrived = _arrived(self._writer)
        self.address = address
        self.offset = offset
        """Seconds that the server's clock is ahead of ours, at least: late requests are refused a little early."""

    @classmethod
    async def open(cls, server: Server, seconds: float, *, timed: bool = True) -> "Link":
        """Connect, log in and, where `timed`, ask for the time (sentinels have none). Raises `Fault`, opening."""
        connection = unopened(server, KINDS, None)
        values: list[bytes] | None = None
        try:
            async with asyncio.timeout(seconds):
                await connection.connect()
                if timed:
                    await connection.send_command(b"TIME", check_health=False)
                    values = await connection.read_response()
        except Exception as error:
            _abort(connection)
            raise Fault(classify(error), told(error) or "no connection in time", opening=True) from error
        except BaseException:
            _abort(connection)
            raise
        return cls(connection, (server.host, server.port), ahead(values))

    @property
    def stale(self) -> bool:
        """The server has closed it, or something arrived that nobody asked for."""
        return self._writer.is_closing() or self._reader.at_eof() or self._arrived()

    async def exchange(self, send: Send, budget: float) -> Answer:
        """Call the script once. Raises `Fault`, `MovedError` and `AskError`."""
        sent_at = now()
        until = sent_at + budget
        not_after = int((until + self.offset) * 1_000_000)
        try:
            # A talk with replicas keeps to the time by itself, and knows what has been answered by then.
            async with asyncio.timeout(None if send.replicas else budget):
                try:
                    values = await self._call(by_hash(send, not_after), send.replicas, until)
                except NoScriptError:
                    # The server was restarted or flushed, or is a new one: sent whole, it knows the script from now on.
                    values = await self._call(in_full(send, not_after), send.replicas, until)
        except ANSWERS as error:
            raise refused(error) from error
        except Exception as error:
            self.close()
            raise broken(error, sent_at, until) from error
        except BaseException:
            self.close()
            raise
        replicas = values.pop() if send.replicas else 0
        self.learn(values[-1], sent_at)
        return Answer(values, sent_at, replicas)

    async def exchange_all(
        self, sends: Sequence[Send], budget: float
    ) -> tuple[list[Answer | Fault], list[Moved]]:
        """Call several scripts in one round trip; what came of each, and slots that have moved."""
        sent_at = now()
        until = sent_at + budget
        not_after = int((until + self.offset) * 1_000_000)
        talk = all_at_once(sends, not_after, sent_at, until, self.address)
        answers, moved = await self._talk(talk, budget)
        for answer in answers:
            if isinstance(answer, Answer):
                self.learn(answer.values[-1], sent_at)
        return answers, moved

    def learn(self, server_us: int, sent_at: float) -> None:
        """The server read its clock after `sent_at`, and the reply has just arrived; 0 where it did not say."""
        if server_us:
            self.offset = closer(self.offset, server_us / 1_000_000, sent_at, now())

    async def command(self, budget: float, *words: Any) -> Any:
        """Any other command. Raises `Fault`."""
        sent_at = now()
        try:
            async with asyncio.timeout(budget):
                self.write(*words)
                return await self._connection.read_response(disconnect_on_error=False)
        except ANSWERS as error:
            raise Fault(classify(error), told(error)) from error
        except Exception as error:
            self.close()
            raise broken(error, sent_at) from error
        except BaseException:
            self.close()
            raise

    def write(self, *words: Any) -> None:
        """Send a command whose reply `read` will bring."""
        self._writer.write(b"".join(self._connection.pack_command(*words)))

    async def read(self, seconds: float) -> Any:
        """What has arrived or arrives in time, None if nothing does. Raises `Fault`."""
        try:
            # Bounded by redis-py, which keeps what has arrived of a message.
            return await self._connection.read_response(timeout=seconds, disconnect_on_error=False)
        except Exception as error:
            raise broken(error, now()) from error

    def close(self) -> None:
        """Close it at once; never fails."""
        _abort(self._connection)

    async def _call(self, request: bytes, replicas: int, until: float) -> list[Any]:
        if replicas:
            return await self._talk(with_replicas(request, replicas, until - now()), until - now())
        self._writer.write(request)
        values: list[Any] = await self._connection.read_response(disconnect_on_error=False)
        return values

    async def _talk(self, talk: Talk[T], budget: float) -> T:
        reply: Any = None
        error: BaseException | None = None
        # Within the talk, so that one which was cut short tells what it has.
        deadline = asyncio.get_running_loop().time() + budget
        while True:
            try:
                request = talk.send(reply) if error is None else talk.throw(error)
            except StopIteration as done:
                result: T = done.value
                return result
            try:
                async with asyncio.timeout_at(deadline):
                    if request:
                        self._writer.write(request)
                    reply = await self._connection.read_response(disconnect_on_error=False)
                error = None
            except ANSWERS as answered:
                error = answered
            except BaseException as raised:
                self.close()
                error = raised


def _arrived(writer: asyncio.StreamWriter) -> Callable[[], bool]:
    """What tells in one system call whether the loop has something to read, where the system has it."""
    sock = writer.get_extra_info("socket")
    if sock is None or not hasattr(select, "poll"):
        return bool  # never
    poller = select.poll()
    poller.register(sock.fileno(), select.POLLIN)

    def arrived() -> bool:
        return bool(poller.poll(0))

    return arrived


def _abort(connection: Any) -> None:
    """At once: redis-py's `disconnect` would send what is unsent, and take leave over TLS."""
    # A loop that is closed takes nothing on any more.
    with suppress(RuntimeError):
        if connection._writer is not None:
            connection._writer.transport.abort()
        connection._close()
