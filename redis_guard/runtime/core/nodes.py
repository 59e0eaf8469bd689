"""Which server a key is on: one server, the master that sentinels name, or the node of a cluster.

Law of this file: an address is believed until the server there fails or says otherwise; then it is asked for again.
Nothing here does I/O: `find` yields what is to be asked.
"""

from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any, Generic, NamedTuple, NoReturn, Protocol, TypeVar

from redis_guard.runtime.core.slots import Address, Slots, slots_of
from redis_guard.runtime.faults import MISTAKES, Fault
from redis_guard.runtime.origin import Cluster, Origin, Sentinels, Server


class Connections(Protocol):
    """Those to one server."""

    def clear(self) -> None:
        """Drop all that are not in use."""


PoolT = TypeVar("PoolT", bound=Connections)


class Ask(NamedTuple):
    """A command for one server. Answered by its reply; a `Fault` is thrown in."""

    server: Server
    words: tuple[bytes | str, ...]
    last: bool
    """There is nobody else to ask."""

    def share(self, left: float) -> float:
        """How many of the seconds that are left this one may take. Raises `Fault` when none are left."""
        if left <= 0:
            raise Fault("timeout", "no time is left to ask", opening=True)
        return left if self.last else left / 2


Finding = Generator[Ask, Any, None]


class Nodes(Protocol[PoolT]):
    """The servers behind one origin."""

    connect_deadline: float
    """Seconds that opening a connection may take."""

    def of(self, key: bytes | None) -> PoolT | None:
        """The connections to the server that keeps `key`, or to any for None; None where `find` must come first.

        Raises `Fault`.
        """

    def find(self) -> Finding:
        """Find out who keeps what. Raises `Fault`."""

    def pools(self) -> Iterable[PoolT]:
        """The connections to all servers that were ever known."""

    def everywhere(self) -> Iterable[PoolT]:
        """Those to all servers that may be asked for a key, once found."""

    def failed(self, pool: PoolT, fault: Fault) -> None:
        """An exchange over `pool` ended in `fault`."""

    def moved(self, slot: int, address: Address) -> None:
        """A server said that it keeps `slot` no longer."""

    def at(self, address: Address) -> PoolT:
        """Connections to another server of the same cluster. Raises `Fault`."""


def nodes_of(origin: Origin, pool: Callable[[Server, float], PoolT], connect_deadline: float) -> Nodes[PoolT]:
    """The servers behind `origin`; `pool` makes the connections to one, and nothing is connected yet."""
    match origin:
        case Server():
            return OneServer(pool(origin, connect_deadline), connect_deadline)
        case Sentinels():
            return Master(origin, pool, connect_deadline)
        case Cluster():
            return ClusterNodes(origin.seeds, pool, connect_deadline)


class OneServer(Generic[PoolT]):
    """A server at a fixed address."""

    def __init__(self, pool: PoolT, connect_deadline: float) -> None:
        self.connect_deadline = connect_deadline
        self._pool = pool

    def of(self, key: bytes | None) -> PoolT:
        return self._pool

    def find(self) -> Finding:
        yield from ()

    def pools(self) -> Iterable[PoolT]:
        return (self._pool,)

    everywhere = pools

    def failed(self, pool: PoolT, fault: Fault) -> None:
        if fault.error_class == "readonly":
            # A name or a proxy may lead to the new master by now.
            pool.clear()

    def moved(self, slot: int, address: Address) -> None:
        """`at` says what to do."""

    def at(self, address: Address) -> PoolT:
        raise Fault("moved", "the server is part of a cluster: hand in a RedisCluster client")


class Several(Generic[PoolT]):
    """Servers that are found out; connections are kept by address."""

    def __init__(
        self, way_in: Server, pool: Callable[[Server, float], PoolT], connect_deadline: float
    ) -> None:
        self.connect_deadline = connect_deadline
        self._way_in = way_in
        self._make = pool
        self._pools: dict[Address, PoolT] = {}

    def pools(self) -> Iterable[PoolT]:
        return tuple(self._pools.values())

    def at(self, address: Address) -> PoolT:
        pool = self._pools.get(address)
        if pool is None:
            # Two threads may make one each; the first stays.
            pool = self._pools.setdefault(
                address, self._make(self._way_in.at(*address), self.connect_deadline)
            )
        return pool


