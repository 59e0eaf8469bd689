"""The one thread of a process that calls `on_lost`.

Law of this file: what a callback does, however long it takes or whatever it raises, keeps no lease from being renewed.
"""

import logging
import os
import threading
from queue import SimpleQueue

from redis_guard.runtime.core.lease import Holding

logger = logging.getLogger("redis_guard.runtime")


def call_back(lease: Holding) -> None:
    """Tell the holder of a lost lease, here and now."""
    if lease.on_lost is not None:
        try:
            lease.on_lost(lease.lost_because or "")
        except BaseException:  # an exit too: it would end the thread and nothing else
            logger.exception('on_lost of use case "%s" failed', lease.bound.name)


class Callbacks:
    """Calls back in the order of the losses."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._queue: SimpleQueue[Holding | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._pid = os.getpid()

    def add(self, lease: Holding) -> None:
        """Have the holder of `lease` told soon."""
        if lease.on_lost is None:
            return
        if self._pid != os.getpid():
            self._begin()
        self._queue.put(lease)
        with self._lock:
            if self._thread is None:
                thread = threading.Thread(target=self._live, name="redis-guard-on-lost", daemon=True)
                thread.start()
                self._thread = thread

    def close(self) -> None:
        """End the thread once all have been told."""
        if self._pid != os.getpid():
            self._begin()
        with self._lock:
            thread, self._thread = self._thread, None
            if thread is not None:
                self._queue.put(None)
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout=5)

    def _live(self) -> None:
        while (lease := self._queue.get()) is not None:
            call_back(lease)
            del lease
