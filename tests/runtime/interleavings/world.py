"""Everything there is in one schedule: a server, processes, requests on their way, the time; and what may happen next.

Law of this file: a state is a value. Whatever the network, the scheduler or a person may do is one of its moves; what
costs one of the schedule's faults says so.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from redis_guard.runtime.core.bound import Bound
from redis_guard.runtime.scripts import LATE
from redis_guard.testing.keyspace import Keyspace, Stored
from redis_guard.testing.memory import Memory
from tests.runtime.interleavings.process import Call, Entry, Histories, Program, Waiting

MS = 1000

REFUSED, READONLY, CUT, CANCEL, CRASH, SILENT = "refused", "readonly", "cut", "cancel", "crash", "silent"
DEAF, STALL = "deaf", "stall"
FORWARD, BACKWARD = "forward", "backward"
ORDINARY = frozenset((REFUSED, READONLY, CUT, CANCEL, CRASH, SILENT, DEAF))


@dataclass(frozen=True)
class Scenario:
    """Who does what, and what may befall them."""

    name: str
    processes: tuple[tuple[Program, ...], ...]
    """Threads of each process; a watchdog comes last."""
    bounds: dict[str, Bound]
    faults: int
    """How many faults one schedule may have."""
    befalls: frozenset[str] = ORDINARY
    offset_known: bool = True
    horizon: int = 3_000 * MS
    """Microseconds after which the time stands still."""
    step: int = 300 * MS
    """Microseconds by which the server's clock is set forward or back."""
    start: dict[bytes, Stored] = field(default_factory=dict)


SKEW = 1_000_000_000
"""Microseconds that the server's clock is ahead; any number would do."""


class Flight(NamedTuple):
    """A request on its way. `calls` have "not after" in the first place of their arguments."""

    process: int
    thread: int
    calls: tuple[Call, ...]
    sent: int
    until: int
    phase: str = "sent"
    """sent; applied, with the replies on their way; late: its caller has gone on without it."""
    replies: tuple[tuple[Any, ...], ...] = ()
    charged: bool = False
    """A fault of the schedule was spent on it already."""


class State(NamedTuple):
    """One moment of one schedule."""

    now: int
    skew: int
    keys: frozenset[tuple[bytes, Stored]]
    histories: tuple[int, ...]
    flights: tuple[Flight, ...]
    faults: int
    woken: frozenset[tuple[int, int]] = frozenset()
    top: int = 0
    """The highest fence that a holder has had."""
    claimed: tuple[tuple[bytes, str, int], ...] = ()
    """Keys, tokens and the server's milliseconds of claims that were set."""
    relapsed: frozenset[str] = frozenset()
    """Tokens whose request was carried out after their caller had gone on, no "not after" being known."""
    broken: str = ""
    """What a move has broken; empty where all is well."""


class Move(NamedTuple):
    """What happens next, in words, and to whom it was told."""

    words: str
    history: int = -1
    entry: Entry | None = None


