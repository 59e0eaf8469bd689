"""Which server a key is on: one server, the master that sentinels name, or the node of a cluster.

Law of this file: an address is believed until the server there fails or says otherwise; then it is asked for again.
"""

from collections.abc import Iterable, Iterator
from typing import Protocol

from redis_guard.runtime.core.slots import Address, Slots, slots_of
from redis_guard.runtime.faults import Fault
from redis_guard.runtime.origin import Cluster, Origin, Sentinels, Server
from redis_guard.runtime.sync.link import Link
from redis_guard.runtime.sync.pool import Pool


class Nodes(Protocol):
    """The servers behind one origin."""

    def of(self, key: bytes) -> Pool:
        """The connections to the server that keeps `key`. Raises `Fault`."""

    def any(self) -> Pool:
        """Those to some server, for what every server hears. Raises `Fault`."""

    def pools(self) -> Iterable[Pool]:
        """Those to all servers that are known."""

    def everywhere(self) -> Iterable[Pool]:
        """Those to all servers that may be asked for a key. Raises `Fault`."""

    def failed(self, pool: Pool, fault: Fault) -> None:
        """An exchange over `pool` ended in `fault`."""

    def moved(self, slot: int, address: Address) -> None:
        """A server said that it keeps `slot` no longer."""

    def at(self, address: Address) -> Pool:
        """Connections to another server of the same cluster."""


def nodes_of(origin: Origin, connect_deadline: float) -> Nodes:
    """The servers behind `origin`; nothing is connected yet."""
    match origin:
        case Server():
            return OneServer(origin, connect_deadline)
        case Sentinels():
            return Master(origin, connect_deadline)
        case Cluster():
            return ClusterNodes(origin, connect_deadline)


class OneServer:
    """A server at a fixed address."""

    def __init__(self, server: Server, connect_deadline: float) -> None:
        self._pool = Pool(server, connect_deadline)

    def of(self, key: bytes) -> Pool:
        return self._pool

    def any(self) -> Pool:
        return self._pool

    def pools(self) -> Iterable[Pool]:
        return (self._pool,)

    def everywhere(self) -> Iterable[Pool]:
        return (self.any(),)

    def failed(self, pool: Pool, fault: Fault) -> None:
        if fault.error_class == "readonly":
            # A name or a proxy may lead to the new master by now.
            pool.clear()

    def moved(self, slot: int, address: Address) -> None:
        raise Fault("moved", "the server is part of a cluster: hand in a RedisCluster client")

    def at(self, address: Address) -> Pool:
        raise Fault("moved", "the server is part of a cluster: hand in a RedisCluster client")


class Master(OneServer):
    """The master of a service, wherever the sentinels say it is."""

    def __init__(self, origin: Sentinels, connect_deadline: float) -> None:
        self._origin = origin
        self._connect_deadline = connect_deadline
        self._current: Pool | None = None

    def of(self, key: bytes) -> Pool:
        return self.any()

    def any(self) -> Pool:
        pool = self._current
        if pool is None:
            pool = self._current = Pool(self._master(), self._connect_deadline)
        return pool

    def pools(self) -> Iterable[Pool]:
        return () if self._current is None else (self._current,)

    def failed(self, pool: Pool, fault: Fault) -> None:
        if fault.error_class in ("connection", "timeout", "readonly", "loading"):
            pool.clear()
            if self._current is pool:
                self._current = None

    def _master(self) -> Server:
        told: list[str] = []
        for sentinel in self._origin.sentinels:
            try:
                link = Link.open(sentinel, self._connect_deadline)
                try:
                    found = link.command(
                        self._connect_deadline, b"SENTINEL", b"GET-MASTER-ADDR-BY-NAME", self._origin.service
                    )
                finally:
                    link.close()
            except Fault as fault:
                told.append(f"{sentinel.host}:{sentinel.port} {fault.error_class}")
                continue
            if found:
                host, port = found
                return self._origin.master.at(host.decode(), int(port))
            told.append(f"{sentinel.host}:{sentinel.port} knows no such master")
        raise Fault(
            "connection",
            f'no sentinel names the master "{self._origin.service}": {", ".join(told)}',
            opening=True,
        )


class ClusterNodes:
    """The nodes of a cluster."""

    def __init__(self, origin: Cluster, connect_deadline: float) -> None:
        self._seeds = origin.seeds
        self._connect_deadline = connect_deadline
        self._pools: dict[Address, Pool] = {}
        self._slots: Slots | None = None

    def of(self, key: bytes) -> Pool:
        slots = self._slots or self._learn()
        node = slots.node_of(key)
        if node is None:
            self._slots = None
            raise Fault("clusterdown", "no node keeps this slot")
        return self.at(node)

    def any(self) -> Pool:
        slots = self._slots or self._learn()
        return self.at(slots.nodes()[0])

    def pools(self) -> Iterable[Pool]:
        return tuple(self._pools.values())

    def everywhere(self) -> Iterable[Pool]:
        slots = self._slots or self._learn()
        return [self.at(node) for node in slots.nodes()]

    def at(self, address: Address) -> Pool:
        pool = self._pools.get(address)
        if pool is None:
            # Two threads may make one each; the second stays.
            pool = self._pools.setdefault(address, Pool(self._seeds[0].at(*address), self._connect_deadline))
        return pool

    def failed(self, pool: Pool, fault: Fault) -> None:
        if fault.error_class in ("connection", "timeout", "readonly", "clusterdown", "loading"):
            pool.clear()
            self._slots = None

    def moved(self, slot: int, address: Address) -> None:
        if self._slots is not None:
            self._slots.moved(slot, address)

    def _learn(self) -> Slots:
        told: list[str] = []
        for server in self._known():
            try:
                pool = self.at((server.host, server.port))
                link = pool.take(self._connect_deadline, patient=True)
            except Fault as fault:
                told.append(f"{server.host}:{server.port} {fault.error_class}")
                continue
            try:
                reply = link.command(self._connect_deadline, b"CLUSTER", b"SLOTS")
            except Fault as fault:
                pool.drop(link)
                told.append(f"{server.host}:{server.port} {fault.error_class}")
                continue
            pool.give_back(link)
            slots = slots_of(reply, (server.host, server.port))
            if slots.nodes():
                self._slots = slots
                return slots
            told.append(f"{server.host}:{server.port} has no slots")
        raise Fault(
            "connection", f"no node of the cluster can say where keys are: {', '.join(told)}", opening=True
        )

    def _known(self) -> Iterator[Server]:
        yield from (pool.server for pool in tuple(self._pools.values()))
        yield from (seed for seed in self._seeds if (seed.host, seed.port) not in self._pools)
