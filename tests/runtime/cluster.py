"""A cluster of masters on this machine.

Law of this file: it is whole when it is handed over, and a slot is where `move` has put it, whatever came before.
"""

from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

import redis
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot

from redis_guard.testing import Server
from tests.runtime.until import until


class Cluster:
    """`nodes` masters, which share out the slots evenly. A start takes the two seconds that servers insist on."""

    def __init__(self, binary: Path | None = None, nodes: int = 3) -> None:
        config = {
            "cluster-enabled": "yes",
            "cluster-node-timeout": "1000",
            "cluster-config-file": "nodes.conf",
        }
        self.servers = [Server(binary, config=config) for _ in range(nodes)]
        self._clients: dict[Server, redis.Redis] = {}
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with self._stack:
            for server in self.servers:
                self._stack.enter_context(server)
                self._clients[server] = self._stack.enter_context(server.connect(decode_responses=True))
            self._join()
            self._stack = self._stack.pop_all()
        return self

    def __exit__(self, *exception: object) -> None:
        self._stack.close()

    def connect(self, **options: Any) -> redis.RedisCluster:
        """A client of the whole, to be closed by the caller."""
        return redis.RedisCluster(self.servers[0].host, self.servers[0].port, **options)

    def owner(self, key: str) -> Server:
        """The node that keeps `key`."""
        slot = key_slot(key.encode())
        map_of_slots = self._clients[self.servers[0]].execute_command("CLUSTER", "SLOTS")
        for first, last, (_, port, *_), *_ in map_of_slots:
            if first <= slot <= last:
                return next(server for server in self.servers if server.port == port)
        raise AssertionError(f"nobody keeps slot {slot}")

    def move(self, key: str, *, to: Server, finish: bool = True) -> None:
        """Move the slot of `key` and what is in it. Unfinished, the old node answers ASK for keys it has not."""
        slot, source = key_slot(key.encode()), self.owner(key)
        old, new = self._clients[source], self._clients[to]
        new.execute_command("CLUSTER", "SETSLOT", slot, "IMPORTING", _id(old))
        old.execute_command("CLUSTER", "SETSLOT", slot, "MIGRATING", _id(new))
        while names := old.execute_command("CLUSTER", "GETKEYSINSLOT", slot, 100):
            old.execute_command("MIGRATE", to.host, to.port, "", 0, 5000, "KEYS", *names)
        if finish:
            for client in self._clients.values():
                client.execute_command("CLUSTER", "SETSLOT", slot, "NODE", _id(new))

    def flush(self) -> None:
        """Empty all nodes."""
        for client in self._clients.values():
            client.flushall()

    def _join(self) -> None:
        first = self.servers[0]
        share = REDIS_CLUSTER_HASH_SLOTS / len(self.servers)
        for number, (server, client) in enumerate(self._clients.items()):
            slots = range(round(number * share), round((number + 1) * share))
            client.execute_command("CLUSTER", "ADDSLOTS", *slots)
            # Two nodes with the same epoch would first have to agree on another.
            client.execute_command("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
            if server is not first:
                client.execute_command("CLUSTER", "MEET", first.host, first.port)
        until(
            lambda: all(map(self._whole, self._clients.values())), "all nodes know each other and all slots"
        )

    def _whole(self, client: redis.Redis) -> bool:
        info = client.execute_command("CLUSTER INFO")
        return info["cluster_state"] == "ok" and int(info["cluster_size"]) == len(self.servers)


def _id(client: redis.Redis) -> str:
    name: str = client.execute_command("CLUSTER MYID")
    return name
