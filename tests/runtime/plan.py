"""What shall happen to one message, and the test's hold on it.

Law of this file: the test waits on what has happened, never on time; a plan that comes to nothing is told.
"""

import threading
from dataclasses import dataclass, field
from typing import Literal

PATIENCE = 10.0
"""Seconds after which a wait is a failure; none of them is ever waited for in a test that passes."""

Act = Literal["lose", "hold", "drop", "hold_reply", "answer"]


@dataclass(eq=False)
class Plan:
    """For the `nth` message of that name from now on."""

    name: bytes
    act: Act
    nth: int = 1
    close: bool = False
    answer: bytes = b""
    _happened: threading.Event = field(default_factory=threading.Event)
    _go: threading.Event = field(default_factory=threading.Event)
    _done: threading.Event = field(default_factory=threading.Event)

    @property
    def happened(self) -> bool:
        return self._happened.is_set()

    def wait(self) -> None:
        """Until it has happened: the request has arrived, or, where it is about a reply, the server has answered."""
        assert self._happened.wait(PATIENCE), f"no {self.name.decode()} came by"

    def deliver(self) -> None:
        """Let go what is held; back when the server has carried out the request, or the reply is on its way."""
        self._go.set()
        assert self._done.wait(PATIENCE), f"the server did not answer the late {self.name.decode()}"

    def takes(self, name: bytes) -> bool:
        """Count the message; is it the one?"""
        if self.name != name.lower() or self.happened:
            return False
        self.nth -= 1
        if self.nth == 0:
            self._happened.set()
        return self.nth == 0

    def held(self) -> bool:
        """For the proxy: wait until the test lets go; False if the test has ended without."""
        return self._go.wait(PATIENCE * 6)

    def finished(self) -> None:
        """For the proxy: the server has answered."""
        self._done.set()

    def end(self) -> None:
        """For the proxy: nothing is held any longer."""
        self._go.set()
