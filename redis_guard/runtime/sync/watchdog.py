"""The one thread of a process that renews leases and tells their holders what has become of them.

Law of this file: no thread per lease; it holds leases weakly while it sleeps.
"""

import logging
import os
import threading
from collections.abc import Callable
from math import inf

from redis_guard.runtime.clock import now
from redis_guard.runtime.core.lease import Holding
from redis_guard.runtime.core.watch import Watch, look_after
from redis_guard.runtime.sync.wire import Wire

logger = logging.getLogger("redis_guard.runtime")


class Watchdog:
    """Looks after the leases of a process."""

    def __init__(self, wire: Wire, jitter: Callable[[], float], told: Callable[[Holding], object]) -> None:
        self._wire = wire
        self._jitter = jitter
        self._told = told
        self._closed = False
        self._begin()

    def _begin(self) -> None:
        self._watch = Watch(self._jitter)
        self._due = threading.Condition()
        self._thread: threading.Thread | None = None
        self._pid = os.getpid()

    def add(self, lease: Holding) -> None:
        """Look after `lease` from now on."""
        self._after_fork()
        with self._due:
            first = self._watch.add(lease, now())
            # Control-C may have struck while it was being started.
            if (self._thread is None or not self._thread.is_alive()) and not self._closed:
                self._thread = threading.Thread(target=self._live, name="redis-guard-watchdog", daemon=True)
                self._thread.start()
            elif first:
                self._due.notify()

    def close(self) -> None:
        """Renew nothing any more."""
        self._after_fork()
        with self._due:
            self._closed = True
            self._due.notify()
            thread = self._thread
        if thread is not None and thread.is_alive() and thread is not threading.current_thread():
            thread.join(timeout=5)

    def _after_fork(self) -> None:
        if self._pid != os.getpid():
            self._begin()

    def _live(self) -> None:
        while self._wait():
            self._look()

    def _wait(self) -> bool:
        """Sleep until a lease is due; False at the end."""
        with self._due:
            while not self._closed:
                next_at = self._watch.next_at()
                if next_at <= now():
                    return True
                self._due.wait(None if next_at == inf else next_at - now())
            return False

    def _look(self) -> None:
        with self._due:
            leases = self._watch.due(now())
        try:
            going_on = self._wire.run(look_after(leases, self._told))
        except Exception:
            # Whatever it is, the other leases must go on.
            logger.exception("leases could not be looked after; they are tried again")
            going_on = [(lease, True) for lease in leases]
        with self._due:
            for lease, failed in going_on:
                self._watch.back(lease, now(), failed=failed)
