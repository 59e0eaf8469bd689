"""Answers already given, and what to do with a question that comes back to itself.

Law of this file: every question ends. A question inside itself is answered with what is known so far; the
question at the head of such a circle is asked again until its answer stays, and only then do the answers
within the circle count. Depth and work of one outer question are bounded.
"""

from collections.abc import Callable, Hashable

from redis_guard.project.values import NOTHING, Values

_DEPTH = 160
_SETTLED = _DEPTH // 2
"""An answer that was cut short by the depth counts if it had at least half of the depth to itself."""
_STEPS = 40_000
_ROUNDS = 4

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
        """Answers that leaned on an open question: outermost depth of one, whether they were cut short."""
        self._trail: list[Key] = []
        self._lowest = _DEPTH + 1
        self._cut = False
        self._steps = 0

    def __len__(self) -> int:
        return len(self.known)

    def remembered(self, key: Key, compute: Callable[[], Values]) -> Values:
        if (known := self.known.get(key)) is not None:
            return known
        if (leaning := self._leaning.get(key)) is not None:
            self._lowest = min(self._lowest, leaning[1])
            self._cut = self._cut or leaning[2]
            return leaning[0]
        if (open_at := self._open.get(key)) is not None:
            self._lowest = min(self._lowest, open_at)
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
        outer, outer_cut, mark = self._lowest, self._cut, len(self._trail)
        self._open[key] = depth
        try:
            self._lowest, self._cut = _DEPTH + 1, False
            found = compute()
            left = _ROUNDS - 1
            while left and self._lowest == depth and found != self._assumed.get(key, NOTHING):
                self._forget(mark, found, key)
                self._lowest, self._cut = _DEPTH + 1, False
                found = compute()
                left -= 1
        finally:
            del self._open[key]
        if self._assumed:
            self._assumed.pop(key, None)
        lowest = self._lowest
        cut = self._cut and depth > _SETTLED
        if lowest >= depth and not cut:
            if len(self._trail) > mark:
                self._settle(mark)
            self.known[key] = found
        else:
            self._leaning[key] = (found, min(lowest, depth - 1), cut)
            self._trail.append(key)
        self._lowest = lowest if lowest < depth and lowest < outer else outer
        self._cut = outer_cut or cut
        return found

    def _settle(self, mark: int) -> None:
        for key in self._trail[mark:]:
            found, _, cut = self._leaning.pop(key)
            if not cut:
                self.known[key] = found
            self._assumed.pop(key, None)
        del self._trail[mark:]

    def _forget(self, mark: int, found: Values, head: Key) -> None:
        """Begin another round: what the last one found is what open questions are answered with."""
        for key in self._trail[mark:]:
            self._assumed[key] = self._leaning.pop(key)[0]
        del self._trail[mark:]
        self._assumed[head] = found
