"""The server that programs are run against, and connections to it that stand for the whole session.

Law of this file: what looks at the server is never what the program speaks through.
"""

from collections.abc import Mapping

import redis

from redis_guard.testing import Server
from tests.proof.keyspace import Initial, Place, now


class Bench:
    """`observer` looks, `rival` is another process of the callbacks, and a listener hears every channel."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.observer = server.connect(max_connections=1)
        self.rival = server.connect(max_connections=1)
        self.rival.ping()
        self._listener = server.connect()
        self._channels = self._listener.pubsub()
        self._channels.psubscribe("*")
        self._heard()

    def close(self) -> None:
        self._channels.close()
        for client in (self.observer, self.rival, self._listener):
            client.close()

    def prepare(self, prior: Mapping[Place, Initial]) -> int:
        """Empty the server, but for `prior`; gives the server's clock just before, in ms."""
        started = now(self.observer)
        self.observer.flushall()
        for (database, key), initial in prior.items():
            self.observer.execute_command("SELECT", database)
            initial.put(self.observer, key)
        if prior:
            self.observer.execute_command("SELECT", 0)
        return started

    def heard(self) -> tuple[tuple[bytes, bytes], ...]:
        """Channel and message, of all that was published since the last time."""
        return tuple(self._heard())

    def keys_of(self, command: tuple[bytes, ...]) -> list[bytes]:
        """The keys in a command, as the server itself finds them."""
        try:
            return [key.encode() for key in self.observer.command_getkeys(*command)]
        except redis.ResponseError:
            return []

    def _heard(self) -> list[tuple[bytes, bytes]]:
        # Whatever was published before the PING comes before its answer.
        self._channels.ping()
        messages = []
        while True:
            message = self._channels.get_message(timeout=10)
            if message is None:
                raise TimeoutError("the server does not answer a PING")
            if message["type"] == "pong":
                return messages
            if message["type"] == "pmessage":
                messages.append((message["channel"], message["data"]))
