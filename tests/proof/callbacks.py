"""Functions that a program is given: what they do while it runs, and what they were called with.

Law of this file: a callback acts on the server as another process does, never through the program's connections.
"""

from dataclasses import dataclass
from typing import Any

import redis

from tests.proof.death import Crash
from tests.proof.tap import Tap
from tests.proof.values import canonical


@dataclass(frozen=True, slots=True)
class Callback:
    """What a function that the program is given does: send `commands`, then raise or return."""

    commands: tuple[tuple[Any, ...], ...] = ()
    raises: type[Exception] | None = None
    returns: Any = None
    awaited: bool = False
    """It is a coroutine function."""


class Outside:
    """The rest of the world during one run; `rival` is a client whose connection stands already."""

    def __init__(self, rival: redis.Redis, tap: Tap) -> None:
        self._rival = rival
        self._tap = tap
        self.calls: list[Any] = []

    def callback(self, callback: Callback) -> Any:
        def call(*arguments: Any, **keywords: Any) -> Any:
            # A program that was killed does nothing any more, though its `finally` still runs here.
            if self._tap.dead:
                raise Crash
            self.calls.append(canonical((arguments, keywords)))
            for command in callback.commands:
                self._rival.execute_command(*command)
            if callback.raises is not None:
                raise callback.raises("the callback fails")
            return callback.returns

        async def call_later(*arguments: Any, **keywords: Any) -> Any:
            return call(*arguments, **keywords)

        return call_later if callback.awaited else call