class Master(Several[PoolT]):
    """The master of a service, wherever the sentinels say it is."""

    def __init__(
        self, origin: Sentinels, pool: Callable[[Server, float], PoolT], connect_deadline: float
    ) -> None:
        super().__init__(origin.master, pool, connect_deadline)
        self._origin = origin
        self._current: PoolT | None = None

    def of(self, key: bytes | None) -> PoolT | None:
        return self._current

    def find(self) -> Finding:
        service = self._origin.service
        said: list[tuple[Server, str]] = []
        for ask in _asks(self._origin.sentinels, b"SENTINEL", b"GET-MASTER-ADDR-BY-NAME", service):
            try:
                found = yield ask
            except Fault as fault:
                said.append((ask.server, fault.error_class))
                continue
            if found:
                self._current = self.at((found[0].decode(), int(found[1])))
                return
            said.append((ask.server, "knows no such master"))
        _nobody(f'no sentinel names the master "{service}"', said)

    def everywhere(self) -> Iterable[PoolT]:
        return () if self._current is None else (self._current,)

    def failed(self, pool: PoolT, fault: Fault) -> None:
        if fault.error_class in ("connection", "timeout", "readonly", "loading"):
            pool.clear()
            if self._current is pool:
                self._current = None

    def moved(self, slot: int, address: Address) -> None:
        """A master that sentinels watch is no cluster."""


class ClusterNodes(Several[PoolT]):
    """The nodes of a cluster."""

    def __init__(
        self, seeds: tuple[Server, ...], pool: Callable[[Server, float], PoolT], connect_deadline: float
    ) -> None:
        super().__init__(seeds[0], pool, connect_deadline)
        self._seeds = seeds
        self._slots: Slots | None = None

    def of(self, key: bytes | None) -> PoolT | None:
        slots = self._slots
        if slots is None:
            return None
        node = slots.nodes()[0] if key is None else slots.node_of(key)
        if node is None:
            self._slots = None
            raise Fault("clusterdown", "no node keeps this slot")
        return self.at(node)

    def find(self) -> Finding:
        said: list[tuple[Server, str]] = []
        known = tuple(self._pools)
        seeds = (seed for seed in self._seeds if (seed.host, seed.port) not in known)
        for ask in _asks((*(self._way_in.at(*address) for address in known), *seeds), b"CLUSTER", b"SLOTS"):
            try:
                reply = yield ask
            except Fault as fault:
                said.append((ask.server, fault.error_class))
                continue
            slots = slots_of(reply, (ask.server.host, ask.server.port))
            if slots.nodes():
                self._slots = slots
                return
            said.append((ask.server, "has no slots"))
        _nobody("no node of the cluster can say where keys are", said)

    def everywhere(self) -> Iterable[PoolT]:
        return () if self._slots is None else tuple(map(self.at, self._slots.nodes()))

    def failed(self, pool: PoolT, fault: Fault) -> None:
        if fault.error_class in ("connection", "timeout", "readonly", "clusterdown", "loading"):
            pool.clear()
            self._slots = None

    def moved(self, slot: int, address: Address) -> None:
        if self._slots is not None:
            self._slots.moved(slot, address)


def _asks(servers: Sequence[Server], *words: bytes | str) -> list[Ask]:
    return [Ask(server, words, number == len(servers)) for number, server in enumerate(servers, 1)]


def _nobody(complaint: str, said: list[tuple[Server, str]]) -> NoReturn:
    details = ", ".join(f"{server.host}:{server.port} {what}" for server, what in said)
    # A wrong password is a mistake at every one of them, not an outage.
    mistake = next((each for each in MISTAKES if {what for _, what in said} == {each}), None)
    raise Fault(mistake or "connection", f"{complaint}: {details}", opening=True)
