"""More servers than one: a master with its replica, watched by a sentinel, and a cluster.

Law of this file: what is handed over is ready: replication is up, the sentinel knows both, every slot has its node.
"""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Generic, NamedTuple, Self, TypeVar

import redis
from redis.crc import key_slot
from redis.sentinel import Sentinel

from redis_guard.testing import Server
from tests.runtime.faults.heard import until
from tests.runtime.proxy import Proxy

T = TypeVar("T")

SERVICE = "main"
SLOTS = 16_384
# Without a disk between, a master waits for more replicas to come.
AT_ONCE = {"repl-diskless-sync": "no"}


class Address(Proxy):
    """A name that leads to one server, and after a failover to another."""

    def lead_to(self, server: Server) -> None:
        self._upstream = (server.host, server.port)
        self.cut()


class Pair(NamedTuple):
    """A master and its replica."""

    master: Server
    replica: Server
    between: Proxy
    """What replication passes through."""

    def part(self) -> None:
        """Nothing reaches the replica any more."""
        self.between.blackhole()

    def promote(self) -> None:
        """The replica is a master now; the old one is gone."""
        self.master.kill()
        with self.replica.connect() as client:
            client.replicaof("no", "one")


@contextmanager
def pair(binary: Path | None) -> Iterator[Pair]:
    with (
        Server(binary, config=AT_ONCE) as master,
        Proxy(master.host, master.port, raw=True) as between,
        Server(binary) as replica,
    ):
        with replica.connect() as client, master.connect() as upstream:
            client.replicaof(between.host, between.port)
            until(lambda: client.info("replication")["master_link_status"] == "up")
            # Known to be in step: one write has been acknowledged.
            upstream.set("ready", 1, px=60_000)
            until(lambda: upstream.wait(1, 100) == 1)
        yield Pair(master, replica, between)


class Ahead(Generic[T]):
    """Makes some before they are asked for: a replica, say, needs a second to find its master."""

    def __init__(self, make: Callable[[], AbstractContextManager[T]], number: int) -> None:
        self._make = make
        self._threads = ThreadPoolExecutor(number)
        self._coming = deque(self._threads.submit(self._open) for _ in range(number))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._threads.shutdown()
        for each in self._coming:
            each.result()[0].__exit__(None, None, None)

    @contextmanager
    def next(self) -> Iterator[T]:
        """For the block alone."""
        self._coming.append(self._threads.submit(self._open))
        opened, made = self._coming.popleft().result()
        try:
            yield made
        finally:
            opened.__exit__(None, None, None)

    def _open(self) -> tuple[AbstractContextManager[T], T]:
        made = self._make()
        return made, made.__enter__()


class Watched(NamedTuple):
    master: Server
    replica: Server
    sentinel: Sentinel

    def client(self) -> redis.Redis:
        """As an application makes it."""
        client: redis.Redis = self.sentinel.master_for(SERVICE)
        return client


@contextmanager
def watched(binary: Path | None, folder: Path) -> Iterator[Watched]:
    """A master and a replica under a sentinel that gives up a silent master after 0.3 s."""
    with Server(binary, config=AT_ONCE) as master, Server(binary) as replica:
        with replica.connect() as client:
            client.replicaof(master.host, master.port)
            until(lambda: client.info("replication")["master_link_status"] == "up")
        configuration = folder / "sentinel.conf"
        configuration.write_text(
            f"sentinel monitor {SERVICE} {master.host} {master.port} 1\n"
            f"sentinel down-after-milliseconds {SERVICE} 300\n"
            f"sentinel failover-timeout {SERVICE} 3000\n"
        )
        with (
            Server(binary, arguments=(str(configuration), "--sentinel")) as watcher,
            watcher.connect() as asked,
        ):
            until(lambda: asked.execute_command("SENTINEL", "REPLICAS", SERVICE))
            sentinel = Sentinel([(watcher.host, watcher.port)])
            yield Watched(master, replica, sentinel)
            for each in sentinel.sentinels:
                each.close()


class Cluster(NamedTuple):
    nodes: tuple[Server, ...]
    ids: tuple[str, ...]

    def client(self) -> redis.RedisCluster:
        return redis.RedisCluster(self.nodes[0].host, self.nodes[0].port)

    def on(self, number: int, *command: object) -> object:
        """What the node answers to a command."""
        with self.nodes[number].connect(retry=None) as client:
            answer: object = client.execute_command(*command)
            return answer

    def all_is_well(self) -> bool:
        """Every node knows all slots to be kept."""
        size = len(self.nodes)
        return all(in_order(self.on(number, "CLUSTER", "INFO"), size) for number in range(size))

    def home(self, key: str) -> int:
        """The number of the node that keeps `key`, unless a test has moved it."""
        slot = key_slot(key.encode())
        return next(number for number in range(len(self.nodes)) if slot in share(number, len(self.nodes)))


def share(number: int, size: int) -> range:
    """The slots of a node."""
    return range(SLOTS * number // size, SLOTS * (number + 1) // size)


@contextmanager
def cluster(binary: Path | None, size: int = 3) -> Iterator[Cluster]:
    """Masters alone, with about equal shares of the slots."""
    config = {
        "cluster-enabled": "yes",
        "cluster-node-timeout": "2000",
        "cluster-require-full-coverage": "no",
    }
    with ExitStack() as stack:
        nodes = tuple(stack.enter_context(Server(binary, config=config)) for _ in range(size))
        clients = [stack.enter_context(node.connect()) for node in nodes]
        for number, client in enumerate(clients):
            client.execute_command("CLUSTER", "ADDSLOTS", *share(number, size))
            client.execute_command("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
        for node in nodes[1:]:
            clients[0].execute_command("CLUSTER", "MEET", node.host, node.port)
        ids = tuple(client.execute_command("CLUSTER", "MYID").decode() for client in clients)
        made = Cluster(nodes, ids)
        until(made.all_is_well)
        yield made


def in_order(said: object, size: int) -> bool:
    assert isinstance(said, bytes)
    expected = (f"cluster_slots_assigned:{SLOTS}", f"cluster_size:{size}", "cluster_state:ok")
    return set(expected) <= set(said.decode().split())
