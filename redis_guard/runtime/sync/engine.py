"""What the parts of a `Coordination` share: wire, hub, watchdog, and who holds what.

Law of this file: it is made for one process; after a fork its parts begin anew.
"""

import os
import threading
from collections.abc import Callable

from redis_guard.runtime.clock import now
from redis_guard.runtime.core.bound import Bound
from redis_guard.runtime.core.handover import Handover
from redis_guard.runtime.core.holders import Holders
from redis_guard.runtime.core.jitter import jitter
from redis_guard.runtime.core.lease import Holding
from redis_guard.runtime.core.locking import Locking
from redis_guard.runtime.core.nodes import Nodes
from redis_guard.runtime.core.policy import at_start
from redis_guard.runtime.core.token import new_token, signature
from redis_guard.runtime.errors import CoordinationError
from redis_guard.runtime.faults import Fault
from redis_guard.runtime.scripts import ALL
from redis_guard.runtime.sync.callbacks import Callbacks
from redis_guard.runtime.sync.hub import Hub
from redis_guard.runtime.sync.lease import Lease, tell
from redis_guard.runtime.sync.nodes import found
from redis_guard.runtime.sync.pool import Pool
from redis_guard.runtime.sync.watchdog import Watchdog
from redis_guard.runtime.sync.wire import Wire


class Engine:
    """One for each `Coordination`."""

    def __init__(self, nodes: Nodes[Pool]) -> None:
        self.nodes = nodes
        self.hub = Hub(nodes)
        self.wire = Wire(nodes, self.hub)
        self.holders = Holders()
        self.locking = Locking(Lease, self.holders, now, jitter, self.hub.busy)
        self.watchdog = Watchdog(self.wire, jitter, tell)
        self._callbacks = Callbacks()
        self._pid = os.getpid()
        self._signature = signature()

    def token(self) -> str:
        """A token of this process."""
        if self._pid != os.getpid():
            self._pid, self._signature = os.getpid(), signature()
            self.holders.forget()
        return new_token(self._signature)

    def take(
        self,
        bound: Bound,
        ids: tuple[object, ...],
        key: bytes,
        wait: float,
        token: str,
        on_lost: Callable[[str], object] | None,
    ) -> Lease | None:
        """A lease for the calling thread, or None."""
        owner = threading.current_thread()
        lease = self.wire.run(self.locking.take(bound, key, ids, token, owner, wait, on_lost))
        if lease is not None and lease.depth == 1:
            self._adopted(lease)
        return lease

    def take_over(self, bound: Bound, handover: Handover, on_lost: Callable[[str], object] | None) -> Lease:
        """A lease that another process has handed on."""
        token, owner = self.token(), threading.current_thread()
        try:
            lease = self.wire.run(self.locking.take_over(bound, handover, token, owner, on_lost))
            self._adopted(lease)
            return lease
        except CoordinationError:
            raise
        except BaseException:
            self.withdraw(bound, handover.key, token)
            raise

    def withdraw(self, bound: Bound, key: bytes, token: str) -> None:
        """Control-C has struck, or a time limit that a signal handler raises.

        It may have come between the server's answer and the caller's `with`.
        """
        self.hub.leave_if_entered()
        self.wire.run(self.locking.withdraw(bound, key, token, threading.current_thread()))

    def give_back(self, lease: Lease, *, failing: bool, at_exit: bool) -> None:
        """Release it."""
        try:
            self.wire.run(self.locking.give_back(lease, failing=failing, at_exit=at_exit))
        except CoordinationError:
            raise
        except BaseException:
            if lease.depth == 1 and not lease.released:
                self.withdraw(lease.bound, lease.key, lease.token)
            raise

    def call_back(self, lease: Holding) -> None:
        """Tell the holder of a lost lease."""
        self._callbacks.add(lease)

    def start(self) -> None:
        """Connect, and have the scripts known. Raises `CoordinationUnavailable`, `CoordinationMistake`."""
        try:
            found(self.nodes, None, self.nodes.connect_deadline)
            for pool in self.nodes.everywhere():
                link = pool.take(pool.connect_deadline, patient=True)
                try:
                    for script in ALL:
                        link.command(pool.connect_deadline, b"SCRIPT", b"LOAD", script.source)
                except BaseException:
                    pool.drop(link)
                    raise
                pool.give_back(link)
        except Fault as fault:
            raise at_start(fault) from fault

    def close(self) -> None:
        """End the threads and close all connections."""
        self.watchdog.close()
        self._callbacks.close()
        self.hub.close()
        for pool in self.nodes.pools():
            pool.clear()

    def _adopted(self, lease: Lease) -> None:
        lease.attach(self)
        if lease.watched:
            self.watchdog.add(lease)
