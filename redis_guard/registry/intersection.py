"""Can two patterns of text, each made of literals and gaps, produce one and the same text?

Law of this file: the answer is exact. Both patterns become strings of steps, and a search walks their
product, so that its cost is at most the product of their lengths.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from redis_guard.registry.templates import Hole, Part

FILLER = "x"
"""What an example shows where any character would do."""


@dataclass(frozen=True, slots=True)
class Step:
    """One character of a pattern: itself, or (`character` None) any, perhaps but `:`."""

    character: str | None
    separators: bool = True
    """A gap may take a `:`."""
    repeats: bool = False
    """A gap may take any number of characters, none as well."""
    solid: bool = False
    """A literal which no gap of the other side may stand for."""


def steps_of(parts: Sequence[Part]) -> tuple[Step, ...]:
    """The steps of a key template: each hole is one character and then any number."""
    steps: list[Step] = []
    for part in parts:
        if isinstance(part, Hole):
            steps += (Step(None, part.rest), Step(None, part.rest, repeats=True))
        else:
            steps.extend(map(Step, part))
    return tuple(steps)


def common_text(one: Sequence[Step], other: Sequence[Step]) -> str | None:
    """A text that both patterns produce, or None when there is none."""
    goal = (len(one), len(other))
    came: dict[tuple[int, int], tuple[tuple[int, int], str]] = {(0, 0): ((0, 0), "")}
    queue = deque([(0, 0)])
    while queue:
        state = queue.popleft()
        if state == goal:
            return _spelt(came, goal)
        here, there = state
        step = one[here] if here < len(one) else None
        counter = other[there] if there < len(other) else None
        moves: list[tuple[tuple[int, int], str]] = []
        if step and step.repeats:
            moves.append(((here + 1, there), ""))
        if counter and counter.repeats:
            moves.append(((here, there + 1), ""))
        if step and counter and (character := _shared(step, counter)):
            moves.append(((here + (not step.repeats), there + (not counter.repeats)), character))
        for after, letter in moves:
            if after not in came:
                came[after] = (state, letter)
                queue.append(after)
    return None


def _shared(one: Step, other: Step) -> str | None:
    if one.character is not None and other.character is not None:
        return one.character if one.character == other.character else None
    if one.solid or other.solid:
        return None
    character = one.character or other.character or FILLER
    barred = character == ":" and not (one.separators and other.separators)
    return None if barred else character


def _spelt(came: dict[tuple[int, int], tuple[tuple[int, int], str]], goal: tuple[int, int]) -> str:
    letters: list[str] = []
    state = goal
    while state != (0, 0):
        state, letter = came[state]
        letters.append(letter)
    return "".join(reversed(letters))
