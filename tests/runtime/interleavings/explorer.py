"""All schedules of a scenario, the shortest first.

Law of this file: a state is looked at once, however many schedules lead to it; a counter-example is a shortest one.
"""

from collections import deque
from contextlib import closing
from dataclasses import dataclass

from tests.runtime.interleavings.invariants import complaint, laws_of
from tests.runtime.interleavings.world import Move, Scenario, State, World


@dataclass(frozen=True)
class Explored:
    """What exploring has found."""

    schedules: int
    """Different orders of events, from the start to a state in which nothing can happen any more."""
    states: int
    moves: int
    histories: int
    """Different courses of single processes: how often the core was run."""
    counter_example: str | None = None

    def __str__(self) -> str:
        return f"{self.schedules:,} schedules, {self.states:,} states, {self.moves:,} moves"


def explore(scenario: Scenario, most_states: int = 5_000_000) -> Explored:
    """Play all schedules; stop at the first that breaks a law."""
    with closing(World(scenario)) as world:
        return _explore(world, scenario, most_states)


def _explore(world: World, scenario: Scenario, most_states: int) -> Explored:
    laws = laws_of(scenario.befalls)
    start = world.start()
    numbers: dict[State, int] = {start: 0}
    parents: list[int] = [-1]
    following: list[list[int]] = []
    waiting = deque([start])
    moves = 0
    while waiting:
        state = waiting.popleft()
        here = len(following)
        targets: list[int] = []
        following.append(targets)
        for _, new in world.moves(state):
            moves += 1
            number = numbers.get(new)
            if number is None:
                number = numbers[new] = len(parents)
                parents.append(here)
                wrong = complaint(world, new, laws)
                if wrong is not None:
                    shown = _story(world, start, _path(parents, number), numbers, wrong)
                    return Explored(0, len(numbers), moves, len(world.local.views), shown)
                waiting.append(new)
                if len(parents) > most_states:
                    raise AssertionError(f"{scenario.name}: more than {most_states:,} states")
            targets.append(number)
    return Explored(_paths(following), len(numbers), moves, len(world.local.views))


def _path(parents: list[int], number: int) -> list[int]:
    path = []
    while number > 0:
        path.append(number)
        number = parents[number]
    return path[::-1]


def _story(world: World, state: State, path: list[int], numbers: dict[State, int], wrong: str) -> str:
    lines = [f"{world.scenario.name}: {wrong}"]
    for number in path:
        move, new = next((move, new) for move, new in world.moves(state) if numbers.get(new) == number)
        lines.append(_line(world, state, move))
        state = new
    return "\n".join(lines)


def _line(world: World, state: State, move: Move) -> str:
    said = world.local.said.get((move.history, move.entry)) if move.entry is not None else None
    return f"  {state.now / 1000:8.1f} ms  {move.words}{f' -> {said}' if said else ''}"


def _paths(following: list[list[int]]) -> int:
    """How many ways lead from the first to an end."""
    ways: list[int | None] = [None] * len(following)
    stack = [0]
    while stack:
        number = stack[-1]
        if ways[number] is not None:
            stack.pop()
            continue
        missing = [each for each in following[number] if ways[each] is None]
        if missing:
            stack.extend(missing)
        else:
            ways[number] = sum(ways[each] or 0 for each in following[number]) if following[number] else 1
            stack.pop()
    return ways[0] or 0
