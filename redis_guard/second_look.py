"""The thorough look after a hasty one, in a process of its own, so that nobody waits for it.

Law of this file: it is begun and ended by its parent, prints nothing, and writes to nobody but its parent.
"""

import multiprocessing
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess
from typing import Self

from redis_guard.again import thorough
from redis_guard.analysis import Analysis
from redis_guard.config import Config

_BACKGROUND = 10
"""By how much it yields to other work, as `nice` counts."""


@dataclass(frozen=True, slots=True)
class SecondLook:
    """One that is under way, or done at once where processes cannot be forked."""

    answer: bytes | None
    process: ForkProcess | None = None
    receiver: Connection | None = None

    @classmethod
    def begin(cls, config: Config, analysis: Analysis) -> Self:
        """Look again at what `analysis` has seen."""
        if "fork" not in multiprocessing.get_all_start_methods():
            return cls(thorough(config, analysis))
        context = multiprocessing.get_context("fork")
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=_work, args=(sender, lambda: thorough(config, analysis)))
        process.start()
        sender.close()
        return cls(None, process, receiver)

    def done(self, seconds: float) -> bool:
        """Whether there is an answer, or never will be one; waits for it up to so long."""
        return self.receiver is None or self.receiver.poll(seconds)

    def end(self) -> bytes | None:
        """Its answer if there is one by now; it takes no further part."""
        answer = self.answer
        if self.receiver is not None and self.process is not None:
            try:
                answer = self.receiver.recv_bytes() if self.receiver.poll() else None
            except EOFError:
                answer = None
            self.receiver.close()
            self.process.kill()
            self.process.join()
            self.process.close()
        return answer


def _work(sender: Connection, look: Callable[[], bytes]) -> None:
    # Ctrl-C reaches every process of the terminal; the parent ends this one
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(_BACKGROUND)
    # a parent that has gone wants no answer, and what fails here fails in the next ordinary run, which tells of it
    with suppress(Exception):
        sender.send_bytes(look())
