"""A process that runs the real core, step by step, as a function of what it was told.

Law of this file: a generator cannot be copied, so a process is its history; each history is played once, and what can
be seen of the process after it (`View`) is plain data that every schedule with that history shares.
"""

from collections.abc import Callable, Hashable
from contextlib import suppress
from math import inf
from typing import Any, NamedTuple

from redis_guard.runtime.clock import closer
from redis_guard.runtime.core.bound import Bound
from redis_guard.runtime.core.holders import Holders
from redis_guard.runtime.core.lease import Holding
from redis_guard.runtime.core.locking import Locking
from redis_guard.runtime.core.queues import Queues
from redis_guard.runtime.core.watch import Watch
from redis_guard.runtime.faults import ErrorClass, Fault
from redis_guard.runtime.steps import (
    Answer,
    Argument,
    Batch,
    Enter,
    Leave,
    Pause,
    Send,
    Sleep,
    Steps,
)


class Cancelled(BaseException):
    """A task was cancelled, or Control-C was pressed."""


class Work(NamedTuple):
    """A step of programs: the protected work goes on."""


class Look(NamedTuple):
    """A step of the watchdog: sleep until a lease is due."""


class Fetch(NamedTuple):
    """A step of programs: wait for the text of a lease that another process hands on."""


class Call(NamedTuple):
    """A script and all that goes with it but "not after"."""

    script: str
    keys: tuple[bytes, ...]
    args: tuple[Argument, ...]


class Waiting(NamedTuple):
    """What a thread waits for. Times are microseconds of the one true time."""

    kind: str
    until: int | None = None
    calls: tuple[Call, ...] = ()
    budget: int = 0
    shielded: bool = False
    steady: bool = False
    """Of the watchdog, which nobody cancels."""
    first: bool = True
    """Of the queue; True for what does not queue."""


class LeaseView(NamedTuple):
    """A lease that its holder has not ended."""

    key: bytes
    token: str
    deadline: int
    fence: int | None
    adopted: bool
    """It was taken over, and its fence with it."""


class TokenView(NamedTuple):
    """A token that a process has used: what for, and what came of its last RELEASE: sent, answered, broken off."""

    key: bytes
    token: str
    state: str
    release: str


class View(NamedTuple):
    """What others can tell of a process."""

    threads: tuple[Waiting | None, ...]
    leases: tuple[LeaseView, ...] = ()
    tokens: tuple[TokenView, ...] = ()
    accepted: tuple[tuple[bytes, str], ...] = ()
    """Keys and tokens of claims that were accepted."""
    counted: tuple[tuple[int, str], ...] = ()
    """Steps, and what the caller knows of each."""
    handed: str | None = None
    offset: int | None = None
    ticket: int | None = None
    """The thread that is the first in the queue and subscribed."""

    @property
    def over(self) -> bool:
        """Nothing will happen here any more."""
        return all(
            waiting is None or (waiting.kind == "look" and waiting.until is None) for waiting in self.threads
        )


class Entry(NamedTuple):
    """Something that a process was told, at a moment."""

    now: int
    thread: int
    kind: str
    payload: Any = None


class Desk:
    """What the programs of one process share."""

    def __init__(self, bounds: dict[str, Bound], offset: int | None) -> None:
        self.bounds = bounds
        self.now = 0
        self.offset = offset
        self.holders = Holders()
        self.queues: Queues[int] = Queues()
        self.watch = Watch(lambda: 1.0)
        self.locking = Locking(Holding, self.holders, self.clock, lambda: 1.0, self.crowded)
        self.leases: list[Holding] = []
        self.adopted: set[str] = set()
        self.tokens: dict[str, list[Any]] = {}
        self.accepted: list[tuple[bytes, str]] = []
        self.counted: dict[int, str] = {}
        self.handed: str | None = None
        self.log: list[str] = []

    def clock(self) -> float:
        """Seconds."""
        return self.now / 1e6

    def crowded(self, channel: bytes) -> bool:
        """Somebody of this process waits for it."""
        return self.queues.first(channel) is not None

    def wants(self, key: bytes, token: str) -> None:
        """A call for `token` begins."""
        self.tokens[token] = [key, "wanted", "none"]

    def done(self, token: str, state: str = "done") -> None:
        """Its caller has no more to do with `token`."""
        self.tokens[token][1] = state

    def says(self, text: str) -> None:
        """For the reader of a counter-example."""
        self.log.append(text)


