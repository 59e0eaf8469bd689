"""A master, its replica, and the sentinels that watch them.

Law of this file: when it is handed over, a failover would succeed; it does about a second after the master is gone.
"""

import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

import redis
import redis.sentinel

from redis_guard.testing import Server
from tests.runtime.until import until

SERVICE = "coordination"
QUICK = {"repl-diskless-sync-delay": "0"}


class Sentinels:
    """`count` sentinels; one is quick, three take the seconds in which they find each other."""

    def __init__(self, binary: Path | None = None, count: int = 1) -> None:
        self._binary = binary
        self._count = count
        self._stack = ExitStack()
        self.master = Server(binary, config=QUICK)
        self.replica: Server
        self.sentinels: list[Server] = []

    def __enter__(self) -> Self:
        with self._stack:
            self._stack.enter_context(self.master)
            following = {**QUICK, "replicaof": f"{self.master.host} {self.master.port}"}
            self.replica = self._stack.enter_context(Server(self._binary, config=following))
            with self.replica.connect() as client:
                # A sentinel that finds no replica looks again ten seconds later.
                until(lambda: client.info("replication")["master_link_status"] == "up", "the replica follows")
            folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory()))
            self.sentinels = [self._sentinel(folder / f"{number}.conf") for number in range(self._count)]
            for sentinel in self.sentinels:
                with sentinel.connect(decode_responses=True) as client:
                    until(
                        lambda client=client: self._ready(client), "the sentinel knows replica and sentinels"
                    )
            self._stack = self._stack.pop_all()
        return self

    def __exit__(self, *exception: object) -> None:
        self._stack.close()

    def connect(self, **options: Any) -> redis.sentinel.Sentinel:
        """What redis-py has for sentinels; `.master_for(SERVICE)` makes a client."""
        addresses = [(sentinel.host, sentinel.port) for sentinel in self.sentinels]
        return redis.sentinel.Sentinel(addresses, **options)

    def fail_over(self) -> Server:
        """Kill the master; the new one, once the sentinels say so and it takes writes."""
        self.master.kill()
        with self.sentinels[0].connect(decode_responses=True) as client:
            until(
                lambda: self._address(client) == ("127.0.0.1", str(self.replica.port)),
                "a new master is named",
            )
        with self.replica.connect() as client:
            until(lambda: client.info("replication")["role"] == "master", "the new master takes writes")
        return self.replica

    def _sentinel(self, file: Path) -> Server:
        quorum = self._count // 2 + 1
        file.write_text(
            f"sentinel monitor {SERVICE} {self.master.host} {self.master.port} {quorum}\n"
            f"sentinel down-after-milliseconds {SERVICE} 500\n"
            f"sentinel failover-timeout {SERVICE} 3000\n",
            "utf-8",
        )
        server = Server(self._binary, arguments=(str(file), "--sentinel"))
        return self._stack.enter_context(server)

    def _ready(self, client: redis.Redis) -> bool:
        state = _pairs(client.execute_command("SENTINEL", "MASTER", SERVICE))
        replicas = [_pairs(each) for each in client.execute_command("SENTINEL", "REPLICAS", SERVICE)]
        return int(state["num-other-sentinels"]) == self._count - 1 and [
            each["master-link-status"] for each in replicas
        ] == ["ok"]

    def _address(self, client: redis.Redis) -> tuple[str, ...] | None:
        found = client.execute_command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", SERVICE)
        return tuple(map(str, found)) if found else None


def _pairs(reply: Any) -> dict[str, str]:
    return reply if isinstance(reply, dict) else dict(zip(reply[::2], reply[1::2], strict=True))