class World:
    """The moves of one scenario."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        offset = SKEW if scenario.offset_known else None
        self.local = Histories(scenario.processes, scenario.bounds, offset)

    def close(self) -> None:
        """Let go of what runs."""
        self.local.close()

    def start(self) -> State:
        """Before anything has happened."""
        histories = tuple(self.local.begin(process) for process in range(len(self.scenario.processes)))
        state = State(0, SKEW, frozenset(self.scenario.start.items()), histories, (), self.scenario.faults)
        for process in range(len(histories)):
            for thread in range(len(self.scenario.processes[process])):
                state = self._sent(state, process, thread)
        return state

    def moves(self, state: State) -> Iterator[tuple[Move, State]]:
        """All that may happen next, and what comes of it."""
        live = []
        for process, number in enumerate(state.histories):
            view = self.local.views[number]
            if not view.threads:
                continue
            live.append(process)
            for thread, waiting in enumerate(view.threads):
                if waiting is not None:
                    yield from self._goes_on(state, process, thread, waiting)
            if CRASH in self.scenario.befalls and state.faults:
                yield self._crash(state, process)
        for flight in dict.fromkeys(state.flights):
            if flight.phase == "late":
                yield self._late(state, flight)
        if live and state.faults:
            for kind, by in ((FORWARD, self.scenario.step), (BACKWARD, -self.scenario.step)):
                if kind in self.scenario.befalls:
                    yield (
                        Move(f"the server's clock is set {kind} by {abs(by) // MS} ms"),
                        self._settled(state._replace(skew=state.skew + by, faults=state.faults - 1)),
                    )
        if live:
            yield from self._time(state)

    # What a thread may be told.

    def _goes_on(
        self, state: State, process: int, thread: int, waiting: Waiting
    ) -> Iterator[tuple[Move, State]]:
        due = waiting.until is not None and waiting.until <= state.now
        match waiting.kind:
            case "send":
                yield from self._answers(state, process, thread)
            case "sleep" | "look" if due:
                yield self._told(state, process, thread, "resume", None, f"{waiting.kind} is over")
            case "work":
                yield self._told(state, process, thread, "resume", None, "the work is done")
            case "pause" if due or (process, thread) in state.woken:
                why = "the pause is over" if due else "is woken"
                yield self._told(state, process, thread, "resume", None, why)
            case "enter":
                if due:
                    yield self._told(state, process, thread, "no ticket", None, "has waited for long enough")
                elif waiting.first:
                    yield self._told(state, process, thread, "ticket", None, "is subscribed and the first")
                if DEAF in self.scenario.befalls and state.faults:
                    payload = ("connection", True, None, None)
                    paid = state._replace(faults=state.faults - 1)
                    yield self._told(paid, process, thread, "fault", payload, "cannot subscribe")
            case "fetch":
                for number in state.histories:
                    if (text := self.local.views[number].handed) is not None:
                        yield self._told(state, process, thread, "fetched", text, "gets the lease's text")
        if CANCEL in self.scenario.befalls and state.faults:
            yield from self._cancelled(state, process, thread, waiting, due=due)

    def _cancelled(
        self, state: State, process: int, thread: int, waiting: Waiting, *, due: bool
    ) -> Iterator[tuple[Move, State]]:
        """A shielded step is not broken off; the caller is cancelled all the same."""
        paid = state._replace(faults=state.faults - 1)
        words = f"is cancelled ({waiting.kind})"
        if waiting.kind in ("look", "fetch") or waiting.steady:
            return
        if waiting.shielded and waiting.calls:
            flight = _flight(paid, process, thread)
            if flight.phase == "sent":
                done, replies = self._carried_out(paid, flight)
                payload = (replies, flight.sent)
                done = _without(done, flight)
                yield self._told(
                    done, process, thread, "answer, cancelled", payload, f"{words}, after the answer"
                )
        elif due or not waiting.shielded:
            yield self._told(self._left(paid, process, thread), process, thread, "cancel", None, words)

    def _answers(self, state: State, process: int, thread: int) -> Iterator[tuple[Move, State]]:
        flight = _flight(state, process, thread)
        what = " + ".join(call.script.upper() for call in flight.calls)
        free = state.faults > 0 or flight.charged
        paid = state if flight.charged else state._replace(faults=state.faults - 1)
        on_time = state.now <= flight.until
        if flight.phase == "applied":
            answered = _without(state, flight)
            payload = (flight.replies, flight.sent)
            yield self._told(answered, process, thread, "answer", payload, f"{what} is answered at last")
        else:
            done, replies = self._carried_out(state, flight)
            yield self._told(
                _without(done, flight), process, thread, "answer", (replies, flight.sent), f"{what} answered"
            )
            if SILENT in self.scenario.befalls and free:
                silent = flight._replace(phase="applied", replies=replies, charged=True)
                done = done._replace(faults=paid.faults)
                yield (
                    Move(f"{self._name(process, thread)}: {what} is carried out, its reply is on the way"),
                    self._settled(_with(_without(done, flight), silent)),
                )
            if state.faults and state.now == flight.sent:
                lost = _without(state, flight)._replace(faults=state.faults - 1)
                for kind, opening in ((REFUSED, True), (READONLY, False)):
                    if kind in self.scenario.befalls:
                        error = "connection" if opening else "readonly"
                        payload = (error, opening, None, None)
                        yield self._told(
                            lost, process, thread, "fault", payload, f"{what} is refused ({error})"
                        )
        if free:
            gone = self._left(paid, process, thread)
            until = flight.until if self.scenario.offset_known else None
            if CUT in self.scenario.befalls and on_time:
                payload = ("connection", False, flight.sent, until)
                yield self._told(
                    gone, process, thread, "fault", payload, f"loses the connection after {what}"
                )
            if state.now >= flight.until:
                payload = ("timeout", False, flight.sent, until)
                yield self._told(gone, process, thread, "fault", payload, f"hears nothing of {what} in time")

    def _told(
        self, state: State, process: int, thread: int, kind: str, payload: Any, words: str
    ) -> tuple[Move, State]:
        number = state.histories[process]
        entry = Entry(state.now, thread, kind, payload)
        new = self.local.after(number, entry)
        before, after = self.local.views[number], self.local.views[new]
        state = state._replace(histories=_put(state.histories, process, new))
        if (process, thread) in state.woken and kind == "resume":
            state = state._replace(woken=state.woken - {(process, thread)})
        if after.ticket != before.ticket:
            stale = {each for each in state.woken if each[0] == process}
            state = state._replace(woken=state.woken - stale)
        for lease in after.leases:
            if lease.fence is not None and all(lease.token != other.token for other in before.leases):
                if lease.fence < state.top or (lease.fence == state.top and not lease.adopted):
                    broken = f"the fence {lease.fence} of {lease.token} is not above {state.top}"
                    state = state._replace(broken=broken)
                state = state._replace(top=max(state.top, lease.fence))
        state = self._sent(state, process, thread) if after.threads else self._abandoned(state, process)
        return Move(f"{self._name(process, thread)}: {words}", number, entry), self._settled(state)

    # What becomes of requests.

    def _sent(self, state: State, process: int, thread: int) -> State:
        view = self.local.views[state.histories[process]]
        waiting = view.threads[thread] if view.threads else None
        if waiting is None or not waiting.calls:
            return state
        until = state.now + waiting.budget
        # The offset is a lower bound: the server's clock was read before the reply came.
        not_after = 0 if view.offset is None else until + view.offset - 1
        calls = tuple(call._replace(args=(not_after, *call.args)) for call in waiting.calls)
        return _with(state, Flight(process, thread, calls, state.now, until))

    def _left(self, state: State, process: int, thread: int) -> State:
        """The caller goes on without the answer; what was sent may be carried out yet."""
        for flight in state.flights:
            if (flight.process, flight.thread) == (process, thread) and flight.phase != "late":
                state = _without(state, flight)
                if flight.phase == "sent":
                    state = _with(state, Flight(process, thread, flight.calls, 0, 0, "late"))
        return state

    def _abandoned(self, state: State, process: int) -> State:
        for thread in range(len(self.scenario.processes[process])):
            state = self._left(state, process, thread)
        return state

    def _crash(self, state: State, process: int) -> tuple[Move, State]:
        state = self._abandoned(state._replace(faults=state.faults - 1), process)
        dead = self.local.crashed(state.histories[process])
        woken = frozenset(each for each in state.woken if each[0] != process)
        state = state._replace(histories=_put(state.histories, process, dead), woken=woken)
        return Move(f"{self._name(process, 0)[0]} crashes"), self._settled(state)

    def _late(self, state: State, flight: Flight) -> tuple[Move, State]:
        done, replies = self._carried_out(state, flight)
        done = _without(done, flight)
        if not self.scenario.offset_known:
            again = {
                _token(call)
                for call, reply in zip(flight.calls, replies, strict=True)
                if call.script in ("acquire", "adopt", "claim") and reply[0] == 1
            }
            done = done._replace(relapsed=done.relapsed | again)
        what = " + ".join(call.script.upper() for call in flight.calls)
        declined = ", which declines it" if replies[0][0] == LATE else ""
        name = self._name(flight.process, flight.thread)
        return Move(f"{name}'s earlier {what} reaches the server{declined}"), self._settled(done)

    def _carried_out(self, state: State, flight: Flight) -> tuple[State, tuple[tuple[Any, ...], ...]]:
        memory = Memory(Keyspace(dict(state.keys)))
        server = state.now + state.skew
        replies = tuple(
            tuple(memory.call(call.script, call.keys, call.args, server)) for call in flight.calls
        )
        claimed = state.claimed
        for call, reply in zip(flight.calls, replies, strict=True):
            if call.script == "claim" and reply[0] == 1:
                token = _token(call)
                claimed = tuple(each for each in claimed if each[1] != token)
                claimed += ((call.keys[0], token, server // MS),)
        woken = state.woken
        for channel, _ in memory.published:
            woken |= self._hearing(state, channel)
        keys = frozenset(memory.keyspace.keys.items())
        return state._replace(keys=keys, claimed=claimed, woken=woken), replies

    def _hearing(self, state: State, channel: bytes) -> set[tuple[int, int]]:
        hearing = set()
        for process, number in enumerate(state.histories):
            ticket = self.local.views[number].ticket
            if ticket is not None:
                hearing.add((process, ticket))
        return hearing

    # The time.

    def _time(self, state: State) -> Iterator[tuple[Move, State]]:
        moments = {(stored.end + 1) * MS - state.skew for _, stored in state.keys if stored.end is not None}
        for flight in state.flights:
            if flight.phase != "late":
                moments.add(flight.until)
        for number in state.histories:
            view = self.local.views[number]
            moments.update(lease.deadline for lease in view.leases)
            moments.update(
                waiting.until for waiting in view.threads if waiting is not None and waiting.until is not None
            )
        ahead = [moment for moment in moments if moment > state.now]
        if not ahead or (to := min(ahead)) > self.scenario.horizon:
            return
        for flight in state.flights:
            if flight.phase == "late":
                continue
            # A process that stands still: its own deadline has passed and it has not looked.
            if flight.until <= state.now and STALL not in self.scenario.befalls:
                return
            if not flight.charged:
                # A request is slow only as a fault: otherwise it takes no time at all.
                if not state.faults:
                    return
                state = _with(_without(state, flight), flight._replace(charged=True))
                state = state._replace(faults=state.faults - 1)
        yield Move(f"{(to - state.now) / MS:g} ms pass"), self._settled(state._replace(now=to))

    def _settled(self, state: State) -> State:
        """Without what can make no difference any more."""
        server = state.now + state.skew
        keys = frozenset(
            (key, stored) for key, stored in state.keys if stored.end is None or stored.end >= server // MS
        )
        flights = state.flights
        if BACKWARD not in self.scenario.befalls:
            flights = tuple(flight for flight in flights if not self._hopeless(state, flight))
        return state._replace(keys=keys, flights=flights)

    def _hopeless(self, state: State, flight: Flight) -> bool:
        """Nobody waits for it and the server will never carry it out."""
        if flight.phase != "late" or any(not call.args[0] for call in flight.calls):
            return False
        if any(call.args[0] >= state.now + state.skew for call in flight.calls):  # type: ignore[operator]
            return False
        return all(reply[0] == LATE for reply in self._carried_out(state, flight)[1])

    def _name(self, process: int, thread: int) -> str:
        threads = self.scenario.processes[process]
        name = "ABCDEF"[process]
        if len(threads) == 1:
            return name
        if threads[thread].__name__ == "watchdog":
            return f"{name}'s watchdog"
        return name if threads[-1].__name__ == "watchdog" and len(threads) == 2 else f"{name}{thread + 1}"


def _flight(state: State, process: int, thread: int) -> Flight:
    for flight in state.flights:
        if (flight.process, flight.thread) == (process, thread) and flight.phase != "late":
            return flight
    raise AssertionError("who waits for an answer has sent something")


def _with(state: State, flight: Flight) -> State:
    return state._replace(flights=tuple(sorted((*state.flights, flight))))


def _without(state: State, flight: Flight) -> State:
    flights = list(state.flights)
    flights.remove(flight)
    return state._replace(flights=tuple(flights))


def _put(numbers: tuple[int, ...], index: int, number: int) -> tuple[int, ...]:
    return (*numbers[:index], number, *numbers[index + 1 :])


def _token(call: Call) -> str:
    # The new token stands behind the old one in ADOPT.
    return str(call.args[2] if call.script == "adopt" else call.args[1])