Program = Callable[[Desk], Steps[None]]


class Live:
    """The generators of one process, and what each waits for."""

    def __init__(self, programs: tuple[Program, ...], bounds: dict[str, Bound], offset: int | None) -> None:
        self.desk = Desk(bounds, offset)
        self.steps = [program(self.desk) for program in programs]
        self.at: list[Any] = [None] * len(programs)
        self.tickets: set[int] = set()

    def feed(self, entry: Entry) -> None:
        """Tell a thread something, and run it to its next step."""
        desk, thread = self.desk, entry.thread
        desk.now = entry.now
        answer, error = self._hear(entry, self.at[thread])
        while True:
            try:
                generator = self.steps[thread]
                step = generator.send(answer) if error is None else generator.throw(error)
            except StopIteration:
                self.at[thread] = None
                return
            self.at[thread] = step
            answer, error = None, None
            match step:
                case Leave(ticket):
                    self._leave(ticket)
                case Enter(channel, _):
                    desk.queues.join(channel, thread)
                    return
                case Send():
                    self._released(step, "sent")
                    return
                case _:
                    return

    def _hear(self, entry: Entry, step: Any) -> tuple[Any, BaseException | None]:
        match entry.kind:
            case "start" | "resume":
                return None, None
            case "answer" | "answer, cancelled":
                replies, sent = entry.payload
                self._learn(replies[-1][-1], sent)
                answers = [Answer(list(reply), sent / 1e6) for reply in replies]
                if isinstance(step, Batch):
                    return answers, None
                self._released(step, "answered")
                return (answers[0], None) if entry.kind == "answer" else (None, Cancelled())
            case "ticket":
                self.tickets.add(entry.thread)
                return entry.thread, None
            case "fetched":
                return entry.payload, None
        if isinstance(step, Enter):
            self._leave(entry.thread)
        if entry.kind == "no ticket":
            return None, None
        if entry.kind == "cancel":
            if isinstance(step, Send):
                self._released(step, "broken off")
            return None, Cancelled()
        fault = _fault(*entry.payload)
        if isinstance(step, Batch):
            return [fault] * len(step.sends), None
        return None, fault

    def _leave(self, thread: int) -> None:
        for channel in self.desk.queues.channels:
            self.desk.queues.leave(channel, thread)
        self.tickets.discard(thread)

    def _learn(self, server: int, sent: int) -> None:
        desk = self.desk
        # Some scripts do not tell the time.
        if desk.offset is not None and server:
            desk.offset = round(closer(desk.offset / 1e6, server / 1e6, sent / 1e6, desk.now / 1e6) * 1e6)

    def _released(self, step: Send, how: str) -> None:
        if step.script.name == "release" and (known := self.desk.tokens.get(str(step.args[0]))):
            known[2] = how

    def close(self) -> None:
        """End the generators; what one still asks for as it cleans up comes to nothing."""
        for generator in self.steps:
            with suppress(StopIteration, Cancelled):
                while True:
                    generator.throw(Cancelled())

    def view(self) -> View:
        """What can be seen now."""
        desk = self.desk
        return View(
            tuple(self._waiting(thread) for thread in range(len(self.at))),
            tuple(
                LeaseView(
                    lease.key, lease.token, _us(lease.deadline), lease.fence, lease.token in desk.adopted
                )
                for lease in desk.leases
                if not (lease.ended or lease.lost_because or lease.degraded)
            ),
            tuple(TokenView(key, token, *states) for token, (key, *states) in desk.tokens.items()),
            tuple(desk.accepted),
            tuple(desk.counted.items()),
            desk.handed,
            desk.offset,
            min(self.tickets, default=None),
        )

    def _waiting(self, thread: int) -> Waiting | None:
        match self.at[thread]:
            case None:
                return None
            case Send() as send:
                return Waiting("send", None, (_call(send),), _us(send.budget), send.shielded)
            case Batch(sends):
                budget = min(send.budget for send in sends)
                return Waiting("send", None, tuple(map(_call, sends)), _us(budget), steady=True)
            case Enter(channel, until):
                return Waiting("enter", _us(until), first=self.desk.queues.first(channel) == thread)
            case Pause(_, until):
                return Waiting("pause", _us(until))
            case Sleep(until, shielded):
                return Waiting("sleep", _us(until), shielded=shielded)
            case Look():
                at = self.desk.watch.next_at()
                return Waiting("look", None if at == inf else _us(at))
            case Fetch():
                return Waiting("fetch")
            case Work():
                return Waiting("work")
            case step:
                raise AssertionError(f"no model of {step}")


