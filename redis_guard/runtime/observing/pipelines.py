"""Pipelines whose deciding commands are told of when they are executed, each with its own reply.

Law of this file: redis-py queues, sends and raises as ever. The replies beside a failing one are known where redis-py
shows them; of a cluster's pipeline that raises, all deciding commands count as failed.
"""

from typing import Any, Final, NamedTuple

import redis.asyncio.client
import redis.client
from redis.exceptions import WatchError

from redis_guard.runtime.observing.calls import watch, watch_async
from redis_guard.runtime.observing.deciding import Decision, decide
from redis_guard.runtime.observing.observer import Observer

QUEUE: Final = "_redis_guard_queue"
SHOWS_REPLIES: Final = (redis.client.Pipeline, redis.asyncio.client.Pipeline)


class Queue:
    """The deciding commands that wait in one pipeline, with their places in it."""

    __slots__ = ("decisions", "shown")

    def __init__(self) -> None:
        self.decisions: list[tuple[int, Decision]] = []
        self.shown: list[Any] = []
        """All replies of an execution that is about to raise one of them."""


class Staged(NamedTuple):
    """One command given to a pipeline, which queues it or, after a WATCH, sends it at once."""

    pipe: Any
    observer: Observer
    decision: Decision

    def ended(self, reply: Any, seconds: float) -> None:
        """Tell what came of it, or keep it until the pipeline is executed."""
        if reply is self.pipe:
            _queue(self.pipe).decisions.append((len(self.pipe) - 1, self.decision))
        else:
            self.observer.answered(self.decision, reply, seconds)


class Batch:
    """The deciding commands of one execution."""

    __slots__ = ("_decisions", "_observer", "_queue")

    def __init__(self, observer: Observer, queue: Queue) -> None:
        self._observer = observer
        self._queue = queue
        self._decisions, queue.decisions, queue.shown = queue.decisions, [], []

    def ended(self, reply: Any, seconds: float) -> None:
        """Tell what came of each; each took as long as all of them."""
        if isinstance(reply, WatchError):
            # Nothing was executed, which is what WATCH is for.
            return
        replies = reply
        if isinstance(reply, Exception):
            # What an earlier try of the same execution has shown does not hold this error.
            replies = self._queue.shown if any(one is reply for one in self._queue.shown) else None
        for place, decision in self._decisions:
            self._observer.answered(decision, reply if replies is None else replies[place], seconds)


def pipeline_methods(cls: type[Any], observer: Observer, is_async: bool) -> dict[str, object]:
    """What an observed class of pipelines does otherwise than `cls`."""

    def execute_command(self: Any, *args: Any, **options: Any) -> Any:
        decision = decide(args)
        if decision is None:
            return cls.execute_command(self, *args, **options)
        staged = Staged(self, observer, decision)
        if not is_async:
            return watch(staged, lambda: cls.execute_command(self, *args, **options))
        reply = cls.execute_command(self, *args, **options)
        if reply is not self:
            return watch_async(staged, reply)
        staged.ended(reply, 0.0)
        return reply

    def execute(self: Any, *args: Any, **options: Any) -> Any:
        queue = _queue(self)
        if not queue.decisions:
            return cls.execute(self, *args, **options)
        batch = Batch(observer, queue)
        if is_async:
            return watch_async(batch, cls.execute(self, *args, **options))
        return watch(batch, lambda: cls.execute(self, *args, **options))

    def reset(self: Any) -> Any:
        _queue(self).decisions.clear()
        return cls.reset(self)

    def discard(self: Any) -> Any:
        _queue(self).decisions.clear()
        return cls.discard(self)

    def raise_first_error(self: Any, commands: Any, response: Any) -> Any:
        _queue(self).shown = list(response)
        return cls.raise_first_error(self, commands, response)

    methods: dict[str, object] = {
        "execute_command": execute_command,
        "execute": execute,
        "reset": reset,
        "discard": discard,
    }
    if issubclass(cls, SHOWS_REPLIES):
        methods["raise_first_error"] = raise_first_error
    return methods


def _queue(pipe: Any) -> Queue:
    queue: Queue = vars(pipe).setdefault(QUEUE, Queue())
    return queue
