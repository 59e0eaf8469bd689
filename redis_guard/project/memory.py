"""Answers already given, and what to do with a question that comes back to itself.

Law of this file: every question ends. A question inside itself is answered with what is known so far; the
question at the head of such a circle is asked again until its answer stays, and only then do the answers
within the circle count. Depth and work of one outer question are bounded.
"""

from bisect import bisect_right
from collections.abc import Callable, Hashable

from redis_guard.project.values import NOTHING, Values

_DEPTH = 160
_SETTLED = _DEPTH // 2
"""An answer that was cut short by the depth counts if it had at least half of the depth to itself."""
_STEPS = 100_000
"""Some seconds of work. The first question may lead through all of a project: of 700 files through 25,000 others."""
_ROUNDS = 8

Key = Hashable
"""The identity of an expression of the facts, or a tuple that begins otherwise."""


class Memory:
    """Answers by key; `given_up` counts the outer questions that ran out of work."""

    def __init__(self) -> None:
        self.given_up = 0
        self.known: dict[Key, Values] = {}
        """Answers that count: who finds one here need not ask."""
        self._open: dict[Key, int] = {}
        self._assumed: dict[Key, Values] = {}
        self._leaning: dict[Key, tuple[Values, int, bool]] = {}
        """Answers that leaned on an open question: their place in the trail, whether they were cut short."""
        self._trail: list[Key] = []
        self._starts: list[int] = []
        """The trail in stretches: where each begins …"""
        self._depths: list[int] = []
        """… and the outermost depth of an open question that its answers lean on, at first hand or through others."""
        self._lowest = _DEPTH + 1
        self._cut = False
        self._met: set[Key] = set()
        """Open questions that came back to themselves in this round."""
        self._restless = False
        """Somebody was given less than what such a question was then found to be."""
        self._steps = 0

    def __len__(self) -> int:
        return len(self.known)

    def remembered(self, key: Key, compute: Callable[[], Values]) -> Values:
        if (known := self.known.get(key)) is not None:
            return known
        if (leaning := self._leaning.get(key)) is not None:
            self._lowest = min(self._lowest, self._depths[bisect_right(self._starts, leaning[1]) - 1])
            self._cut = self._cut or leaning[2]
            return leaning[0]
        if (open_at := self._open.get(key)) is not None:
            self._lowest = min(self._lowest, open_at)
            self._met.add(key)
            return self._assumed.get(key, NOTHING)
        depth = len(self._open)
        if depth == 0:
            self._steps, self._lowest = 0, _DEPTH + 1
        self._steps += 1
        if depth >= _DEPTH or self._steps > _STEPS:
            if self._steps == _STEPS + 1:
                self.given_up += 1
            self._cut = True
            return NOTHING
        return self._answer(key, depth, compute)

    def _answer(self, key: Key, depth: int, compute: Callable[[], Values]) -> Values:
        outer, outer_cut, outer_restless, mark = self._lowest, self._cut, self._restless, len(self._trail)
        self._open[key] = depth
        try:
            self._lowest, self._cut, self._restless = _DEPTH + 1, False, False
            found = compute()
            left = _ROUNDS - 1
            while (
                left
                and self._lowest == depth
                and (self._restless or found != self._assumed.get(key, NOTHING))
            ):
                self._forget(mark, found, key)
                self._lowest, self._cut, self._restless = _DEPTH + 1, False, False
                found = compute()
                left -= 1
        finally:
            del self._open[key]
        lowest = self._lowest
        if key in self._met:
            self._met.discard(key)
            self._restless = self._restless or found != self._assumed.get(key, NOTHING)
        if self._assumed:
            self._assumed.pop(key, None)
        cut = self._cut and depth > _SETTLED
        if lowest >= depth and not cut:
            if len(self._trail) > mark:
                self._settle(mark)
            self.known[key] = found
            self._restless = outer_restless
        else:
            self._restless = self._restless or outer_restless
            self._join(mark, min(lowest, depth - 1))
            self._leaning[key] = (found, len(self._trail), cut)
            self._trail.append(key)
        self._lowest = lowest if lowest < depth and lowest < outer else outer
        self._cut = outer_cut or cut
        return found

    def _join(self, mark: int, depth: int) -> None:
        """From now on all that leaned on the question just answered leans on what its answer leans on."""
        self._part(mark)
        self._starts.append(mark)
        self._depths.append(depth)

    def _part(self, mark: int) -> None:
        while self._starts and self._starts[-1] >= mark:
            self._starts.pop()
            self._depths.pop()

    def _settle(self, mark: int) -> None:
        for key in self._trail[mark:]:
            found, _, cut = self._leaning.pop(key)
            if not cut:
                self.known[key] = found
            self._assumed.pop(key, None)
        del self._trail[mark:]
        self._part(mark)

    def _forget(self, mark: int, found: Values, head: Key) -> None:
        """Begin another round: what the last one found is what open questions are answered with."""
        for key in self._trail[mark:]:
            self._assumed[key] = self._leaning.pop(key)[0]
        del self._trail[mark:]
        self._part(mark)
        self._assumed[head] = found
