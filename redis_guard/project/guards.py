"""What stands around a place: tests that decide about it, open `with` blocks, classes that are caught.

Law of this file: one function at a time, computed for the places of Redis calls only.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from redis_guard.facts.model import Bool, Compare, Cond, Construct, Expr, Scope, Step, Unary
from redis_guard.project.model import Place
from redis_guard.project.outcomes import Outcomes
from redis_guard.project.taken import Context, Guard
from redis_guard.project.takings import Takings
from redis_guard.project.walk import every, text

PER_ROOT = 1000
"""Orders of one root; see `Places.place`."""


class Guards:
    """Answers for one scope."""

    def __init__(
        self,
        scope: Scope,
        takings: Takings,
        outcomes: Outcomes,
        context: Callable[[Expr], Context],
        catching: Callable[[tuple[Expr | None, ...]], Iterable[str]],
        suppressing: Callable[[Expr], Iterable[str]],
    ) -> None:
        self._scope = scope
        self._takings = takings
        self._outcomes = outcomes
        self._context = context
        self._catching = catching
        self._suppressing = suppressing
        self._exits = tuple(_exits(scope))

    def of(self, root: int, expr: Expr) -> tuple[Guard, ...]:
        """The tests of results that decide whether `expr` below `root` is evaluated, the outermost first."""
        return tuple(guard for guard in self.every(root, expr) if guard.takes)

    def every(self, root: int, expr: Expr) -> tuple[Guard, ...]:
        """All tests that decide about it, of results or of anything else."""
        if root < 0:
            return ()
        path = self._scope.roots[root].path
        found = []
        for construct, arm in path:
            known = self._scope.constructs[construct]
            if known.kind in ("if", "while", "match") and not (known.kind == "while" and arm):
                found += [
                    replace(self._guard(number, arm == 0), construct=construct) for number in known.roots
                ]
        for known, before in self._exits:
            number = known.roots[0]
            if number < root and self._comes_after(path, known, before):
                # What comes after `if test: return` comes when the test does not hold.
                found.append(self._guard(number, not known.ends[0]))
        found.sort(key=lambda guard: guard.order)
        return (*found, *self._within(root, expr))

    def _comes_after(self, path: tuple[Step, ...], known: Construct, before: tuple[Step, ...]) -> bool:
        """Who has gone into `known`, which stands at `before`, reaches `path` only if it was not left."""
        shared = next(
            (turn for turn, (ours, theirs) in enumerate(zip(path, before, strict=False)) if ours != theirs),
            min(len(path), len(before)),
        )
        rest = [self._scope.constructs[step.construct] for step in before[shared:]]
        if any(construct.kind in ("for", "while", "match") for construct in rest):
            return False  # the end of a turn is no end of the function
        inside = self._scope.constructs[path[shared].construct] if len(path) > shared else None
        return inside is not known and inside not in rest

    def _guard(self, number: int, met: bool) -> Guard:
        return self._said(self._scope.roots[number].expr, met, number * PER_ROOT + PER_ROOT - 1)

    def _said(self, test: Expr, met: bool, order: int) -> Guard:
        operators: set[str] = set()
        for node in every(test):
            if isinstance(node, Compare):
                operators.update(node.ops)
            elif isinstance(node, Unary) and node.op == "not":
                operators.add("not")
        takes = tuple(sorted(taken for node in every(test) for taken in self._takings.of(node)))
        return Guard(tuple(dict.fromkeys(takes)), frozenset(operators), met, order, text(test))

    def _within(self, root: int, expr: Expr) -> Iterator[Guard]:
        """Tests in the same expression: `a and b`, `a or b`, `b if a else c`."""
        parents = self._outcomes.parents(root).of
        node = expr
        while (parent := parents.get(id(node))) is not None:
            if isinstance(parent, Bool) and parent.right is node:
                yield self._said(parent.left, parent.op == "and", root * PER_ROOT)
            elif isinstance(parent, Cond) and parent.test is not node:
                yield self._said(parent.test, parent.body is node, root * PER_ROOT)
            node = parent

    def contexts(self, place: Place) -> tuple[Context, ...]:
        """The `with` blocks around a place, the outermost first."""
        return tuple(
            self._context(self._scope.roots[number].expr)
            for arm in place.path
            if arm.kind == "with"
            for number in self._scope.constructs[arm.construct].roots
        )

    def caught(self, place: Place) -> frozenset[str]:
        """The last names of exception classes caught around a place; a bare `except` is `BaseException`."""
        found: set[str] = set()
        for arm in place.path:
            construct = self._scope.constructs[arm.construct]
            if arm.kind == "try" and arm.arm == 0:
                found.update(self._catching(construct.catches))
            elif arm.kind == "with":
                for number in construct.roots:
                    found.update(self._suppressing(self._scope.roots[number].expr))
        return frozenset(found)

    def handles(self, place: Place) -> frozenset[str]:
        """The last names of the exception classes in whose handler a place stands."""
        return frozenset(
            name
            for arm in place.path
            if arm.kind == "try" and arm.arm
            for name in self._catching(self._scope.constructs[arm.construct].catches[arm.arm - 1 : arm.arm])
        )


def _exits(scope: Scope) -> Iterator[tuple[Construct, tuple[Step, ...]]]:
    """Ifs of which one way does not come back, and where they stand."""
    for known in scope.constructs:
        if known.kind == "if" and known.roots and len(known.ends) == 2 and known.ends[0] != known.ends[1]:
            yield known, scope.roots[known.roots[0]].path