def _call(send: Send) -> Call:
    return Call(send.script.name, send.keys, send.args)


def _us(seconds: float) -> int:
    """The first microsecond at which the clock says no less."""
    nearest = round(seconds * 1e6)
    return nearest if nearest / 1e6 >= seconds else nearest + 1


def _fault(error_class: ErrorClass, opening: bool, sent: int | None, until: int | None) -> Fault:
    # Made anew each time: whoever catches it may write on it.
    return Fault(
        error_class,
        opening=opening,
        sent_at=None if sent is None else sent / 1e6,
        until=inf if until is None else until / 1e6,
    )


class Histories:
    """All histories of all processes that were met, as numbers."""

    def __init__(
        self, processes: tuple[tuple[Program, ...], ...], bounds: dict[str, Bound], offset: int | None
    ) -> None:
        self._processes = processes
        self._bounds = bounds
        self._offset = offset
        self._numbers: dict[Hashable, int] = {}
        self._parents: list[tuple[int, Entry] | None] = []
        self._process: list[int] = []
        self._live: dict[int, Live] = {}
        self.views: list[View] = []
        self.said: dict[tuple[int, Entry], str] = {}
        """What a program had to say about an entry, for the reader of a counter-example."""

    def begin(self, process: int) -> int:
        """The history of a process whose threads have come to their first steps, at time 0."""
        live = Live(self._processes[process], self._bounds, self._offset)
        number = self._new(process, None, live.view(), process)
        self._live[number] = live
        for thread in range(len(live.at)):
            number = self.after(number, Entry(0, thread, "start"))
        return number

    def after(self, number: int, entry: Entry) -> int:
        """The history `number`, and then `entry`."""
        known = self._numbers.get((number, entry))
        if known is not None:
            return known
        live = self._live.pop(number, None) or self._played(number)
        live.desk.log.clear()
        live.feed(entry)
        view = live.view()
        process = self._process[number]
        if live.desk.log:
            self.said[number, entry] = "; ".join(live.desk.log)
        if view.over:
            live.close()
            new = self.end(process, view)
            self._numbers[number, entry] = new
            return new
        new = self._new((number, entry), (number, entry), view, process)
        self._live[new] = live
        if len(self._live) > 2000:
            self._live.pop(next(iter(self._live))).close()
        return new

    def close(self) -> None:
        """End all generators."""
        for live in self._live.values():
            live.close()
        self._live.clear()

    def crashed(self, number: int) -> int:
        """The history of the same process, which will never run again."""
        view = self.views[number]
        tokens = tuple(token._replace(state="crashed") for token in view.tokens if token.state != "done")
        # What was done before the crash still has to be so.
        tokens += tuple(token for token in view.tokens if token.state == "done")
        counted = tuple((step, "unknown" if said == "asked" else said) for step, said in view.counted)
        return self.end(
            self._process[number], view._replace(leases=(), tokens=tokens, counted=counted, ticket=None)
        )

    def end(self, process: int, view: View) -> int:
        """However a process came to its end: what others can tell is all that is left of it."""
        view = view._replace(threads=(), offset=None)
        known = self._numbers.get((process, view))
        return self._new((process, view), None, view, process) if known is None else known

    def _new(self, key: Hashable, parent: tuple[int, Entry] | None, view: View, process: int) -> int:
        number = self._numbers[key] = len(self.views)
        self._parents.append(parent)
        self._process.append(process)
        self.views.append(view)
        return number

    def _played(self, number: int) -> Live:
        entries: list[Entry] = []
        process = self._process[number]
        while (parent := self._parents[number]) is not None:
            number, entry = parent
            entries.append(entry)
        live = Live(self._processes[process], self._bounds, self._offset)
        for entry in reversed(entries):
            live.feed(entry)
        return live
