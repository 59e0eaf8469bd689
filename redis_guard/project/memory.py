"""Answers already given, and what to do with a question that comes back to itself.

Law of this file: every question ends. A question inside itself is answered with what is known so far; the
question at the head of such a circle is asked again until its answer stays, and only then do the answers
within the circle count. Depth and work of one outer question are bounded.
"""

from collections.abc import Callable

from redis_guard.project.values import NOTHING, Values

_DEPTH = 160
_SETTLED = _DEPTH // 2
"""An answer that was cut short by the depth counts if it had at least half of the depth to itself."""
_STEPS = 40_000
_ROUNDS = 4

Key = tuple[object, ...]


class Memory:
    """Answers by key; `given_up` counts the outer questions that ran out of work."""

    def __init__(self) -> None:
        self.given_up = 0
        self._known: dict[Key, Values] = {}
        self._open: dict[Key, int] = {}
        self._assumed: dict[Key, Values] = {}
        self._leaning: dict[Key, tuple[Values, int, bool]] = {}
        """Answers that leaned on an open question: outermost depth of one, whether they were cut short."""
        self._trail: list[Key] = []
        self._lowest = _DEPTH + 1
        self._cut = False
        self._steps = 0

    def __len__(self) -> int:
        return len(self._known)

    def remembered(self, key: Key, compute: Callable[[], Values]) -> Values:
        known = self._known.get(key)
        if known is not None:
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
            for left in reversed(range(_ROUNDS)):
                self._lowest, self._cut = _DEPTH + 1, False
                found = compute()
                if self._lowest != depth or found == self._assumed.get(key, NOTHING) or not left:
                    break
                self._forget(mark, found, key)
        finally:
            del self._open[key]
        self._assumed.pop(key, None)
        cut = self._cut and depth > _SETTLED
        if self._lowest >= depth and not cut:
            self._settle(mark)
            self._known[key] = found
        else:
            self._leaning[key] = (found, min(self._lowest, depth - 1), cut)
            self._trail.append(key)
        self._lowest = min(outer, self._lowest) if self._lowest < depth else outer
        self._cut = outer_cut or cut
        return found

    def _settle(self, mark: int) -> None:
        for key in self._trail[mark:]:
            found, _, cut = self._leaning.pop(key)
            if not cut:
                self._known[key] = found
            self._assumed.pop(key, None)
        del self._trail[mark:]

    def _forget(self, mark: int, found: Values, head: Key) -> None:
        """Begin another round: what the last one found is what open questions are answered with."""
        for key in self._trail[mark:]:
            self._assumed[key] = self._leaning.pop(key)[0]
        del self._trail[mark:]
        self._assumed[head] = found
